// Whole kernels in the style of those that people run: images sampled between their pixels, there and
// back, and the choice of a token under a mask of bits; against long double.
#include <cmath>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

// Images [B, H, W, C], and points [B, P, 2] in [-1, 1] and beyond. No point lies within a tenth of a
// pixel's border, where the derivative jumps.
struct Images {
  int64_t B = 2, H = 6, W = 9, C, P = 19;
  std::vector<Real> u, v;  // of a point, in pixels
  Array points;

  explicit Images(int64_t channels) : C(channels), points(Array::empty({2, 19, 2}, float32)) {
    const std::vector<Real> part = uniform(4 * B * P, 0, 1, 17, float64);
    std::vector<Real> coordinates;
    for (int64_t k = 0; k < B * P; ++k) {
      const auto place = [&](int64_t offset, int64_t extent) {
        const auto first = static_cast<size_t>(4 * k + offset);
        const Real pixel = std::floor(part[first] * static_cast<Real>(extent + 2)) - 1.5L + 0.1L +
                           0.8L * part[first + 1] + 0.5L;
        return to_float((2 * pixel + 1) / static_cast<Real>(extent) - 1);
      };
      coordinates.push_back(place(0, W));
      coordinates.push_back(place(2, H));
      u.push_back(((coordinates[static_cast<size_t>(2 * k)] + 1) * Real(W) - 1) / 2);
      v.push_back(((coordinates[static_cast<size_t>(2 * k + 1)] + 1) * Real(H) - 1) / 2);
    }
    points = make_array(float32, coordinates).reshaped({B, P, 2});
  }

  struct Corner {
    int64_t pixel;  // of all images; -1: outside
    Real weight, by_u, by_v;
  };
  Corner corner(int64_t point, int k) const {
    const Real pu = u[static_cast<size_t>(point)], pv = v[static_cast<size_t>(point)];
    const auto x = static_cast<int64_t>(std::floor(pu)) + k % 2,
               y = static_cast<int64_t>(std::floor(pv)) + k / 2;
    const Real wu = 1 - std::fabs(pu - Real(x)), wv = 1 - std::fabs(pv - Real(y));
    const bool inside = x >= 0 && y >= 0 && x < W && y < H;
    return {inside ? (point / P * H + y) * W + x : -1, wu * wv, k % 2 ? wv : -wv, k / 2 ? wu : -wu};
  }
  // A float's place is off by a few roundings of numbers up to the image's extent.
  double place_error() const { return 4 * static_cast<double>(W + 1) * 0x1p-24; }
};

constexpr char kCorners[] = R"(
    struct Corners {
      int x, y;
      float right, below;
      float weight(int k) const {
        return (k & 1 ? right : 1 - right) * (k >> 1 ? below : 1 - below);
      }
    };
    Corners corners_of(const device float* point, int width, int height) {
      float u = ((point[0] + 1) * width - 1) / 2, v = ((point[1] + 1) * height - 1) / 2;
      Corners corners;
      corners.x = int(metal::floor(u));
      corners.y = int(metal::floor(v));
      corners.right = u - corners.x;
      corners.below = v - corners.y;
      return corners;
    }
    bool pixel_of(thread const Corners& corners, int k, int width, int height, thread int& pixel) {
      int px = corners.x + (k & 1), py = corners.y + (k >> 1);
      pixel = py * width + px;
      return px >= 0 && py >= 0 && px < width && py < height;
    }
)";

