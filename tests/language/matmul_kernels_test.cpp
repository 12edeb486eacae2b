// Whole kernels in the style of those that people run: matrix products in tiles, with sizes that tiles
// don't divide and an operand that is read through its strides; against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

struct Sizes {
  int64_t M, N, K;
};

std::string size_name(Dtype type, const Sizes& s) {
  return std::string(dtype_name(type)) + "_" + std::to_string(s.M) + "_" + std::to_string(s.N) +
         "_" + std::to_string(s.K);
}

// Inputs a [M, K] and b [K, N], the latter as a transposed view of bt [N, K].
void add_operands(Row& row, Dtype type, const Sizes& s) {
  const Array a = random_array({s.M, s.K}, type, 301), bt = random_array({s.N, s.K}, type, 302);
  row.inputs = {{"a", a}, {"b", bt.transposed()}, {"alpha", Array(0.75f)}};
  row.ensure_row_contiguous = false;
  row.outputs = {{"c",
                  type,
                  {s.M, s.N},
                  [=](int64_t i) {
                    Real sum = 0;
                    for (int64_t k = 0; k < s.K; ++k)
                      sum += value_at(a, i / s.N * s.K + k) * value_at(bt, i % s.N * s.K + k);
                    return sum * 0.75L;
                  },
                  1,
                  // K products of at most 1, each sum rounded: K / 2 roundings of sums below K / 2.
                  static_cast<double>(s.K * s.K) / 4 * 0x1p-24}};
}

// 32 x 32 results a group of four simdgroups, each with 2 x 2 matrices; the next 16 columns are loaded
// to the other half of threadgroup memory while one is multiplied.
Row simdgroup_matmul(Dtype type, const Sizes& sizes) {
  Row row{.name = "simdgroups_" + size_name(type, sizes)};
  row.kernel = "simdgroup_matmul";
  row.header = R"(
    #include <metal_simdgroup_matrix>
    using namespace metal;
    #define TILE 32
    #define DEPTH 16
    #define PAD 4
    // A block of a matrix with any strides; zeros beyond its edges.
    template <typename T, int kRows, int kColumns>
    void fetch(const device T* from, long row_stride, long column_stride, int rows, int columns,
               threadgroup T (*to)[kColumns + PAD], uint thread_id) {
      for (int k = thread_id; k < kRows * kColumns; k += 128) {
        const int r = k / kColumns, c = k % kColumns;
        to[r][c] = r < rows && c < columns ? from[r * row_stride + c * column_stride] : T(0);
      }
    }
  )";
  row.body = R"(
    threadgroup T left[2][TILE][DEPTH + PAD];
    threadgroup T right[2][DEPTH][TILE + PAD];
    threadgroup float result[TILE][TILE + PAD];
    const int M = a_shape[0], K = a_shape[1], N = b_shape[1];
    const uint thread_id = thread_index_in_threadgroup, simdgroup = simdgroup_index_in_threadgroup;
    const int m0 = threadgroup_position_in_grid.y * TILE, n0 = threadgroup_position_in_grid.x * TILE;
    const int sm = simdgroup / 2 * 16, sn = simdgroup % 2 * 16;
    simdgroup_matrix<float, 8, 8> sums[2][2];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    auto load = [&](int half_index, int k0) {
      fetch<T, TILE, DEPTH>(a + m0 * a_strides[0] + k0 * a_strides[1], a_strides[0], a_strides[1],
                            M - m0, K - k0, left[half_index], thread_id);
      fetch<T, DEPTH, TILE>(b + k0 * b_strides[0] + n0 * b_strides[1], b_strides[0], b_strides[1],
                            K - k0, N - n0, right[half_index], thread_id);
    };
    load(0, 0);
    int half_index = 0;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (k0 + DEPTH < K) load(1 - half_index, k0 + DEPTH);
      for (int k = 0; k < DEPTH; k += 8) {
        simdgroup_matrix<T, 8, 8> as[2], bs[2];
        for (int i = 0; i < 2; ++i) {
          simdgroup_load(as[i], &left[half_index][sm + 8 * i][k], DEPTH + PAD);
          simdgroup_load(bs[i], &right[half_index][k][sn + 8 * i], TILE + PAD);
        }
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
            simdgroup_multiply_accumulate(sums[i][j], as[i], bs[j], sums[i][j]);
      }
      half_index = 1 - half_index;
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        simdgroup_store(sums[i][j], &result[sm + 8 * i][sn + 8 * j], TILE + PAD);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = thread_id; k < TILE * TILE; k += 128) {
      const int m = m0 + k / TILE, n = n0 + k % TILE;
      if (m < M && n < N) c[m * N + n] = static_cast<T>(alpha * result[k / TILE][k % TILE]);
    }
  )";
  row.template_arguments = {{"T", type}};
  add_operands(row, type, sizes);
  row.grid = {(sizes.N + 31) / 32 * 32, (sizes.M + 31) / 32 * 4, 1};
  row.threadgroup = {32, 4, 1};
  return row;
}

