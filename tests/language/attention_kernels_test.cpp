// Whole kernels in the style of those that people run: one query's attention over a cache of keys, where
// sequences have lengths of their own, heads share keys, and the cache is a view; against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

constexpr char kSoftmax[] = R"(
    // A softmax under way: the largest score yet, and sums of what lies below it.
    template <typename U, int kCount>
    struct Running {
      U top;
      U sum;
      U values[kCount];
    };
    template <typename U, int kCount>
    void begin(thread Running<U, kCount>& running) {
      running.top = -INFINITY;
      running.sum = 0;
      for (int i = 0; i < kCount; ++i) running.values[i] = 0;
    }
    // Takes in a score and its row of values; `lane` says which of them are this lane's.
    template <typename U, int kCount, typename T>
    void take(thread Running<U, kCount>& running, U score, const device T* row, uint lane) {
      const U top = metal::max(running.top, score);
      const U before = metal::fast::exp(running.top - top), now = metal::fast::exp(score - top);
      running.top = top;
      running.sum = running.sum * before + now;
      for (int i = 0; i < kCount; ++i)
        running.values[i] = running.values[i] * before + now * U(row[kCount * lane + i]);
    }
)";

// One group a head and sequence: its simdgroups take the keys in turns and are merged in the end.
Row decode(Dtype type, int64_t D) {
  constexpr int64_t B = 3, H = 4, KV = 2, S = 50;
  const std::vector<Real> lengths = {50, 1, 23};
  // The cache has room for more than it holds, [B, KV, 2 * S, D]: keys and values are every other row.
  const Array cache = random_array({B, KV, 2 * S, D}, type, 401);
  const Array q = random_array({B, H, D}, type, 402, -2, 2);
  const Strides every_other = {KV * 2 * S * D, 2 * S * D, 2 * D, 1};
  Row row{.name = "decode_" + std::string(dtype_name(type)) + "_" + std::to_string(D)};
  row.kernel = "decode_attention";
  row.header = kSoftmax;
  row.body = R"(
    constexpr int kCount = D / 32;
    constexpr int kSimdgroups = 4;
    threadgroup float tops[kSimdgroups], sums[kSimdgroups];
    threadgroup float outs[kSimdgroups][D];
    const uint lane = thread_index_in_simdgroup, simdgroup = simdgroup_index_in_threadgroup;
    const uint head = threadgroup_position_in_grid.y, batch = threadgroup_position_in_grid.z;
    const int length = lengths[batch];
    const uint shared_head = head / (q_shape[1] / keys_shape[1]);
    const device T* query = q + batch * q_strides[0] + head * q_strides[1] + lane * kCount;
    const device T* key = keys + batch * keys_strides[0] + shared_head * keys_strides[1];
    const device T* value = values + batch * values_strides[0] + shared_head * values_strides[1];

    float own[kCount];
    for (int i = 0; i < kCount; ++i) own[i] = scale * float(query[i]);
    Running<float, kCount> running;
    begin(running);
    for (int k = simdgroup; k < length; k += kSimdgroups) {
      float score = 0;
      for (int i = 0; i < kCount; ++i) score += own[i] * key[k * keys_strides[2] + kCount * lane + i];
      take(running, simd_sum(score), value + k * values_strides[2], lane);
    }
    if (lane == 0) {
      tops[simdgroup] = running.top;
      sums[simdgroup] = running.sum;
    }
    for (int i = 0; i < kCount; ++i) outs[simdgroup][kCount * lane + i] = running.values[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const float top = simd_max(lane < kSimdgroups ? tops[lane] : -INFINITY);
    const float factor = lane < kSimdgroups ? metal::fast::exp(tops[lane] - top) : 0;
    const float sum = simd_sum(lane < kSimdgroups ? sums[lane] * factor : 0);
    for (uint d = simdgroup * 32; d < D; d += kSimdgroups * 32) {
      float out = 0;
      for (ushort k = 0; k < kSimdgroups; ++k)
        out += simd_broadcast(factor, k) * outs[k][d + lane];
      y[(batch * q_shape[1] + head) * D + d + lane] = static_cast<T>(out / sum);
    }
  )";
  row.ensure_row_contiguous = false;
  row.template_arguments = {{"T", type}, {"D", static_cast<int>(D)}};
  const Real scale = to_float(1 / std::sqrt(Real(D)));
  row.inputs = {{"q", q},
                {"keys", cache.as_strided({B, KV, S, D}, every_other)},
                {"values", cache.as_strided({B, KV, S, D}, every_other, D)},
                {"lengths", make_array(int32, lengths)},
                {"scale", Array(static_cast<float>(scale))}};
  row.outputs = {
      {"y",
       type,
       {B, H, D},
       [=](int64_t index) {
         const int64_t d = index % D, head = index / D % H, batch = index / D / H;
         const auto cached = [&](int64_t k, int64_t e) {
           return at(cache, ((batch * KV + head / (H / KV)) * 2 * S + k) * D + e);
         };
         Real sum = 0, out = 0;
         for (int64_t k = 0; k < static_cast<int64_t>(lengths[static_cast<size_t>(batch)]); ++k) {
           Real score = 0;
           for (int64_t e = 0; e < D; ++e)
             score += at(q, (batch * H + head) * D + e) * cached(2 * k, e);
           const Real weight = std::exp(score * scale);
           sum += weight;
           out += weight * cached(2 * k + 1, d);
         }
         return out / sum;
       },
       1,
       // Scores are off by D roundings of numbers below 2 sqrt(D), and move weights as much;
       // then 50 sums.
       (2 * static_cast<double>(D) / 4 + 50) * 0x1p-24}};
  row.grid = {32, H * 4, B};
  row.threadgroup = {32, 4, 1};
  return row;
}

