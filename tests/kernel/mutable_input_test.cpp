// Inputs that a body writes in place.
#include "support.h"

namespace sprue {
namespace {

// cache[index[i]] += x[i]: the caller's array is written, y says what stood there before.
Kernel scatter() {
  return metal_kernel({.name = fresh_name("scatter"),
                       .input_names = {"cache", "index", "x"},
                       .output_names = {"before"},
                       .source = R"(
uint i = thread_position_in_grid.x;
before[i] = cache[index[i]];
cache[index[i]] += x[i];
)",
                       .mutable_inputs = {"cache"}});
}

KernelCall scatter_call(const Array& cache, const Array& x = arange(3)) {
  return {.inputs = {cache, Array::from<int32_t>({2, 0, 5}, {3}), x},
          .output_shapes = {{3}},
          .output_dtypes = {float32},
          .grid = {3, 1, 1},
          .threadgroup = {2, 1, 1}};
}

TEST(MutableInputs, EveryHolderSeesTheWrite) {
  const Array cache = make_array(float32, {10, 11, 12, 13, 14, 15, 16, 17}, {8});
  const Array holder = cache;
  const Array row = cache.as_strided({4}, {1}, 2);
  const CounterDelta delta;
  const Arrays out = scatter()(scatter_call(cache));
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{12, 10, 15}));
  EXPECT_EQ(numbers(holder), (std::vector<double>{11, 11, 12, 13, 14, 17, 16, 17}));
  EXPECT_EQ(numbers(row), (std::vector<double>{12, 13, 14, 17}));
  EXPECT_EQ(delta(&Counters::copies), 0u);
}

// Fewer than 8 elements stand in constant space, which can't be written: a mutable one doesn't.
TEST(MutableInputs, SmallAndZeroDimensionalOnesAreWritable) {
  const Kernel kernel = metal_kernel({.name = fresh_name("advance"),
                                      .input_names = {"state", "step"},
                                      .output_names = {"y"},
                                      .source = "state[1] += 1; step += 2; y[0] = step;",
                                      .mutable_inputs = {"step", "state"}});
  const Array state = make_array(float32, {5, 6}, {2});
  const Array step = Array::from<int32_t>({40}, {});
  for (int round = 1; round <= 3; ++round) {
    const Arrays out = kernel({.inputs = {state, step},
                               .output_shapes = {{1}},
                               .output_dtypes = {int32},
                               .grid = {1, 1, 1},
                               .threadgroup = {1, 1, 1}});
    EXPECT_EQ(number(out[0]), 40 + 2 * round);
    EXPECT_EQ(number(step), 40 + 2 * round);
    EXPECT_EQ(numbers(state), (std::vector<double>{5, 6.0 + round}));
  }
}

TEST(MutableInputs, APieceOfAnArrayIsWrittenInItsPlace) {
  const Array base = arange(24);
  const Array piece = base.as_strided({8}, {1}, 16);
  ASSERT_TRUE(piece.is_row_contiguous());
  (void)scatter()(scatter_call(piece, make_array(float32, {100, 200, 300}, {3})));
  std::vector<double> expected = numbers(arange(24));
  expected[18] += 100;
  expected[16] += 200;
  expected[21] += 300;
  EXPECT_EQ(numbers(base), expected);
}

TEST(MutableInputs, WhatCannotBeWrittenSafelyIsRefused) {
  const Kernel kernel = scatter();
  const CounterDelta delta;
  static const float constants[8] = {};
  const Array base = arange(16);
  const std::pair<Array, std::string> refused[] = {
      {Array::view(static_cast<const void*>(constants), {8}, float32), "read-only"},
      {base.as_strided({8}, {2}), "strided"},
      {base.as_strided({8}, {1}).flipped(0), "strided"},
      {base.as_strided({1}, {1}).broadcast_to({8}), "broadcast"},
      {Array(1.0f), "scalar"},
  };
  for (const auto& [cache, reason] : refused)
    expect_error(ErrorCode::invalid_argument, {"'cache'", kernel.name(), reason},
                 [&, array = cache] { (void)kernel(scatter_call(array)); });
  // The same memory in another argument, whole or in part, next to it or the very same.
  expect_error(ErrorCode::invalid_argument, {"'cache'", kernel.name(), "'x'"},
               [&] { (void)kernel(scatter_call(base, base)); });
  expect_error(ErrorCode::invalid_argument, {"overlap"}, [&] {
    (void)kernel(scatter_call(base.as_strided({8}, {1}), base.as_strided({3}, {1}, 7)));
  });
  expect_error(ErrorCode::invalid_argument, {"overlap"}, [&] {
    (void)kernel(scatter_call(base.as_strided({8}, {1}, 4), base.as_strided({8}, {-1}, 8)));
  });
  EXPECT_EQ(delta(&Counters::launches), 0u);
  EXPECT_EQ(delta(&Counters::compiles), 0u);
  EXPECT_EQ(numbers(base), numbers(arange(16)));
}

TEST(MutableInputs, NeighboursThatOnlyTouchAreAccepted) {
  const Array base = arange(16);
  const Kernel kernel = scatter();
  (void)kernel(scatter_call(base.as_strided({8}, {1}), base.as_strided({3}, {1}, 8)));
  EXPECT_EQ(base.data<float>()[2], 2 + 8);
  (void)kernel(scatter_call(base.as_strided({8}, {1}, 8), base.as_strided({8}, {-1}, 7)));
  EXPECT_EQ(base.data<float>()[10], 10 + 7);
}

TEST(MutableInputs, TwiceInOneCallIsRefused) {
  const Kernel kernel = metal_kernel({.name = fresh_name("twice"),
                                      .input_names = {"a", "b"},
                                      .output_names = {"y"},
                                      .source = "a[0] = 1; b[0] = 2; y[0] = 3;",
                                      .mutable_inputs = {"a", "b"}});
  const Array array = arange(8);
  KernelCall call = one_element_call(array, float32);
  call.inputs = {array, array};
  expect_error(ErrorCode::invalid_argument, {"'a'", "'b'"}, [&] { (void)kernel(call); });
  EXPECT_EQ(numbers(array), numbers(arange(8)));
  call.inputs = {array, arange(8)};
  EXPECT_EQ(number(kernel(call)[0]), 3);
  EXPECT_EQ(array.data<float>()[0], 1);
}

TEST(MutableInputs, AnOrdinaryInputIsNotWritable) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("constant"), "x[0] = 1; y[0] = 2;"));
  expect_error(ErrorCode::compile_failed, {kernel.name()},
               [&] { (void)kernel(one_element_call(arange(8), float32)); });
}

TEST(MutableInputs, NamesMustBeInputsAndStandOnce) {
  KernelOptions options = one_to_one("mutable_names", "y[0] = 1;");
  options.mutable_inputs = {"z"};
  expect_error(ErrorCode::invalid_argument, {"'z'"}, [&] { (void)metal_kernel(options); });
  options.mutable_inputs = {"y"};
  expect_error(ErrorCode::invalid_argument, {"'y'"}, [&] { (void)metal_kernel(options); });
  options.mutable_inputs = {"x", "x"};
  expect_error(ErrorCode::invalid_argument, {"'x'"}, [&] { (void)metal_kernel(options); });
}

}  // namespace
}  // namespace sprue