// 8 x 8 threads with 4 x 2 results each in registers, vectors of the tile read at once.
Row register_matmul(Dtype type, const Sizes& sizes) {
  Row row{.name = "registers_" + size_name(type, sizes)};
  row.kernel = "register_matmul";
  row.body = R"(
    typedef vec<float, 4> float_4;
    constexpr int kRows = 32, kColumns = 16, kDepth = 8;
    threadgroup float left[kDepth][kRows];
    threadgroup float right[kDepth][kColumns];
    const uint2 local = thread_position_in_threadgroup.xy;
    const int M = a_shape[0], K = a_shape[1], N = b_shape[1];
    const int m0 = threadgroup_position_in_grid.y * kRows;
    const int n0 = threadgroup_position_in_grid.x * kColumns;
    float_4 sums[2] = {float_4(0), float_4(0)};
    const uint thread_id = local.y * 8 + local.x;
    for (int k0 = 0; k0 < K; k0 += kDepth) {
      for (uint e = thread_id; e < kRows * kDepth; e += 64) {
        const int m = m0 + e % kRows, k = k0 + e / kRows;
        left[e / kRows][e % kRows] = m < M && k < K ? float(a[m * a_strides[0] + k * a_strides[1]]) : 0;
      }
      for (uint e = thread_id; e < kColumns * kDepth; e += 64) {
        const int n = n0 + e % kColumns, k = k0 + e / kColumns;
        right[e / kColumns][e % kColumns] =
            n < N && k < K ? float(b[k * b_strides[0] + n * b_strides[1]]) : 0;
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      #pragma unroll
      for (int k = 0; k < kDepth; ++k) {
        const float_4 column = *(threadgroup float_4*)&left[k][4 * local.y];
        const float2 across = *(threadgroup float2*)&right[k][2 * local.x];
        sums[0] += column * across.x;
        sums[1] += column * across.y;
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i) {
        const int m = m0 + 4 * local.y + i, n = n0 + 2 * local.x + j;
        if (m < M && n < N) c[m * N + n] = T(alpha * sums[j][i]);
      }
  )";
  row.template_arguments = {{"T", type}};
  add_operands(row, type, sizes);
  row.grid = {(sizes.N + 15) / 16 * 8, (sizes.M + 31) / 32 * 8, 1};
  row.threadgroup = {8, 8, 1};
  return row;
}

std::vector<Row> rows() {
  return {simdgroup_matmul(float32, {45, 70, 37}),  simdgroup_matmul(float32, {32, 32, 16}),
          simdgroup_matmul(float32, {1, 33, 100}),  simdgroup_matmul(float16, {45, 70, 37}),
          simdgroup_matmul(bfloat16, {64, 40, 24}), register_matmul(float32, {45, 70, 37}),
          register_matmul(float32, {3, 5, 1}),      register_matmul(float16, {33, 17, 20})};
}
SPRUE_MATRIX(MatmulKernels, rows)

// y = x w^T with 4-bit weights, as published kernels do it: a group of two simdgroups makes 16 x 16
// results; tiles of 32 columns are taken in turns, the next one being unpacked to the other half of
// threadgroup memory while one is multiplied.
std::vector<Row> quantized_rows() {
  constexpr int64_t kM = 32, kN = 48, kK = 128, kGroup = 32;
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16}) {
    const std::vector<Real> x = uniform(kM * kK, -1, 1, 31, type);
    const std::vector<Real> scales = uniform(kN * kK / kGroup, 0.01L, 0.1L, 32, type);
    const std::vector<Real> biases = uniform(kN * kK / kGroup, -0.8L, 0, 33, type);
    const auto digit = [](int64_t n, int64_t k) { return (n * 131 + k * 29 + n * k) % 16; };
    std::vector<Real> packed;
    for (int64_t n = 0; n < kN; ++n)
      for (int64_t k = 0; k < kK; k += 8) {
        uint32_t word = 0;
        for (int64_t j = 0; j < 8; ++j) word |= static_cast<uint32_t>(digit(n, k + j)) << 4 * j;
        packed.push_back(word);
      }
    Row row{.name = "quantized_" + std::string(dtype_name(type))};
    row.kernel = "quantized_matmul";
    row.header =
        "#include <metal_simdgroup_matrix>\nusing namespace metal;\n"
        "#define TILE_K 32\n"
        "template <typename T>\n"
        "inline void unpack(const device uint* w, const device T* scales, const device T* biases, "
        "threadgroup T (*tile)[TILE_K + 4], uint n0, uint k0, uint t, uint K) {\n"
        "  uint n = t / 4, word = t % 4;  // 16 rows of four words\n"
        "  uint bits = w[((n0 + n) * K + k0) / 8 + word];\n"
        "  float scale = scales[((n0 + n) * K + k0) / 32], bias = biases[((n0 + n) * K + k0) / "
        "32];\n"
        "  for (uint j = 0; j < 8; ++j)\n"
        "    tile[n][word * 8 + j] = static_cast<T>(scale * float((bits >> 4 * j) & 15u) + bias);\n"
        "}\n";
    row.body =
        "uint t = thread_index_in_threadgroup, sg = simdgroup_index_in_threadgroup;\n"
        "uint m0 = threadgroup_position_in_grid.y * 16 + sg * 8, n0 = "
        "threadgroup_position_in_grid.x "
        "* 16;\n"
        "threadgroup T tiles[2][16][TILE_K + 4];\n"
        "simdgroup_matrix<float, 8, 8> sums[2] = {simdgroup_float8x8(0), simdgroup_float8x8(0)};\n"
        "unpack<T>(w, scales, biases, tiles[0], n0, 0, t, K);\n"
        "for (uint k0 = 0, half_index = 0; k0 < uint(K); k0 += TILE_K, half_index ^= 1) {\n"
        "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
        "  if (k0 + TILE_K < uint(K))\n"
        "    unpack<T>(w, scales, biases, tiles[half_index ^ 1], n0, k0 + TILE_K, t, K);\n"
        "  for (uint k = 0; k < TILE_K; k += 8) {\n"
        "    simdgroup_matrix<T, 8, 8> a, b;\n"
        "    simdgroup_load(a, x + m0 * K + k0 + k, K);\n"
        "    for (uint j = 0; j < 2; ++j) {\n"
        "      simdgroup_load(b, &tiles[half_index][8 * j][k], TILE_K + 4, ulong2(0, 0), true);\n"
        "      simdgroup_multiply_accumulate(sums[j], a, b, sums[j]);\n"
        "    }\n  }\n}\n"
        "for (uint j = 0; j < 2; ++j) simdgroup_store(sums[j], y + m0 * N + n0 + 8 * j, N);";
    row.template_arguments = {
        {"T", type}, {"K", static_cast<int>(kK)}, {"N", static_cast<int>(kN)}};
    row.inputs = {{"x", make_array(type, x)},
                  {"w", make_array(uint32, packed)},
                  {"scales", make_array(type, scales)},
                  {"biases", make_array(type, biases)}};
    row.outputs = {{"y", float32, {kM, kN}, [=](int64_t i) {
                      const int64_t m = i / kN, n = i % kN;
                      Real sum = 0;
                      for (int64_t k = 0; k < kK; ++k) {
                        const auto group = static_cast<size_t>((n * kK + k) / kGroup);
                        const Real product = to_float(scales[group] * Real(digit(n, k)));
                        const Real weight = rounded(to_float(product + biases[group]), type);
                        sum += x[static_cast<size_t>(m * kK + k)] * weight;
                      }
                      return sum;
                    }}};
    row.outputs[0].ulps = 4;
    row.outputs[0].absolute = 128 * 0x1p-24 * 64;
    row.grid = {kN / 16 * 64, kM / 16, 1};
    row.threadgroup = {64, 1, 1};
    rows.push_back(row);
  }
  return rows;
}
SPRUE_MATRIX(SimdgroupMatrixKernels, quantized_rows)

}  // namespace
}  // namespace sprue::language
