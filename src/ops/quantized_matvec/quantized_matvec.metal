// y[n] = sum over k of x[k] * w[n, k] for affine integers of BITS bits in groups of GROUP_SIZE.
//
// A simdgroup owns ROWS neighbouring rows: x is read and widened once for all of them. A lane takes every
// 32nd word of each row, so that a simdgroup reads 128 neighbouring bytes at a time. Each position within
// a word has a sum of its own, which leaves the additions of a word independent of each other.
//
//   w       uint32 [N, K * BITS / 32]; element i of a word stands in its bits BITS * i and up
//   scales, biases  [N, K / GROUP_SIZE];   x  [K];   y  T [N]
//   grid (32, ceil(N / ROWS), 1), threadgroup (32, any, 1)
constexpr int ROWS = 4;
constexpr int PER_WORD = 32 / BITS;
constexpr int WORDS_PER_GROUP = GROUP_SIZE / PER_WORD;
constexpr uint MASK = (1u << BITS) - 1u;

const int rows = w_shape[0];
const int words = w_shape[1];
const int groups = scales_shape[1];
const int lane = int(thread_index_in_simdgroup);
const int first = int(thread_position_in_grid.y) * ROWS;
if (first >= rows) return;

float sums[ROWS][PER_WORD];
for (int r = 0; r < ROWS; ++r) {
  for (int i = 0; i < PER_WORD; ++i) sums[r][i] = 0.0f;
}
for (int j = lane; j < words; j += 32) {
  float values[PER_WORD];
  for (int i = 0; i < PER_WORD; ++i) values[i] = float(x[j * PER_WORD + i]);
  for (int r = 0; r < ROWS; ++r) {
    // Rows past the last repeat it, and aren't stored.
    const size_t row = size_t(min(first + r, rows - 1));
    const size_t group = row * size_t(groups) + size_t(j / WORDS_PER_GROUP);
    const uint word = w[row * size_t(words) + size_t(j)];
    const float scale = float(scales[group]);
    const float bias = float(biases[group]);
    for (int i = 0; i < PER_WORD; ++i) {
      const float q = float((word >> (BITS * i)) & MASK);
      sums[r][i] = fma(values[i], fma(scale, q, bias), sums[r][i]);
    }
  }
}
for (int r = 0; r < ROWS; ++r) {
  float total = 0.0f;
  for (int i = 0; i < PER_WORD; ++i) total += sums[r][i];
  total = simd_sum(total);
  if (lane == 0 && first + r < rows) y[first + r] = static_cast<T>(total);
}
