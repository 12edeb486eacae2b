// Whole kernels, as people write them in CUDA, against plain C++.
#include <cmath>

#include "cuda_language/cuda_row.h"

namespace sprue::language {
namespace {

// Sums of rows: shuffles in a warp, then over the warps' sums in shared memory.
Row row_sums() {
  constexpr int kRows = 5, kColumns = 700, kThreads = 256;
  Row row{.name = "row_sums", .grid = {kThreads, kRows, 1}, .threadgroup = {kThreads, 1, 1}};
  row.header = R"(
template <int kThreads>
__device__ float block_sum(float v) {
  __shared__ float partial[kThreads / 32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  v = threadIdx.x < kThreads / 32 ? partial[lane] : 0.0f;
  if (warp == 0)
    for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);
  return v;
})";
  row.body = R"(
float v = 0;
for (int k = threadIdx.x; k < N; k += blockDim.x) v += x[blockIdx.y * N + k];
v = block_sum<256>(v);
if (threadIdx.x == 0) y[blockIdx.y] = v;)";
  row.template_arguments = {{"N", kColumns}};
  const Array x = random_array({kRows, kColumns}, float32, 8);
  row.inputs = {{"x", x}};
  row.outputs = {{"y", float32, {kRows}, [x](int64_t r) {
                    Real sum = 0;
                    for (int64_t k = 0; k < kColumns; ++k) sum += value_at(x, r * kColumns + k);
                    return sum;
                  }}};
  row.outputs[0].absolute = 1e-4;
  return row;
}

// Softmax in dynamic shared memory: the row, and the warps' values behind it, of another type.
Row softmax() {
  constexpr int kRows = 3, kColumns = 500;
  Row row{.name = "softmax", .grid = {128, kRows, 1}, .threadgroup = {128, 1, 1}};
  row.body = R"(
extern __shared__ float values[];
extern __shared__ unsigned char bytes[];
float* partial = reinterpret_cast<float*>(bytes + N * sizeof(float));
const T* from = x + blockIdx.y * N;
const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
float top = -INFINITY;
for (int k = threadIdx.x; k < N; k += blockDim.x) {
  values[k] = float(from[k]);
  top = fmaxf(top, values[k]);
}
#pragma unroll
for (int step = 16; step > 0; step >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, step));
if (lane == 0) partial[warp] = top;
__syncthreads();
top = fmaxf(fmaxf(partial[0], partial[1]), fmaxf(partial[2], partial[3]));
float sum = 0.f;
for (int k = threadIdx.x; k < N; k += blockDim.x) sum += values[k] = __expf(values[k] - top);
for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, step);
if (lane == 0) partial[4 + warp] = sum;
__syncthreads();
sum = partial[4] + partial[5] + partial[6] + partial[7];
for (int k = threadIdx.x; k < N; k += blockDim.x) y[blockIdx.y * N + k] = T(values[k] / sum);)";
  row.template_arguments = {{"N", kColumns}, {"T", float16}};
  const Array x = random_array({kRows, kColumns}, float16, 3, -8, 8);
  row.inputs = {{"x", x}};
  row.outputs = {{"y",
                  float16,
                  {kRows, kColumns},
                  [x](int64_t i) {
                    const int64_t begin = i / kColumns * kColumns;
                    Real sum = 0;
                    for (int64_t k = 0; k < kColumns; ++k) sum += std::exp(value_at(x, begin + k));
                    return std::exp(value_at(x, i)) / sum;
                  },
                  1}};
  return row;
}

