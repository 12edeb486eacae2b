// What a body sees of its inputs: strided, offset, broadcast, one element, 0-d, host scalars.
#include "support.h"

namespace sprue {
namespace {

struct View {
  std::string what;
  Array array;
};

// Views on 0, 1, 2, ..., so that an element's value is its place in the base.
std::vector<View> views() {
  const Array base = arange(96);
  const Array matrix = base.reshaped({8, 12});
  return {
      {"contiguous", matrix},
      {"every second row", base.as_strided({4, 12}, {24, 1})},
      {"every second column", base.as_strided({8, 6}, {12, 2})},
      {"transposed", matrix.transposed()},
      {"rows reversed", matrix.flipped(0)},
      {"columns reversed", matrix.flipped(1)},
      {"both reversed", matrix.flipped(0).flipped(1)},
      {"broadcast rows", base.as_strided({12}, {1}).broadcast_to({5, 12})},
      {"broadcast everywhere", base.as_strided({1}, {1}, 7).broadcast_to({3, 4})},
      {"an offset", base.as_strided({9}, {1}, 11)},
      {"an offset with steps", base.as_strided({3, 3}, {20, 5}, 13)},
      {"overlapping windows", base.as_strided({10, 4}, {1, 1}, 3)},
      {"three dimensions, permuted", base.as_strided({4, 2, 3}, {1, 48, 8})},
      {"small and strided", base.as_strided({3}, {7}, 1)},
      {"small and reversed", base.as_strided({5}, {-2}, 30)},
  };
}

// The place in the base of each element, row-major: a walk of its own over shape and strides.
std::vector<double> places(const Array& array, double first) {
  std::vector<double> result = {first};
  for (size_t axis = 0; axis < array.shape().size(); ++axis) {
    std::vector<double> next;
    for (double place : result)
      for (int64_t i = 0; i < array.shape()[axis]; ++i)
        next.push_back(place + static_cast<double>(i * array.strides()[axis]));
    result = std::move(next);
  }
  return result;
}

Arrays copy_with(const Kernel& kernel, const Array& x) {
  return kernel({.inputs = {x},
                 .output_shapes = {{x.size()}, {x.ndim() * 2 + 1}},
                 .output_dtypes = {float32, int64},
                 .grid = {x.size(), 1, 1},
                 .threadgroup = {16, 1, 1}});
}

constexpr char kDescribe[] = R"(
if (i == 0) {
  described[0] = x_ndim;
  for (int a = 0; a < x_ndim; ++a) {
    described[1 + a] = x_shape[a];
    described[1 + x_ndim + a] = x_strides[a];
  }
}
)";

std::vector<double> description(const Array& array, const Strides& strides) {
  std::vector<double> words = {static_cast<double>(array.ndim())};
  for (int64_t extent : array.shape()) words.push_back(static_cast<double>(extent));
  for (int64_t stride : strides) words.push_back(static_cast<double>(stride));
  return words;
}

TEST(Inputs, AreCopiedRowContiguousWhereAsked) {
  const Kernel kernel = metal_kernel(
      {.name = fresh_name("packed"),
       .input_names = {"x"},
       .output_names = {"y", "described"},
       .source = std::string("uint i = thread_position_in_grid.x; y[i] = x[i];") + kDescribe});
  for (const View& view : views()) {
    const CounterDelta delta;
    const Arrays out = copy_with(kernel, view.array);
    EXPECT_EQ(numbers(out[0]), places(view.array, view.array.data<float>()[0])) << view.what;
    Strides packed(view.array.shape().size(), 1);
    for (size_t a = packed.size(); a-- > 1;) packed[a - 1] = packed[a] * view.array.shape()[a];
    EXPECT_EQ(numbers(out[1]), description(view.array, packed)) << view.what;
    EXPECT_EQ(delta(&Counters::copies), view.array.is_row_contiguous() ? 0u : 1u) << view.what;
  }
}

TEST(Inputs, KeepTheirStridesWhereTheyMay) {
  const Kernel kernel =
      metal_kernel({.name = fresh_name("strided"),
                    .input_names = {"x"},
                    .output_names = {"y", "described"},
                    .source = std::string("uint i = thread_position_in_grid.x;"
                                          "y[i] = x[place_of(i, x_shape, x_strides, x_ndim)];") +
                              kDescribe,
                    .header = R"(
inline int64_t place_of(uint element, constant const int* shape, constant const int64_t* strides, int ndim) {
  int64_t place = 0;
  for (int axis = ndim - 1; axis >= 0; --axis) {
    place += int64_t(element % shape[axis]) * strides[axis];
    element /= shape[axis];
  }
  return place;
}
)",
                    .ensure_row_contiguous = false});
  for (const View& view : views()) {
    const CounterDelta delta;
    const Arrays out = copy_with(kernel, view.array);
    EXPECT_EQ(numbers(out[0]), places(view.array, view.array.data<float>()[0])) << view.what;
    EXPECT_EQ(numbers(out[1]), description(view.array, view.array.strides())) << view.what;
    EXPECT_EQ(delta(&Counters::copies), 0u) << view.what;
  }
}

TEST(Inputs, OneElementIsAPointerAndNoDimensionAReference) {
  const Array one = Array::from<float>({2.5f}, {1});
  const Array none = Array::from<float>({2.5f}, {});
  const Kernel pointer = metal_kernel(one_to_one(fresh_name("pointer"), "y[0] = x[0] * 2;"));
  const Kernel reference = metal_kernel(one_to_one(fresh_name("reference"), "y[0] = x * 2;"));
  EXPECT_EQ(number(pointer(one_element_call(one, float32))[0]), 5);
  EXPECT_EQ(number(reference(one_element_call(none, float32))[0]), 5);
  EXPECT_EQ(number(reference(one_element_call(2.5f, float32))[0]), 5);
  expect_error(ErrorCode::compile_failed, {pointer.name()},
               [&] { (void)pointer(one_element_call(none, float32)); });
  expect_error(ErrorCode::compile_failed, {reference.name()},
               [&] { (void)reference(one_element_call(one, float32)); });
}

