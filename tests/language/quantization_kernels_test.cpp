// Whole kernels in the style of those that people run: vectors turned, then stored in few bits, where
// the threads of a group share the words that they pack.
#include <cmath>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

// A row of integers is turned by a Walsh-Hadamard transform over each simdgroup, scaled by a power of
// two, and its codes of BITS bits are packed one behind the other, across words. Exact throughout.
Row pack_codes(int64_t D, int bits) {
  constexpr int64_t R = 5;
  const int64_t words = (D * bits + 31) / 32;
  std::vector<Real> values;
  for (int64_t i = 0; i < R * D; ++i) values.push_back(Real(i * i * 31 % 23) - 11);
  const Array x = make_array(float32, values).reshaped({R, D});
  Row row{.name = "pack_" + std::to_string(D) + "_by_" + std::to_string(bits)};
  row.kernel = "pack_codes";
  row.body = R"(
    threadgroup uint words[WORDS];
    threadgroup atomic_int counts[2];
    const uint d = thread_position_in_threadgroup.x, row = threadgroup_position_in_grid.y;
    if (d < uint(WORDS)) words[d] = 0;
    if (d < 2) atomic_store_explicit(&counts[d], 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);

    float value = x[row * threads_per_grid.x + d];
    for (ushort step = 1; step < 32; step <<= 1) {
      const float other = simd_shuffle_xor(value, step);
      value = (d & step) ? other - value : value + other;
    }
    constexpr int kLevels = 1 << BITS;
    const int level = int(metal::floor(value / 32)) + kLevels / 2;
    const uint code = uint(metal::clamp(level, 0, kLevels - 1));
    if (code != uint(level))
      atomic_fetch_add_explicit(&counts[level < 0 ? 0 : 1], 1, memory_order_relaxed);

    threadgroup atomic_uint* packed = (threadgroup atomic_uint*)words;
    const uint first = d * BITS, word = first / 32, shift = first % 32;
    atomic_fetch_or_explicit(&packed[word], code << shift, memory_order_relaxed);
    const int rest = int(shift + BITS) - 32;
    if (rest > 0)
      atomic_fetch_or_explicit(&packed[word + 1], code >> (BITS - rest), memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (d < uint(WORDS)) y[row * WORDS + d] = words[d];
    if (d < 2) clipped[2 * row + d] = atomic_load_explicit(&counts[d], memory_order_relaxed);
  )";
  row.template_arguments = {{"BITS", bits}, {"WORDS", static_cast<int>(words)}};
  row.inputs = {{"x", x}};
  // Element d of a row of the transform; the last simdgroup is full too.
  const auto level = [=](int64_t r, int64_t d) {
    Real sum = 0;
    for (int64_t k = 0; k < 32; ++k)
      sum += at(x, r * D + d / 32 * 32 + k) *
             (__builtin_popcountll(static_cast<uint64_t>(k & d % 32)) % 2 ? -1 : 1);
    return static_cast<int64_t>(std::floor(sum / 32)) + (int64_t{1} << bits) / 2;
  };
  const int64_t top = (int64_t{1} << bits) - 1;
  row.outputs = {{"y",
                  uint32,
                  {R, words},
                  [=](int64_t i) {
                    uint32_t word = 0;
                    for (int64_t bit = i % words * 32; bit < i % words * 32 + 32; ++bit)
                      if (bit < D * bits) {
                        const int64_t code =
                            std::clamp<int64_t>(level(i / words, bit / bits), 0, top);
                        word |= static_cast<uint32_t>(code >> bit % bits & 1) << bit % 32;
                      }
                    return Real(word);
                  }},
                 {"clipped", int32, {R, 2}, [=](int64_t i) {
                    Real count = 0;
                    for (int64_t d = 0; d < D; ++d)
                      count += i % 2 ? level(i / 2, d) > top : level(i / 2, d) < 0;
                    return count;
                  }}};
  row.grid = {D, R, 1};
  row.threadgroup = {D, 1, 1};
  return row;
}

