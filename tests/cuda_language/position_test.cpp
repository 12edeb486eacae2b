// Where a thread is, which threads run, and how a kernel's parameters look.
#include "cuda_language/cuda_row.h"

namespace sprue::language {
namespace {

Row counted(const std::string& name, Size3 grid, Size3 block, Size3 blocks) {
  const int64_t threads = blocks.x * blocks.y * blocks.z * std::min(block.x, grid.x) *
                          std::min(block.y, grid.y) * std::min(block.z, grid.z);
  Row row{.name = name, .grid = grid, .threadgroup = block};
  row.body = R"(
atomicAdd(total, 1);
if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {
  sizes[0] = blockDim.x; sizes[1] = blockDim.y; sizes[2] = blockDim.z;
  sizes[3] = gridDim.x; sizes[4] = gridDim.y; sizes[5] = gridDim.z;
})";
  row.inputs = {};
  row.outputs = {{"total", int32, {1}, [threads](int64_t) { return 77 + threads; }},
                 {"sizes", int32, {6}, [=](int64_t i) -> Real {
                    const int64_t sizes[] = {std::min(block.x, grid.x),
                                             std::min(block.y, grid.y),
                                             std::min(block.z, grid.z),
                                             blocks.x,
                                             blocks.y,
                                             blocks.z};
                    return static_cast<Real>(sizes[i]);
                  }}};
  return row;
}

std::vector<MatrixCase> rows() {
  std::vector<Row> rows = {counted("whole_blocks", {8, 1, 1}, {4, 1, 1}, {2, 1, 1}),
                           counted("extra_threads_run", {10, 1, 1}, {4, 1, 1}, {3, 1, 1}),
                           counted("block_larger_than_grid", {5, 1, 1}, {256, 1, 1}, {1, 1, 1}),
                           counted("extra_threads_on_all_axes", {5, 3, 7}, {2, 2, 4}, {3, 2, 2})};
  // The number of a thread's place, written at that place: by the body, by a helper, by a group.
  const auto indexed = [](const std::string& name, const std::string& place,
                          const std::string& header = "") {
    Row row{.name = name, .header = header, .grid = {24, 6, 4}, .threadgroup = {8, 3, 2}};
    row.body = "const auto place = " + place + ";\ny[place] = place;";
    row.outputs = {{"y", int32, {24 * 6 * 4}, [](int64_t i) { return i; }}};
    return row;
  };
  const std::string place =
      "((blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y + blockIdx.y * blockDim.y "
      "+ threadIdx.y) * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x";
  rows.push_back(indexed("by_the_body", place));
  rows.push_back(indexed("by_a_helper", "where()",
                         "__device__ __forceinline__ unsigned where() { return " + place + "; }"));
  rows.push_back(indexed("by_a_macro", "WHERE", "#define WHERE (" + place + ")"));
  rows.push_back(indexed("by_the_grid", "cg::this_grid().thread_rank()"));
  rows.push_back(indexed("by_the_grid_in_full", "cooperative_groups::this_grid().thread_rank()",
                         "#include <cooperative_groups.h>"));
  Row dims{.name = "values_of_dim3", .grid = {4, 2, 1}, .threadgroup = {2, 2, 1}};
  dims.body = R"(
uint3 t = threadIdx; dim3 b = blockDim; auto [x, y_, z] = blockIdx;
y[(y_ * 2 + x) * 4 + t.y * 2 + t.x] = b.x * 100 + b.y * 10 + b.z + max(threadIdx.x, 0u);)";
  dims.outputs = {{"y", int32, {8}, [](int64_t i) { return 221 + i % 2; }}};
  rows.push_back(dims);
  return on_cuda(rows);
}
SPRUE_CUDA_MATRIX(CudaPositions, rows)

std::vector<MatrixCase> parameters() {
  std::vector<Row> rows;
  // MLX's own test of arguments: 0-d inputs are pointers, templates are constants of the body.
  Row arguments{.name = "arguments", .grid = {6, 1, 1}, .threadgroup = {2, 1, 1}};
  arguments.body = R"(
const int i = blockIdx.x * blockDim.x + threadIdx.x;
T half_value = T(a[i] * b[0] * float(c[1]) * d[0]);
out1[i] = e ? float(half_value) + f : 0;
out2[i] = -2.7f;
static_assert(sizeof(T) == 2 && f == -3, "constants");
)";
  arguments.inputs = {{"a", make_array(float32, std::vector<Real>(18, 2))},
                      {"b", make_array(int32, {3, 0, 0})},
                      {"c", make_array(bfloat16, {0, 1.5, 0, 0})},
                      {"d", make_array(float32, {7.25}).reshaped({})}};
  arguments.template_arguments = {{"e", true}, {"f", -3}, {"T", float16}};
  arguments.outputs = {
      {"out1", float32, {6}, [](int64_t) { return to_half(2 * 3 * 1.5L * 7.25L) - 3; }},
      {"out2", int32, {6}, [](int64_t) { return -2; }}};
  rows.push_back(arguments);
  Row slots{.name = "shapes_and_strides", .grid = {12, 1, 1}, .threadgroup = {12, 1, 1}};
  slots.body = R"(
