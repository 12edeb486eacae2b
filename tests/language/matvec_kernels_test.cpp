// Whole kernels in the style of those that people run: products with packed weights, against long
// double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

// Ternary weights, two bits each: four rows of the result for each simdgroup.
Row ternary_gemv() {
  constexpr int64_t N = 64, K = 256;
  std::vector<uint64_t> packed;
  for (int64_t i = 0; i < N / 4 * K; ++i) {
    uint64_t byte = 0;
    for (int s = 0; s < 4; ++s)
      byte |= static_cast<uint64_t>((i * 2654435761u >> (3 * s + 4)) % 3) << 2 * s;
    packed.push_back(byte);
  }
  const Array x = random_array({1, K}, float16, 21),
              w = make_array_of_bits(uint8, packed).reshaped({N / 4, K});
  const Array scale = make_array(float16, {0.75L});
  Row row{.name = "ternary_gemv"};
  row.body = R"(
    constexpr int M = 4;
    constexpr int BLOCK = 32;
    uint tid = thread_position_in_grid.y;
    uint in_offset = thread_position_in_grid.x;
    uint batch_idx = tid / (out_features / 4);
    uint row_idx = tid % (out_features / 4);
    float sum[4] = {0.0};
    for (uint i = in_offset * M; i < in_features; i += BLOCK * M) {
      float v[M];
      for (int j = 0; j < M; j++) {
        v[j] = x[batch_idx * in_features + i + j];
      }
      for (int j = 0; j < M; j++) {
        uint8_t w = packed_weights[row_idx * in_features + i + j];
        sum[0] += v[j] * ((w & 3) - 1);
        sum[1] += v[j] * (((w >> 2) & 3) - 1);
        sum[2] += v[j] * (((w >> 4) & 3) - 1);
        sum[3] += v[j] * (((w >> 6) & 3) - 1);
      }
    }
    for (int j = 0; j < 4; j++) {
      sum[j] = simd_sum(sum[j]);
    }
    if (in_offset == 0) {
      float scale = invert_weight_scales ? 1 / weight_scale[0] : weight_scale[0];
      for (int i = 0; i < 4; i++) {
        uint column = row_idx + i * (out_features/4);
        out[batch_idx * out_features + column] = static_cast<T>(sum[i] * scale);
      }
    }
  )";
  row.template_arguments = {{"T", float16},
                            {"invert_weight_scales", true},
                            {"in_features", int(K)},
                            {"out_features", int(N)}};
  row.inputs = {{"x", x}, {"packed_weights", w}, {"weight_scale", scale}};
  row.outputs = {{"out",
                  float16,
                  {1, N},
                  [=](int64_t i) {
                    Real sum = 0;
                    for (int64_t k = 0; k < K; ++k)
                      sum += at(x, k) *
                             (Real(bits_at(w, i % (N / 4) * K + k) >> 2 * (i / (N / 4)) & 3) - 1);
                    return sum / to_half(0.75L);  // 1 / scale is a half here
                  },
                  1.5,
                  1e-5}};
  row.grid = {32, N / 4, 1};
  row.threadgroup = {32, 4, 1};
  return row;
}

// Affine 4-bit weights, groups of 64: one simdgroup a row.
Row int4_gemv(Dtype type) {
  constexpr int64_t N = 24, K = 512, kGroup = 64;
  std::vector<uint64_t> packed;
  for (int64_t i = 0; i < N * K / 8; ++i)
    packed.push_back(static_cast<uint64_t>(i + 1) * 2654435761u & 0xffffffffu);
  const Array w = make_array_of_bits(uint32, packed).reshaped({N, K / 8}),
              x = random_array({K}, type, 81);
  const Array scales = random_array({N, K / kGroup}, type, 82, 0.01L, 0.05L),
              biases = random_array({N, K / kGroup}, type, 83, -0.4L, 0);
  Row row{.name = "int4_gemv_" + std::string(dtype_name(type))};
  row.body = R"(
    uint row = thread_position_in_grid.y;
    uint lane = thread_index_in_simdgroup;
    if (row >= uint(w_shape[0])) return;
    const device uint32_t* words = w + row * (K / 8);
    const device T* s = scales + row * (K / GROUP);
    const device T* b = biases + row * (K / GROUP);
    float acc = 0;
    for (int i = lane; i < K / 8; i += 32) {
      uint32_t word = words[i];
      float dot = 0, total = 0;
      #pragma unroll
      for (int j = 0; j < 8; ++j) {
        float v = static_cast<float>(x[8 * i + j]);
        dot += v * float((word >> (4 * j)) & 0xf);
        total += v;
      }
      int group = 8 * i / GROUP;
      acc += float(s[group]) * dot + float(b[group]) * total;
    }
    acc = simd_sum(acc);
    if (lane == 0) y[row] = T(acc);
  )";
  row.template_arguments = {{"T", type}, {"K", int(K)}, {"GROUP", int(kGroup)}};
  row.inputs = {{"x", x}, {"w", w}, {"scales", scales}, {"biases", biases}};
  row.outputs = {{"y",
                  type,
                  {N},
                  [=](int64_t n) {
                    Real sum = 0;
                    for (int64_t k = 0; k < K; ++k) {
                      const Real code = Real(bits_at(w, (n * K + k) / 8) >> 4 * (k % 8) & 15);
                      sum += at(x, k) * (code * at(scales, (n * K + k) / kGroup) +
                                         at(biases, (n * K + k) / kGroup));
                    }
                    return sum;
                  },
                  1,
                  1e-5}};
  row.grid = {32, N + 2, 1};
  row.threadgroup = {32, 4, 1};
  return row;
}

std::vector<Row> rows() {
  return {ternary_gemv(), int4_gemv(float32), int4_gemv(float16), int4_gemv(bfloat16)};
}
SPRUE_MATRIX(MatvecKernels, rows)

}  // namespace
}  // namespace sprue::language