Row bilinear(Dtype type) {
  const auto images = std::make_shared<Images>(5);
  const auto [B, H, W, C, P] = std::tuple(images->B, images->H, images->W, images->C, images->P);
  // The image arrives with its rows upside down, so that it has to be copied.
  const Array flipped = random_array({B, H, W, C}, type, 111), x = flipped.flipped(1);
  Row row{.name = "bilinear_" + std::string(dtype_name(type))};
  row.header = kCorners;
  row.body = R"(
    uint element = thread_position_in_grid.x;
    const int height = x_shape[1], width = x_shape[2], channels = x_shape[3];
    uint point = element / channels;
    uint image = point / points_shape[1];
    const device T* pixels = x + image * height * width * channels + element % channels;
    Corners corners = corners_of(points + 2 * point, width, height);
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      int pixel;
      if (!pixel_of(corners, k, width, height, pixel)) continue;
      sum += corners.weight(k) * pixels[pixel * channels];
    }
    y[element] = static_cast<T>(sum);
  )";
  row.template_arguments = {{"T", type}};
  row.inputs = {{"x", x}, {"points", images->points}};
  row.outputs = {{"y",
                  type,
                  {B, P, C},
                  [=, H = H, W = W, C = C](int64_t i) {
                    Real sum = 0;
                    for (int k = 0; k < 4; ++k) {
                      const Images::Corner corner = images->corner(i / C, k);
                      if (corner.pixel < 0) continue;
                      const int64_t line = corner.pixel / W;
                      const int64_t turned = line / H * H + H - 1 - line % H;
                      sum +=
                          corner.weight * at(flipped, (turned * W + corner.pixel % W) * C + i % C);
                    }
                    return sum;
                  },
                  1,
                  // Weights are off as the place is; four products and sums of at most 1 each.
                  4 * images->place_error() + 8 * 0x1p-24}};
  row.grid = {B * P * C, 1, 1};
  row.threadgroup = {64, 1, 1};
  return row;
}

// What a loss's derivative by the samples makes of those by the pixels and by the points. A point has
// its channels in simdgroups, the last one not full.
Row bilinear_back() {
  const auto images = std::make_shared<Images>(40);
  const auto [B, H, W, C, P] = std::tuple(images->B, images->H, images->W, images->C, images->P);
  const Array x = random_array({B, H, W, C}, float32, 112),
              slope = random_array({B, P, C}, float32, 113);
  Row row{.name = "bilinear_back"};
  row.atomic_outputs = true;
  row.init_value = 0;
  row.header = kCorners;
  row.body = R"(
    const int height = x_shape[1], width = x_shape[2], channels = x_shape[3];
    uint channel = thread_position_in_grid.x, point = thread_position_in_grid.y;
    uint first_pixel = point / points_shape[1] * height * width;
    Corners corners = corners_of(points + 2 * point, width, height);
    float by_u = 0, by_v = 0;
    if (int(channel) < channels) {
      float s = slope[point * channels + channel];
      for (int k = 0; k < 4; ++k) {
        int pixel;
        if (!pixel_of(corners, k, width, height, pixel)) continue;
        uint place = (first_pixel + pixel) * channels + channel;
        atomic_fetch_add_explicit(&x_slope[place], corners.weight(k) * s, memory_order_relaxed);
        float value = x[place] * s;
        by_u += value * (k >> 1 ? corners.below : 1 - corners.below) * (k & 1 ? 1 : -1);
        by_v += value * (k & 1 ? corners.right : 1 - corners.right) * (k >> 1 ? 1 : -1);
      }
    }
    by_u = simd_sum(by_u);
    by_v = simd_sum(by_v);
    if (thread_index_in_simdgroup == 0) {
      atomic_fetch_add_explicit(&points_slope[2 * point], by_u * width / 2, memory_order_relaxed);
      atomic_fetch_add_explicit(&points_slope[2 * point + 1], by_v * height / 2,
                                memory_order_relaxed);
    }
  )";
  row.inputs = {{"x", x}, {"points", images->points}, {"slope", slope}};
  const auto terms = static_cast<double>(4 * C);
  row.outputs = {
      {"x_slope",
       float32,
       {B, H, W, C},
       [=, C = C, P = P, B = B](int64_t i) {
         Real sum = 0;
         for (int64_t point = 0; point < B * P; ++point)
           for (int k = 0; k < 4; ++k)
             if (const auto corner = images->corner(point, k); corner.pixel == i / C)
               sum += corner.weight * at(slope, point * C + i % C);
         return sum;
       },
       2,
       // At most P points in a pixel, of at most 1 each.
       static_cast<double>(P) * (images->place_error() + static_cast<double>(P) * 0x1p-24)},
      {"points_slope",
       float32,
       {B, P, 2},
       [=, C = C, W = W, H = H](int64_t i) {
         Real sum = 0;
         for (int k = 0; k < 4; ++k) {
           const Images::Corner corner = images->corner(i / 2, k);
           if (corner.pixel < 0) continue;
           for (int64_t c = 0; c < C; ++c)
             sum += (i % 2 ? corner.by_v : corner.by_u) * at(x, corner.pixel * C + c) *
                    at(slope, i / 2 * C + c);
         }
         return sum * Real(i % 2 ? H : W) / 2;
       },
       2,
       terms * (images->place_error() + 12 * 0x1p-24) * static_cast<double>(W) / 2}};
  row.grid = {64, B * P, 1};
  row.threadgroup = {64, 2, 1};
  return row;
}