// y = W x of 4-bit weights, eight a word, with a scale for each 32: pairs of halves.
Row gemv() {
  constexpr int kRows = 8, kColumns = 256;
  Row row{.name = "int4_gemv", .grid = {32, kRows, 1}, .threadgroup = {32, 4, 1}};
  row.body = R"(
const int r = blockIdx.y * blockDim.y + threadIdx.y, lane = threadIdx.x;
float sum = 0.f;
for (int word = lane; word < K / 8; word += 32) {
  const uint32_t packed = __ldg(w + r * (K / 8) + word);
  const __half2* vector = reinterpret_cast<const __half2*>(x + word * 8);
  float2 part = make_float2(0.f, 0.f);
  for (int pair = 0; pair < 4; ++pair) {
    const __half2 q = __halves2half2(__int2half_rn(int(packed >> (8 * pair) & 15u) - 8),
                                     __int2half_rn(int(packed >> (8 * pair + 4) & 15u) - 8));
    const float2 product = __half22float2(__hmul2(q, vector[pair]));
    part.x += product.x; part.y += product.y;
  }
  sum += (part.x + part.y) * __half2float(scales[r * (K / 32) + word / 4]);
}
for (int step = 16; step > 0; step >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, step);
if (lane == 0) y[r] = __float2half(sum);)";
  row.template_arguments = {{"K", kColumns}};
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < kRows * kColumns / 8; ++i)
    words.push_back(i * 2654435761u & 0xffffffffu);
  const Array w = make_array_of_bits(uint32, words);
  const Array scales = random_array({kRows * kColumns / 32}, float16, 2, 0.5, 1);
  std::vector<Real> x;  // few bits, so that the products are exact
  for (int i = 0; i < kColumns; ++i) x.push_back((i * 7 % 17 - 8) / 8.0L);
  row.inputs = {{"w", w}, {"scales", scales}, {"x", make_array(float16, x)}};
  row.outputs = {{"y",
                  float16,
                  {kRows},
                  [=](int64_t r) {
                    Real sum = 0;
                    for (int64_t k = 0; k < kColumns; ++k) {
                      const auto q =
                          static_cast<int64_t>(words[static_cast<size_t>((r * kColumns + k) / 8)] >>
                                                   4 * (k % 8) &
                                               15) -
                          8;
                      sum += static_cast<Real>(q) * x[static_cast<size_t>(k)] *
                             value_at(scales, (r * kColumns + k) / 32);
                    }
                    return sum;
                  },
                  1}};
  return row;
}

// Counts in shared memory, then once a block in global memory. The grid is no multiple of the block.
Row histogram() {
  constexpr int kCount = 1000;
  Row row{.name = "histogram", .grid = {kCount, 1, 1}, .threadgroup = {96, 1, 1}};
  row.body = R"(
__shared__ unsigned counts[16];
if (threadIdx.x < 16) counts[threadIdx.x] = 0;
__syncthreads();
const int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < N) atomicAdd(&counts[x[i] & 15], 1u);
__syncthreads();
if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);)";
  row.template_arguments = {{"N", kCount}};
  std::vector<Real> x;
  for (int64_t i = 0; i < kCount; ++i) x.push_back(static_cast<Real>(i * i % 23));
  row.inputs = {{"x", make_array(uint32, x)}};
  row.outputs = {{"bins", uint32, {16}, [x](int64_t bin) {
                    return 77 + std::count_if(x.begin(), x.end(), [bin](Real v) {
                             return (static_cast<int64_t>(v) & 15) == bin;
                           });
                  }}};
  return row;
}

// Through a padded tile; both edges are partial.
Row transposition() {
  constexpr int64_t kRows = 45, kColumns = 70;
  Row row{.name = "transposition", .grid = {70, 45, 1}, .threadgroup = {16, 16, 1}};
  row.body = R"(
constexpr int kTile = 16;
__shared__ alignas(16) float tile[kTile][kTile + 1];
int column = blockIdx.x * kTile + threadIdx.x, r = blockIdx.y * kTile + threadIdx.y;
if (r < x_shape[0] && column < x_shape[1]) tile[threadIdx.y][threadIdx.x] = x[r * x_shape[1] + column];
__syncthreads();
column = blockIdx.y * kTile + threadIdx.x;
r = blockIdx.x * kTile + threadIdx.y;
if (r < x_shape[1] && column < x_shape[0]) y[r * x_shape[0] + column] = tile[threadIdx.x][threadIdx.y];)";
  const Array x = random_array({kRows, kColumns}, float32, 12);
  row.inputs = {{"x", x}};
  row.outputs = {{"y", float32, {kColumns, kRows}, [x](int64_t i) {
                    return value_at(x, i % kRows * kColumns + i / kRows);
                  }}};
  return row;
}