// Pairs of columns turned by angles, several rounds of pairs one after the other over a shared tile,
// with a scale of each channel first.
Row paired_rotation(Dtype type, int64_t rows) {
  constexpr int64_t D = 64, kRounds = 3, kTile = 4;
  const Array x = random_array({rows, D}, type, 501),
              scales = random_array({D}, type, 502, 0.5L, 2);
  const Array angles = random_array({kRounds, D / 2}, float32, 503, -3, 3);
  std::vector<Real> pairs;  // round k pairs column c with the one k + 1 steps of 1, 2, 4 away
  for (int64_t k = 0; k < kRounds; ++k)
    for (int64_t c = 0; c < D; ++c)
      if ((c >> k & 1) == 0) pairs.insert(pairs.end(), {Real(c), Real(c + (int64_t{1} << k))});
  Row row{.name = "rotation_" + std::string(dtype_name(type)) + "_" + std::to_string(rows)};
  row.kernel = "paired_rotation";
  row.header = R"(
    template <typename T>
    inline void turn(threadgroup T& a, threadgroup T& b, float c, float s) {
      const float first = a, second = b;
      a = T(first * c - second * s);
      b = T(second * c + first * s);
    }
  )";
  row.body = R"(
    threadgroup float tile[TILE][D];
    const int t = thread_position_in_threadgroup.x;
    const int first = threadgroup_position_in_grid.y * TILE;
    const int count = metal::min(TILE, x_shape[0] - first);
    for (int r = 0; r < count; ++r)
      for (int half_index = 0; half_index < 2; ++half_index) {
        const int d = t + half_index * (D / 2);
        tile[r][d] = float(x[(first + r) * D + d]) * float(scales[d]);
      }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int round = 0; round < ROUNDS; ++round) {
      const ushort2 pair = ((const device ushort2*)pairs)[round * (D / 2) + t];
      float c;
      const float s = metal::sincos(angles[round * (D / 2) + t], c);
      #pragma unroll
      for (int r = 0; r < TILE; ++r)
        if (r < count) turn(tile[r][pair.x], tile[r][pair.y], c, s);
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    for (int r = 0; r < count; ++r)
      for (int d = t; d < D; d += D / 2) y[(first + r) * D + d] = static_cast<T>(tile[r][d]);
  )";
  row.template_arguments = {{"T", type},
                            {"D", static_cast<int>(D)},
                            {"TILE", static_cast<int>(kTile)},
                            {"ROUNDS", static_cast<int>(kRounds)}};
  row.inputs = {
      {"x", x}, {"scales", scales}, {"angles", angles}, {"pairs", make_array(uint16, pairs)}};
  const auto turned = std::make_shared<std::vector<Real>>();
  for (int64_t i = 0; i < rows * D; ++i) turned->push_back(at(x, i) * at(scales, i % D));
  for (int64_t k = 0; k < kRounds; ++k)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t p = 0; p < D / 2; ++p) {
        const auto pair = static_cast<size_t>(2 * (k * D / 2 + p));
        Real& a = (*turned)[static_cast<size_t>(r * D) + static_cast<size_t>(pairs[pair])];
        Real& b = (*turned)[static_cast<size_t>(r * D) + static_cast<size_t>(pairs[pair + 1])];
        const Real angle = at(angles, k * D / 2 + p), first = a, second = b;
        a = first * std::cos(angle) - second * std::sin(angle);
        b = second * std::cos(angle) + first * std::sin(angle);
      }
  row.outputs = {
      {"y",
       type,
       {rows, D},
       [turned](int64_t i) { return (*turned)[static_cast<size_t>(i)]; },
       1,
       // Values below 2 sqrt(8); in each round sine and cosine by 4 ulp and three roundings.
       kRounds * 7 * 6 * 0x1p-24}};
  row.grid = {D / 2, (rows + kTile - 1) / kTile, 1};
  row.threadgroup = {D / 2, 1, 1};
  return row;
}

std::vector<Row> rows() {
  return {pack_codes(128, 3),          pack_codes(96, 5),           pack_codes(32, 2),
          paired_rotation(float32, 7), paired_rotation(float16, 4), paired_rotation(bfloat16, 1)};
}
SPRUE_MATRIX(QuantizationKernels, rows)

}  // namespace
}  // namespace sprue::language
