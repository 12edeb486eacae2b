// Whole kernels in the style of those that people run: one result a thread, against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

Row rotary_embedding() {
  constexpr int64_t S = 7, H = 3, D = 16;
  const Array q = random_array({S, H, D}, bfloat16, 71), k = random_array({S, H, D}, bfloat16, 72);
  const Array positions = make_array(int32, {0, 1, 2, 5, 9, 100, 1000});
  Row row{.name = "rotary_embedding"};
  row.body = R"(
    uint3 p = thread_position_in_grid;  // pair, head, position
    constexpr int kHalf = D / 2;
    float angle = positions[p.z] * metal::exp2(-float(p.x) * log2_base / kHalf);
    float c = metal::cos(angle), s = metal::sin(angle);
    uint at = (p.z * q_shape[1] + p.y) * D + p.x;
    float q0 = q[at], q1 = q[at + kHalf], k0 = k[at], k1 = k[at + kHalf];
    q_out[at] = T(q0 * c - q1 * s);
    q_out[at + kHalf] = T(q1 * c + q0 * s);
    k_out[at] = T(k0 * c - k1 * s);
    k_out[at + kHalf] = T(k1 * c + k0 * s);
  )";
  row.template_arguments = {{"T", bfloat16}, {"D", int(D)}};
  row.inputs = {
      {"q", q}, {"k", k}, {"positions", positions}, {"log2_base", Array(std::log2(10000.0f))}};
  const auto rotated = [=](const Array& x) {
    return [=](int64_t i) {
      const int64_t pair = i % (D / 2), other = i % D < D / 2 ? i + D / 2 : i - D / 2;
      const Real angle = at(positions, i / (H * D)) * std::pow(10000.0L, -Real(pair) / (D / 2));
      return at(x, i) * std::cos(angle) + (i % D < D / 2 ? -1 : 1) * at(x, other) * std::sin(angle);
    };
  };
  // The angle is a float: at position 1000 it is off by up to 1e-4.
  row.outputs = {{"q_out", bfloat16, {S, H, D}, rotated(q), 1, 3e-4},
                 {"k_out", bfloat16, {S, H, D}, rotated(k), 1, 3e-4}};
  row.grid = {D / 2, H, S};
  row.threadgroup = {4, 2, 8};
  return row;
}

Row token_mask(Dtype type) {
  constexpr int64_t R = 2, V = 77;
  const Array logits = random_array({R, V}, type, 91, -4, 4);
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < R * 3; ++i) words.push_back((i + 3) * 0x9e3779b9u & 0xffffffffu);
  const Array mask = make_array_of_bits(int32, words).reshaped({R, 3});
  Row row{.name = "token_mask_" + std::string(dtype_name(type))};
  row.body = R"(
    uint batch = thread_position_in_grid.y;
    uint elem = thread_position_in_grid.x;
    if (elem >= uint(inp_shape[1])) return;
    uint word_idx = elem / 32;
    uint bit_idx = elem % 32;
    auto word = mask[batch * mask_shape[1] + word_idx];
    bool bit = (word >> bit_idx) & 1;
    T neg_inf = static_cast<T>(-INFINITY);
    out[batch * inp_shape[1] + elem] = bit ? inp[batch * inp_shape[1] + elem] : neg_inf;
  )";
  row.template_arguments = {{"T", type}};
  row.inputs = {{"inp", logits}, {"mask", mask}};
  row.outputs = {{"out", type, {R, V}, [=](int64_t i) {
                    const bool kept = bits_at(mask, i / V * 3 + i % V / 32) >> (i % V % 32) & 1;
                    return kept ? at(logits, i) : -INFINITY;
                  }}};
  row.grid = {96, R, 1};
  row.threadgroup = {64, 1, 1};
  return row;
}

// Image [B, H, W, C] sampled at the pixel nearest to each point of a grid [B, GH, GW, 2] in [-1,
// 1].
Row grid_sample() {
  constexpr int64_t B = 2, H = 6, W = 5, C = 3, GH = 4, GW = 7;
  const Array x = random_array({B, H, W, C}, float32, 101),
              grid = random_array({B, GH, GW, 2}, float32, 102, -1.3L, 1.3L);
  Row row{.name = "grid_sample_nearest"};
  row.body = R"(
    uint elem = thread_position_in_grid.x;
    int H = x_shape[1];
    int W = x_shape[2];
    int C = x_shape[3];
    int gH = grid_shape[1];
    int gW = grid_shape[2];
    int w_stride = C;
    int h_stride = W * w_stride;
    int b_stride = H * h_stride;
    uint grid_idx = elem / C * 2;
    float ix = ((grid[grid_idx] + 1) * W - 1) / 2;
    float iy = ((grid[grid_idx + 1] + 1) * H - 1) / 2;
    int px = static_cast<int>(metal::rint(ix));
    int py = static_cast<int>(metal::rint(iy));
    int batch_idx = elem / C / gH / gW * b_stride;
    auto inside = [&](int h, int w) { return h >= 0 && h < H && w >= 0 && w < W; };
    out[elem] = inside(py, px) ? x[batch_idx + py * h_stride + px * w_stride + elem % C] : T(0);
  )";
  row.template_arguments = {{"T", float32}};
  row.inputs = {{"x", x}, {"grid", grid}};
  row.outputs = {
      {"out", float32, {B, GH, GW, C}, [=](int64_t i) -> Real {
         const int64_t point = i / C;
         const auto pixel = [&](int64_t axis, int64_t extent) {
           const Real scaled =
               to_float(to_float(to_float(at(grid, 2 * point + axis) + 1) * Real(extent)) - 1) / 2;
           return static_cast<int64_t>(std::nearbyint(scaled));
         };
         const int64_t px = pixel(0, W), py = pixel(1, H);
         if (px < 0 || px >= W || py < 0 || py >= H) return 0;
         return at(x, ((point / (GH * GW) * H + py) * W + px) * C + i % C);
       }}};
  row.grid = {B * GH * GW * C, 1, 1};
  row.threadgroup = {256, 1, 1};
  return row;
}

std::vector<Row> rows() {
  return {rotary_embedding(), token_mask(float32), token_mask(float16), token_mask(bfloat16),
          grid_sample()};
}
SPRUE_MATRIX(ElementwiseKernels, rows)

}  // namespace
}  // namespace sprue::language