// Positions of the chosen elements: a scan over the block, and how many there are.
Row compaction() {
  constexpr int kCount = 200;
  Row row{.name = "compaction", .grid = {kCount, 1, 1}, .threadgroup = {kCount, 1, 1}};
  row.body = R"(
__shared__ int sums[32];
const int i = threadIdx.x, lane = i % 32, warp = i / 32;
const int chosen = x[i] > 0.f;
int scan = chosen;
for (int step = 1; step < 32; step *= 2) {
  const int before = __shfl_up_sync(0xffffffff, scan, step);
  if (lane >= step) scan += before;
}
if (lane == 31 || i == blockDim.x - 1) sums[warp] = scan;
const int all = __syncthreads_count(chosen);
for (int k = 0; k < warp; ++k) scan += sums[k];
if (chosen) y[scan - 1] = i;
if (i == 0) total[0] = all;)";
  const Array x = random_array({kCount}, float32, 21);
  std::vector<Real> chosen;
  for (int64_t i = 0; i < kCount; ++i)
    if (value_at(x, i) > 0) chosen.push_back(static_cast<Real>(i));
  row.inputs = {{"x", x}};
  row.outputs = {{"y",
                  int32,
                  {kCount},
                  [chosen](int64_t i) -> Real {
                    return i < static_cast<int64_t>(chosen.size()) ? chosen[static_cast<size_t>(i)]
                                                                   : 77;
                  }},
                 {"total", int32, {1}, [chosen](int64_t) { return chosen.size(); }}};
  return row;
}

// RMS norm of bfloat16 rows, four elements at a time, with a constant table in the header.
Row rms_norm() {
  constexpr int kRows = 3, kColumns = 256;
  Row row{.name = "rms_norm", .grid = {64, kRows, 1}, .threadgroup = {64, 1, 1}};
  row.header = "#include <cuda_bf16.h>\n__constant__ float kScales[2] = {1.0f, 0.5f};\n";
  row.body = R"(
__shared__ float partial[2];
auto v = load_vector<4>(x + blockIdx.y * 256, threadIdx.x);
float sum = 0;
for (int k = 0; k < 4; ++k) sum = fmaf(float(v[k]), float(v[k]), sum);
for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
__syncthreads();
const float scale = rsqrtf((partial[0] + partial[1]) / 256 + eps[0]) * kScales[1];
for (int k = 0; k < 4; ++k) v[k] = __float2bfloat16(float(v[k]) * scale);
store_vector(y + blockIdx.y * 256, threadIdx.x, v);)";
  const Array x = random_array({kRows, kColumns}, bfloat16, 17);
  row.inputs = {{"x", x}, {"eps", Array(1e-5f)}};
  row.outputs = {{"y",
                  bfloat16,
                  {kRows, kColumns},
                  [x](int64_t i) {
                    Real sum = 0;
                    for (int64_t k = 0; k < kColumns; ++k) {
                      const Real v = value_at(x, i / kColumns * kColumns + k);
                      sum += v * v;
                    }
                    return value_at(x, i) / std::sqrt(sum / kColumns + 1e-5f) / 2;
                  },
                  1}};
  return row;
}

std::vector<MatrixCase> rows() {
  auto cases =
      on_cuda({row_sums(), gemv(), histogram(), transposition(), compaction(), rms_norm()});
  for (const MatrixCase& matrix_case : on_cuda({softmax()}, 2048)) cases.push_back(matrix_case);
  return cases;
}
SPRUE_CUDA_MATRIX(CudaKernels, rows)

}  // namespace
}  // namespace sprue::language