// The best token of each row among those whose bit is set; of equals the first. A row without any has
// no token.
Row masked_choice(Dtype type, int64_t V) {
  constexpr int64_t R = 3;
  const int64_t words = (V + 31) / 32;
  // Few distinct values, so that there are equals.
  std::vector<Real> values;
  for (int64_t i = 0; i < R * V; ++i) values.push_back(Real(i * 7919 % 29) / 4 - 3);
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < R * words; ++i)
    bits.push_back(
        i / words == 2 ? 0 : static_cast<uint64_t>(i + 3) * 0x9e3779b97f4aull >> 8 & 0x5dbbeeddu);
  const Array logits = make_array(type, values).reshaped({R, V});
  Row row{.name = "masked_choice_" + std::string(dtype_name(type)) + "_" + std::to_string(V)};
  row.kernel = "masked_choice";
  row.body = R"(
    constexpr int kNone = -1;
    threadgroup float best[8];
    threadgroup int where[8];
    const uint row = threadgroup_position_in_grid.y, thread_id = thread_index_in_threadgroup;
    const uint lane = thread_index_in_simdgroup, simdgroup = simdgroup_index_in_threadgroup;
    const int vocabulary = logits_shape[1];
    const device T* values = logits + row * vocabulary;
    T top = -metal::numeric_limits<T>::infinity();
    int choice = kNone;
    for (int k = thread_id; k < vocabulary; k += threads_per_threadgroup.x) {
      uint word = as_type<uint>(mask[row * mask_shape[1] + k / 32]);
      T value = (word >> (k % 32)) & 1 ? values[k] : -metal::numeric_limits<T>::infinity();
      masked[row * vocabulary + k] = value;
      if (value > top) { top = value; choice = k; }
    }
    float group_top = simd_max(float(top));
    int candidate = float(top) == group_top && choice != kNone ? choice : INT_MAX;
    candidate = simd_min(candidate);
    if (lane == 0) { best[simdgroup] = group_top; where[simdgroup] = candidate; }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread_id != 0) return;
    for (uint k = 1; k < simdgroups_per_threadgroup; ++k)
      if (best[k] > best[0] || (best[k] == best[0] && where[k] < where[0])) {
        best[0] = best[k];
        where[0] = where[k];
      }
    token[row] = where[0] == INT_MAX ? kNone : where[0];
  )";
  row.template_arguments = {{"T", type}};
  // The words arrive as floats, whose bits they are.
  row.inputs = {{"logits", logits},
                {"mask", make_array_of_bits(float32, bits).reshaped({R, words})}};
  const auto masked = [=](int64_t i) -> Real {
    const bool kept = bits[static_cast<size_t>(i / V * words + i % V / 32)] >> (i % V % 32) & 1;
    return kept ? at(logits, i) : -INFINITY;
  };
  row.outputs = {{"masked", type, {R, V}, masked},
                 {"token", int32, {R}, [=](int64_t r) {
                    int64_t best = -1;
                    for (int64_t k = 0; k < V; ++k)
                      if (masked(r * V + k) > (best < 0 ? -INFINITY : masked(r * V + best)))
                        best = k;
                    return Real(best);
                  }}};
  row.grid = {100, R, 1};  // the last simdgroup has four lanes
  row.threadgroup = {100, 1, 1};
  return row;
}

std::vector<Row> rows() {
  return {bilinear(float32),           bilinear(float16),          bilinear_back(),
          masked_choice(float32, 77),  masked_choice(float16, 77), masked_choice(bfloat16, 77),
          masked_choice(float16, 1000)};
}
SPRUE_MATRIX(SamplingKernels, rows)

}  // namespace
}  // namespace sprue::language
