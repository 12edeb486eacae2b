// Values that move between lanes: by every distance and mask, and of a type that has two parts.
#include <fmt/format.h>

#include <bit>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

// Every distance and mask, also senseless ones, in a loop.
Row distances(const std::string& group, int64_t width) {
  struct Function {
    std::string call;
    Real (*expected)(const Lanes&, int64_t lane, int64_t width, int64_t distance);
    int64_t width;
  };
  std::vector<Function> functions = {{"shuffle_xor(v, d)", moved_by_xor, width},
                                     {"shuffle_up(v, d)", moved_up, width},
                                     {"shuffle_down(v, d)", moved_down, width},
                                     {"shuffle_rotate_up(v, d)", rotated_up, width},
                                     {"shuffle_rotate_down(v, d)", rotated_down, width}};
  for (int64_t piece = 2; piece <= width; piece *= 2) {
    functions.push_back(
        {fmt::format("shuffle_and_fill_up(v, v + 1000, d, {})", piece), filled_from_below, piece});
    functions.push_back({fmt::format("shuffle_and_fill_down(v, v + 1000, d, {})", piece),
                         filled_from_above, piece});
  }
  const int64_t threads = 45, count = width + 3;  // 32 lanes and 13
  const auto calls = [](int64_t i) { return i % 5 != 3; };
  Row row{.name = group};
  row.kernel = "distances_of_" + group;
  row.body = fmt::format(
      "uint i = thread_position_in_grid.x; int v = 100 + i;\n"
      "for (ushort d = 0; d < {}; ++d) {{\n if (i % 5 == 3) continue;\n",
      count);
  for (size_t k = 0; k < functions.size(); ++k)
    row.body += fmt::format(" y[({} * {} + d) * {} + i] = {}_{};\n", k, count, threads, group,
                            functions[k].call);
  row.body += "}\n";
  row.outputs = {
      {"y", int32, {static_cast<int64_t>(functions.size()), count, threads}, [=](int64_t index) {
         const int64_t i = index % threads, d = index / threads % count;
         const Function& function = functions[static_cast<size_t>(index / threads / count)];
         if (!calls(i)) return Real(77);
         Lanes lanes{.type = int32};
         for (int64_t k = i / 32 * 32; k < std::min(threads, i / 32 * 32 + 32); ++k) {
           lanes.v[static_cast<size_t>(k % 32)] = Real(100 + k);
           lanes.w[static_cast<size_t>(k % 32)] = Real(1100 + k);
           if (calls(k)) lanes.active |= 1u << k % 32;
         }
         return function.expected(lanes, i % 32, function.width, d);
       }}};
  row.outputs[0].element_text = [=](int64_t index) {
    return fmt::format("{}, d = {}", functions[static_cast<size_t>(index / threads / count)].call,
                       index / threads % count);
  };
  row.grid = {threads, 1, 1};
  row.threadgroup = {threads, 1, 1};
  return row;
}

std::vector<Row> distance_rows() { return {distances("simd", 32), distances("quad", 4)}; }
SPRUE_MATRIX(MoveDistances, distance_rows)

// complex64_t moves as one value.
std::vector<Row> complex_rows() {
  Row row{.name = "moves"};
  row.kernel = "moves_of_complex64";
  row.body =
      "uint i = thread_position_in_grid.x, n = threads_per_grid.x;\n"
      "complex64_t v(float(i) + 0.5f, -float(i)), w(7, float(i)), r[6];\n"
      "if (i % 3 == 1) return;\n"
      "r[0] = simd_shuffle(v, i % 7); r[1] = simd_shuffle_xor(v, 9); r[2] = simd_shuffle_down(v, "
      "2);\n"
      "r[3] = simd_shuffle_and_fill_up(v, w, 2); r[4] = simd_broadcast_first(v); r[5] = "
      "quad_shuffle_up(v, 1);\n"
      "for (uint k = 0; k < 6; ++k) { re[k * n + i] = r[k].real; im[k * n + i] = r[k].imag; }";
  const auto expected = [](int64_t index, bool real) {
    const int64_t i = index % 64, k = index / 64;
    if (i % 3 == 1) return Real(77);
    Lanes lanes;
    for (int64_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      const auto lane = static_cast<size_t>(j % 32);
      lanes.v[lane] = real ? Real(j) + 0.5L : -Real(j);
      lanes.w[lane] = real ? Real(7) : Real(j);
      if (j % 3 != 1) lanes.active |= 1u << lane;
    }
    const int64_t lane = i % 32, by_index = i % 7;
    switch (k) {
      case 0:
        return lanes.v[static_cast<size_t>(lanes.is_active(by_index) ? by_index : lane)];
      case 1:
        return moved_by_xor(lanes, lane, 32, 9);
      case 2:
        return moved_down(lanes, lane, 32, 2);
      case 3:
        return filled_from_below(lanes, lane, 32, 2);
      case 4:
        return lanes.v[static_cast<size_t>(std::countr_zero(lanes.active))];
      default:
        return moved_up(lanes, lane, 4, 1);
    }
  };
  row.outputs = {{"re", float32, {6, 64}, [=](int64_t index) { return expected(index, true); }},
                 {"im", float32, {6, 64}, [=](int64_t index) { return expected(index, false); }}};
  row.grid = {64, 1, 1};
  row.threadgroup = {64, 1, 1};
  return {row};
}
SPRUE_MATRIX(CollectiveComplex, complex_rows)

}  // namespace
}  // namespace sprue::language