const unsigned i = threadIdx.x;
y[i] = x[elem_to_loc(i, x_shape.data(), x_strides.data(), x_ndim)];
if (i < 4) facts[i] = i == 0 ? x_shape[0] : i == 1 ? x_shape[1] : i == 2 ? x_strides[0] : x_shape[2];
if (i == 4) facts[4] = x_shape.size() * 10 + x_ndim;
)";
  std::vector<Real> values;
  for (int i = 0; i < 12; ++i) values.push_back(i * i);
  slots.inputs = {{"x", make_array(float32, values).reshaped({3, 4})}};
  slots.outputs = {{"y", float32, {12}, [](int64_t i) { return i * i; }},
                   {"facts", int64, {5}, [](int64_t i) {
                      const Real facts[] = {3, 4, 4, 0, 102};
                      return facts[i];
                    }}};
  rows.push_back(slots);
  // Of every dtype but double, which number.h lacks: each element plus one.
  for (Dtype dtype :
       {uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, bfloat16, float32}) {
    Row row{.name = std::string(dtype_name(dtype)), .grid = {3, 1, 1}, .threadgroup = {3, 1, 1}};
    row.body = "y[threadIdx.x] = x[threadIdx.x] + decltype(y[0] + y[0])(1);";
    row.inputs = {{"x", make_array(dtype, {1, 2, 5})}};
    row.outputs = {{"y", dtype, {3}, [](int64_t i) { return i == 2 ? 6 : i + 2; }}};
    rows.push_back(row);
  }
  Row names{.name = "metal_words", .grid = {1, 1, 1}};
  names.body = "y[0] = grid_size[0] + thread_position_in_grid[0];";
  names.inputs = {{"grid_size", make_array(float32, {2})},
                  {"thread_position_in_grid", make_array(float32, {3})}};
  names.outputs = {{"y", float32, {1}, [](int64_t) { return 5; }}};
  rows.push_back(names);
  return on_cuda(rows);
}
SPRUE_CUDA_MATRIX(CudaParameters, parameters)

TEST(CudaParameters, double_is_there_and_constants_are_double) {
  const Kernel kernel =
      cuda_kernel({.name = "doubles",
                   .input_names = {"x"},
                   .output_names = {"y"},
                   .source = "y[0] = sqrt(x[0]) * 0.1; y[1] = 0.1; y[2] = fma(0.1, x[0], -0.2);"});
  const Array x = Array::from<double>({2.0}, {1});
  const Arrays got = kernel({.inputs = {x}, .output_shapes = {{3}}, .output_dtypes = {float64}});
  EXPECT_EQ(got[0].data<double>()[0], std::sqrt(2.0) * 0.1);
  EXPECT_EQ(got[0].data<double>()[1], 0.1);
  EXPECT_EQ(got[0].data<double>()[2], std::fma(0.1, 2.0, -0.2));
}

TEST(CudaParameters, strides_of_what_is_not_contiguous) {
  const Kernel kernel =
      cuda_kernel({.name = "strided",
                   .input_names = {"x"},
                   .output_names = {"y"},
                   .source = "y[threadIdx.x] = x[elem_to_loc<int64_t>(threadIdx.x, "
                             "x_shape.data(), x_strides.data(), x_ndim)];",
                   .ensure_row_contiguous = false});
  const Array x = make_array(float32, {0, 1, 2, 3, 4, 5}).reshaped({2, 3});
  const Arrays got = kernel({.inputs = {x.transposed()},
                             .output_shapes = {{6}},
                             .output_dtypes = {float32},
                             .grid = {6, 1, 1},
                             .threadgroup = {6, 1, 1}});
  const float expected[] = {0, 3, 1, 4, 2, 5};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(got[0].data<float>()[i], expected[i]) << i;
}

TEST(CudaParameters, a_mutable_input_is_written) {
  const Kernel kernel =
      cuda_kernel({.name = "writes",
                   .input_names = {"state", "step"},
                   .output_names = {"y"},
                   .source = "y[0] = state[threadIdx.x]; state[threadIdx.x] += step[0];",
                   .mutable_inputs = {"state"}});
  Array state = make_array(float32, {1, 2, 3});
  (void)kernel({.inputs = {state, 0.5f},
                .output_shapes = {{1}},
                .output_dtypes = {float32},
                .grid = {3, 1, 1},
                .threadgroup = {3, 1, 1}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(state.data<float>()[i], 1.5f + static_cast<float>(i));
}

}  // namespace
}  // namespace sprue::language
