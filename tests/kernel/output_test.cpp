// Outputs: fresh, of the shapes and dtypes asked for, filled only where an init_value is given.
#include <cmath>
#include <limits>

#include "support.h"

namespace sprue {
namespace {

TEST(Outputs, SeveralOfDifferentShapesAndDtypes) {
  const Kernel kernel = metal_kernel({.name = fresh_name("several"),
                                      .input_names = {"x"},
                                      .output_names = {"doubled", "rounded", "first"},
                                      .source = R"(
uint i = thread_position_in_grid.x;
doubled[i] = x[i] * 2;
rounded[i] = x[i] + 0.75f;
if (i == 0) first[0] = x[0] > 0;
)"});
  const Arrays out = kernel({.inputs = {Array::from<float>({1, -2, 3, -4, 5, 6}, {6})},
                             .output_shapes = {{2, 3}, {6}, {}},
                             .output_dtypes = {float16, int32, bool_},
                             .grid = {6, 1, 1},
                             .threadgroup = {4, 1, 1}});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].shape(), (Shape{2, 3}));
  EXPECT_EQ(out[2].shape(), Shape{});
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{2, -4, 6, -8, 10, 12}));
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{1, -1, 3, -3, 5, 6}));  // truncated towards zero
  EXPECT_TRUE(out[2].item<bool>());
  for (const Array& array : out) EXPECT_TRUE(array.is_row_contiguous());
}

TEST(Outputs, AreFreshEachTime) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("fresh"), "y[0] = x;"));
  const Arrays first = kernel(one_element_call(1.0f, float32));
  const Arrays second = kernel(one_element_call(2.0f, float32));
  EXPECT_NE(first[0].address(), second[0].address());
  EXPECT_EQ(number(first[0]), 1);
  EXPECT_EQ(number(second[0]), 2);
}

constexpr Dtype kMetalDtypes[] = {bool_, uint8, uint16,  uint32,   uint64,  int8,     int16,
                                  int32, int64, float16, bfloat16, float32, complex64};

// One kernel with an output of each dtype, whose body writes none of them.
struct Untouched {
  Kernel kernel;
  KernelCall call;
};

Untouched untouched(const Shape& shape) {
  KernelOptions options{.name = fresh_name("untouched"), .source = ""};
  KernelCall call;
  call.grid = call.threadgroup = {1, 1, 1};
  for (Dtype dtype : kMetalDtypes) {
    options.output_names.push_back("out_" + std::string(dtype_name(dtype)));
    call.output_shapes.push_back(shape);
    call.output_dtypes.push_back(dtype);
  }
  return {metal_kernel(options), call};
}

TEST(Outputs, InitValueFillsEveryDtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Expectation {
    double value;
    std::vector<double> expected;  // in the order of kMetalDtypes
  };
  const double nan = std::nan("");
  // Truncated and clamped for integers, rounded for floats, "not zero" for bool.
  const Expectation expectations[] = {
      {0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {3, {1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
      {-2.75, {1, 0, 0, 0, 0, -2, -2, -2, -2, -2.75, -2.75, -2.75, -2.75}},
      {0.5, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5}},
      {300, {1, 255, 300, 300, 300, 127, 300, 300, 300, 300, 300, 300, 300}},
      // 2^24 + 1: beyond a float's integers, exact in the wide integer types.
      {16777217,
       {1, 255, 65535, 16777217, 16777217, 127, 32767, 16777217, 16777217, kInfinity, 16777216,
        16777216, 16777216}},
      {kInfinity,
       {1, 255, 65535, 4294967295.0, 18446744073709551616.0, 127, 32767, 2147483647,
        9223372036854775808.0, kInfinity, kInfinity, kInfinity, kInfinity}},
  };
  const Untouched all = untouched({5, 7});
  const CounterDelta delta;
  for (const auto& [value, expected] : expectations) {
    KernelCall call = all.call;
    call.init_value = value;
    const Arrays out = all.kernel(call);
    for (size_t i = 0; i < std::size(kMetalDtypes); ++i)
      EXPECT_EQ(numbers(out[i]), std::vector<double>(35, expected[i]))
          << dtype_name(kMetalDtypes[i]) << " from " << value;
    EXPECT_EQ(out[12].data<std::complex<float>>()[34].imag(), 0);
  }
  EXPECT_EQ(delta(&Counters::fills), std::size(expectations) * std::size(kMetalDtypes));

  KernelCall call = all.call;
  call.init_value = nan;
  const Arrays out = all.kernel(call);
  for (size_t i = 0; i < std::size(kMetalDtypes); ++i) {
    if (dtype_is_floating(kMetalDtypes[i]) || kMetalDtypes[i] == complex64)
      EXPECT_TRUE(std::isnan(number(out[i]))) << dtype_name(kMetalDtypes[i]);
    else
      EXPECT_EQ(number(out[i]), kMetalDtypes[i] == bool_ ? 1 : 0) << dtype_name(kMetalDtypes[i]);
  }
}

// Exact in 64 bits up to the 53 that a double has.
TEST(Outputs, InitValueKeepsWideIntegers) {
  const Untouched all = untouched({1});
  for (double value : {9007199254740991.0, -9007199254740991.0}) {
    KernelCall call = all.call;
    call.init_value = value;
    const Arrays out = all.kernel(call);
    EXPECT_EQ(out[8].item<int64_t>(), static_cast<int64_t>(value));
    if (value > 0) {
      EXPECT_EQ(out[4].item<uint64_t>(), static_cast<uint64_t>(value));
    }
  }
}

TEST(Outputs, WithoutInitValueNothingIsFilled) {
  const Untouched all = untouched({4});
  const CounterDelta delta;
  (void)all.kernel(all.call);
  EXPECT_EQ(delta(&Counters::fills), 0u);
  EXPECT_EQ(delta(&Counters::launches), 1u);
}

TEST(Outputs, PoisonShowsWhatNoThreadWrites) {
  struct Poisoning {
    Poisoning() { kernel_settings().poison_outputs = true; }
    ~Poisoning() { kernel_settings().poison_outputs = false; }
  } poisoning;
  const Kernel kernel =
      metal_kernel(one_to_one(fresh_name("poisoned"), "y[thread_position_in_grid.x * 2] = 1;"));
  KernelCall call = one_element_call(1.0f, float32);
  call.output_shapes = {{6}};
  call.grid = {3, 1, 1};
  const Array y = kernel(call)[0];
  for (int i = 0; i < 6; ++i) EXPECT_EQ(std::isnan(y.data<float>()[i]), i % 2 == 1) << i;
  call.init_value = 7;
  EXPECT_EQ(numbers(kernel(call)[0]), (std::vector<double>{1, 7, 1, 7, 1, 7}));
}

TEST(Outputs, InitValueStaysWhereNoThreadWrites) {
  const Kernel kernel = metal_kernel(
      {.name = fresh_name("counting"),
       .input_names = {"x"},
       .output_names = {"histogram"},
       .source = "uint i = thread_position_in_grid.x;"
                 "atomic_fetch_add_explicit(&histogram[x[i]], 1, memory_order_relaxed);",
       .atomic_outputs = true});
  const Arrays out = kernel({.inputs = {Array::from<int32_t>({1, 3, 3, 1, 3, 0, 1, 3}, {8})},
                             .output_shapes = {{5}},
                             .output_dtypes = {int32},
                             .grid = {8, 1, 1},
                             .threadgroup = {3, 1, 1},
                             .init_value = 10});
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{11, 13, 10, 14, 10}));
}

TEST(Outputs, EmptyInputsAndOutputs) {
  const Kernel kernel =
      metal_kernel({.name = fresh_name("empty"),
                    .input_names = {"x"},
                    .output_names = {"y", "extent"},
                    .source = "if (x_shape[0] > 0) y[0] = x[0]; extent[0] = x_shape[0];"});
  for (std::optional<double> init : {std::optional<double>(), std::optional<double>(4)})
    for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{3, 0, 2}}) {
      const Arrays out = kernel({.inputs = {Array::empty({0}, float32)},
                                 .output_shapes = {shape, {1}},
                                 .output_dtypes = {float32, int32},
                                 .grid = {1, 1, 1},
                                 .threadgroup = {1, 1, 1},
                                 .init_value = init});
      EXPECT_EQ(out[0].shape(), shape);
      EXPECT_EQ(out[0].size(), 0);
      EXPECT_EQ(out[0].address(), nullptr);
      EXPECT_EQ(number(out[1]), 0);
    }
  // The same specialisation with something in it: fewer than 8 elements, like none.
  EXPECT_EQ(numbers(kernel({.inputs = {Array::from<float>({6.0f}, {1})},
                            .output_shapes = {{1}, {1}},
                            .output_dtypes = {float32, int32},
                            .grid = {1, 1, 1},
                            .threadgroup = {1, 1, 1}})[0]),
            std::vector<double>{6});
}

TEST(Outputs, SizesThatNoMemoryHoldsAreErrors) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("huge"), "y[0] = 1;"));
  const CounterDelta delta;
  std::vector<Shape> shapes = {
      {int64_t{1} << 62}, {int64_t{1} << 40, int64_t{1} << 40}, {-1}, {3, -2}};
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  shapes.push_back({int64_t{1} << 50});  // the sanitizers' allocators end the program here
#endif
  for (const Shape& shape : shapes) {
    KernelCall call = one_element_call(1.0f, float32);
    call.output_shapes = {shape};
    EXPECT_THROW((void)kernel(call), Error) << to_string(shape);
  }
  EXPECT_EQ(delta(&Counters::launches), 0u);
}

}  // namespace
}  // namespace sprue