// Scores by blocks of queries with a causal mask and a window: a 2-D group, rows of a threadgroup array.
Row windowed_scores(int64_t length, int64_t window) {
  constexpr int64_t D = 24;
  const Array q = random_array({length, D}, float32, 411),
              k = random_array({length, D}, float32, 412);
  Row row{.name = "windowed_scores_" + std::to_string(length)};
  row.kernel = "windowed_scores";
  row.body = R"(
    constexpr int kBlock = 8;
    threadgroup float queries[kBlock][D + 1], keys[kBlock][D + 1];
    const ushort2 local = ushort2(thread_position_in_threadgroup.xy);
    const uint2 place = thread_position_in_grid.xy;
    // An edge group is smaller: whoever is there loads all that it has.
    const ushort2 size = ushort2(threads_per_threadgroup.xy);
    for (ushort d = local.x; d < D; d += size.x) queries[local.y][d] = q[place.y * D + d];
    for (ushort d = local.y; d < D; d += size.y) keys[local.x][d] = k[place.x * D + d];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const bool seen = place.x <= place.y && place.y - place.x < uint(window);
    float score = -INFINITY;
    if (seen) {
      score = 0;
      for (int d = 0; d < D; ++d) score = metal::fma(queries[local.y][d], keys[local.x][d], score);
    }
    scores[place.y * threads_per_grid.x + place.x] = score;
  )";
  row.template_arguments = {{"D", static_cast<int>(D)}};
  row.inputs = {{"q", q}, {"k", k}, {"window", Array(static_cast<int32_t>(window))}};
  row.outputs = {{"scores",
                  float32,
                  {length, length},
                  [=](int64_t i) -> Real {
                    const int64_t m = i / length, n = i % length;
                    if (n > m || m - n >= window) return -INFINITY;
                    Real sum = 0;
                    for (int64_t d = 0; d < D; ++d) sum += at(q, m * D + d) * at(k, n * D + d);
                    return sum;
                  },
                  1,
                  D* D / 4 * 0x1p-24}};
  row.grid = {length, length, 1};
  row.threadgroup = {8, 8, 1};
  return row;
}

std::vector<Row> rows() {
  return {decode(float32, 64),     decode(bfloat16, 64),    decode(float16, 96),
          windowed_scores(37, 10), windowed_scores(8, 100), windowed_scores(3, 100)};
}
SPRUE_MATRIX(AttentionKernels, rows)

}  // namespace
}  // namespace sprue::language