// Every dtype that Metal has, as a 0-d input copied to an output of the same dtype; twice through one
// specialisation: values inside the handle, then values in memory.
TEST(Inputs, HostScalarsAndScalarsInMemoryAreTheSameToABody) {
  const std::vector<Array> host = {Array(true),
                                   Array::scalar(uint8_t{200}),
                                   Array::scalar(uint16_t{60000}),
                                   Array::scalar(uint32_t{4000000000u}),
                                   Array::scalar(uint64_t{1} << 63),
                                   Array::scalar(int8_t{-100}),
                                   Array::scalar(int16_t{-30000}),
                                   Array(-2000000000),
                                   Array::scalar(int64_t{-1} << 62),
                                   Array::scalar(Float16(1.5f)),
                                   Array::scalar(BFloat16(-2.5f)),
                                   Array(0.1f),
                                   Array::scalar(std::complex<float>(3, -4))};
  KernelOptions options{.name = fresh_name("scalars")};
  KernelCall call;
  call.grid = call.threadgroup = {1, 1, 1};
  for (size_t i = 0; i < host.size(); ++i) {
    const std::string number = std::to_string(i);
    options.input_names.push_back("x" + number);
    options.output_names.push_back("y" + number);
    options.source += "y" + number + "[0] = x" + number + ";\n";
    call.inputs.push_back(host[i]);
    call.output_shapes.push_back({1});
    call.output_dtypes.push_back(host[i].dtype());
  }
  const WithSettings settings(true, false);
  const Kernel kernel = metal_kernel(options);
  const CounterDelta delta;
  const auto expect_copies = [&] {
    const Arrays out = kernel(call);
    for (size_t i = 0; i < host.size(); ++i) {
      ASSERT_EQ(out[i].dtype(), host[i].dtype());
      EXPECT_EQ(std::memcmp(out[i].address(), host[i].address(), dtype_size(host[i].dtype())), 0)
          << dtype_name(host[i].dtype());
    }
  };
  expect_copies();
  for (size_t i = 0; i < host.size(); ++i) {
    Array stored = Array::empty({}, host[i].dtype());
    std::memcpy(stored.address(), host[i].address(), dtype_size(host[i].dtype()));
    EXPECT_FALSE(stored.is_host_scalar());
    call.inputs[i] = stored;
  }
  expect_copies();
  EXPECT_EQ(delta(&Counters::compiles), 1u);
}

TEST(Inputs, MayBeNone) {
  const Kernel kernel = metal_kernel({.name = fresh_name("none"),
                                      .input_names = {},
                                      .output_names = {"y"},
                                      .source = "y[thread_position_in_grid.x] = 3;"});
  EXPECT_EQ(numbers(kernel({.inputs = {},
                            .output_shapes = {{4}},
                            .output_dtypes = {int32},
                            .grid = {4, 1, 1},
                            .threadgroup = {2, 1, 1}})[0]),
            std::vector<double>(4, 3));
}

TEST(Inputs, PointersMayBeMovedByTheBody) {
  const Kernel kernel = metal_kernel(
      one_to_one(fresh_name("moved"),
                 "uint i = thread_position_in_grid.x; x += i * 2; y += i; *y = x[0] + x[1];"));
  EXPECT_EQ(numbers(kernel({.inputs = {arange(8)},
                            .output_shapes = {{4}},
                            .output_dtypes = {float32},
                            .grid = {4, 1, 1},
                            .threadgroup = {4, 1, 1}})[0]),
            (std::vector<double>{1, 5, 9, 13}));
}

TEST(Inputs, ThirtyOneSlotsAreTheLimit) {
  const auto kernel_with = [](int inputs) {
    KernelOptions options{
        .name = fresh_name("slots"), .output_names = {"y"}, .source = "y[0] = x0[1] + x29[2];"};
    for (int i = 0; i < inputs; ++i) options.input_names.push_back("x" + std::to_string(i));
    return metal_kernel(options);
  };
  const auto call_with = [](int inputs) {
    KernelCall call = one_element_call(arange(8), float32);
    call.inputs.resize(static_cast<size_t>(inputs), arange(8));
    return call;
  };
  EXPECT_EQ(number(kernel_with(30)(call_with(30))[0]), 3);
  const CounterDelta delta;
  const Kernel kernel = kernel_with(31);
  expect_error(ErrorCode::invalid_argument, {"31", "32", kernel.name()},
               [&] { (void)kernel(call_with(31)); });
  EXPECT_EQ(delta(&Counters::compiles), 0u);
}

TEST(Inputs, AnExtentThatDoesNotFitAShapeSlotIsRefused) {
  const Array wide = arange(8).as_strided({int64_t{1} << 32}, {0});
  KernelOptions options = one_to_one(fresh_name("wide"), "y[0] = x_shape[0];");
  options.ensure_row_contiguous = false;
  const Kernel kernel = metal_kernel(options);
  const CounterDelta delta;
  expect_error(ErrorCode::invalid_argument, {kernel.name(), "4294967296"},
               [&] { (void)kernel(one_element_call(wide, int32)); });
  EXPECT_EQ(delta(&Counters::launches), 0u);
}

}  // namespace
}  // namespace sprue
