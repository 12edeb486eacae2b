// Shuffles, votes and running sums in control flow, in groups of every shape, and in whole kernels of the
// kind that is published.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

Row row(const std::string& name, const std::string& body,
        const std::function<Real(int64_t)>& expected, const std::string& header = "") {
  return {.name = name,
          .body =
              "uint i = thread_position_in_grid.x, lane = thread_index_in_simdgroup; int v = 10 * "
              "int(i) + 3;\n" +
              body,
          .header = header,
          .outputs = {{"y", int32, {128}, expected}},
          .grid = {128, 1, 1},
          .threadgroup = {64, 1, 1}};
}
Real value(int64_t i) { return Real(10 * i + 3); }
int64_t first_of(int64_t i) { return i / 32 * 32; }

std::vector<Row> flow_rows() {
  return {
      // A collective of one kind in one branch, of another in the other.
      row(
          "shuffle_or_vote",
          "if (lane % 2) y[i] = simd_shuffle_down(v, 2); else y[i] = popcount_of(uint(simd_vote::"
          "vote_t(simd_ballot(lane > 9))));",
          [](int64_t i) {
            if (i % 2 == 0) return Real(11);
            return value(i % 32 < 30 ? i + 2 : i);
          },
          "inline int popcount_of(uint bits) { int n = 0; for (; bits; bits &= bits - 1) ++n; "
          "return "
          "n; }"),
      row("sum_or_scan_or_quad",
          "if (lane < 7) y[i] = simd_prefix_exclusive_sum(v); else if (lane < 18) y[i] = "
          "quad_sum(v); else y[i] = simd_max(v);",
          [](int64_t i) {
            const int64_t lane = i % 32;
            Real sum = 0;
            if (lane < 7)
              for (int64_t k = first_of(i); k < i; ++k) sum += value(k);
            else if (lane < 18)
              for (int64_t k = i / 4 * 4; k < i / 4 * 4 + 4; ++k)
                sum += k % 32 >= 7 && k % 32 < 18 ? value(k) : 0;
            else
              sum = value(first_of(i) + 31);
            return sum;
          }),
      row("one_result_is_the_others_index",
          "uint at = simd_shuffle_xor(lane, 5); y[i] = simd_shuffle(v, simd_broadcast_first(at) + "
          "(lane & 1));",
          [](int64_t i) { return value(first_of(i) + 5 + i % 2); }),
      // Lane l leaves after l % 5 turns; the others still see each other.
      row("loops_of_different_length",
          "int s = 0; for (uint k = 0; k < lane % 5; ++k) s += simd_shuffle_rotate_up(v, 1) + "
          "1000 * int(simd_is_first()); y[i] = s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t k = 0; k < i % 32 % 5; ++k) {
              const int64_t lane = i % 32, source = (lane + 31) % 32;
              const auto in = [k](int64_t l) { return k < l % 5; };
              s += value(first_of(i) + (in(source) ? source : lane));
              int64_t first = 0;
              while (!in(first)) ++first;
              s += first == lane ? 1000 : 0;
            }
            return s;
          }),
      row("until_no_one_is_left",
          "uint left = lane % 6; int turns = 0; while (simd_any(left != 0)) { ++turns; if (left != "
          "0) "
          "--left; } y[i] = turns;",
          [](int64_t) { return 5; }),
      row("one_after_the_other",
          "int order = -1; for (int k = 0;; ++k) { if (simd_is_first()) { order = k; break; } } "
          "y[i] = "
          "order;",
          [](int64_t i) { return Real(i % 32); }),
      row("distinct_values",  // a loop over the distinct values of a simdgroup
          "uint key = i * 7 % 5; int turns = 0; bool done = false; while (!done) { uint now = "
          "simd_broadcast_first(key); ++turns; done = key == now; if (done) y[i] = 100 * turns + "
          "int(uint(simd_vote::vote_t(simd_active_threads_mask())) != 0); }",
          [](int64_t i) {
            const auto key = [](int64_t t) { return t * 7 % 5; };
            std::vector<int64_t> seen;
            for (int64_t k = first_of(i);; ++k) {
              if (std::find(seen.begin(), seen.end(), key(k)) == seen.end()) seen.push_back(key(k));
              if (seen.back() == key(i)) return Real(100 * static_cast<int64_t>(seen.size()) + 1);
            }
          }),
      row("returned_lanes",
          "if (lane > 20 || lane == 4) { y[i] = -1; return; } y[i] = simd_shuffle_up(v, 1) + "
          "quad_broadcast(v, 0) + simd_all(true) + simd_active_threads_mask().all();",
          [](int64_t i) {
            const int64_t lane = i % 32;
            const auto in = [](int64_t l) { return l >= 0 && l <= 20 && l != 4; };
            if (!in(lane)) return Real(-1);
            const int64_t corner = lane / 4 * 4;
            return value(in(lane - 1) ? i - 1 : i) + value(in(corner) ? i - lane + corner : i) + 1;
          }),
      row(
          "in_helpers_and_lambdas",
          "auto turn = [&](int a) { return simd_shuffle_xor(a, 1); }; y[i] = neighbours(turn(v)) - "
          "neighbours(v);",
          [](int64_t i) {
            const auto neighbours = [](int64_t at, int64_t flip) {
              const int64_t lane = at % 32;
              return value((lane > 0 ? at - 1 : at) ^ flip) +
                     value((lane < 31 ? at + 1 : at) ^ flip);
            };
            return neighbours(i, 1) - neighbours(i, 0);
          },
          "template <typename T> T neighbours(T v) { return simd_shuffle_up(v, 1) + "
          "simd_shuffle_down(v, 1); }"),
      row("wide_values_in_branches",
          "long w = long(v) << 32 | i; if (lane % 3 == 0) w = simd_shuffle_rotate_down(w, 3); else "
          "w "
          "= simd_broadcast_first(w); y[i] = int(w >> 32) + int(w & 0xffff);",
          [](int64_t i) {
            const int64_t lane = i % 32;
            const int64_t from = lane % 3 != 0              ? first_of(i) + 1
                                 : (lane + 3) % 32 % 3 == 0 ? first_of(i) + (lane + 3) % 32
                                                            : i;
            return value(from) + Real(from);
          }),
  };
}
SPRUE_MATRIX(CollectivesInFlow, flow_rows)

// A thread's lane is its linear index in the group as it is.
std::vector<Row> shape_rows() {
  std::vector<Row> rows;
  struct Case {
    Size3 grid, group;
  };
  for (const Case& c : {Case{{77, 1, 1}, {40, 1, 1}}, Case{{13, 9, 1}, {8, 8, 1}},
                        Case{{5, 7, 6}, {4, 4, 4}}, Case{{3, 3, 50}, {2, 3, 20}}}) {
    const Size3 grid = c.grid, group = c.group;
    Row r{.name = fmt::format("grid_{}_{}_{}", grid.x, grid.y, grid.z), .kernel = "shapes"};
    r.body =
        "uint3 p = thread_position_in_grid; int i = (p.z * threads_per_grid.y + p.y) * "
        "threads_per_grid.x + p.x;\n"
        "y[i] = simd_shuffle_down(i, 1); z[i] = simd_broadcast_first(i); q[i] = "
        "quad_shuffle_xor(i, "
        "1);\n"
        "b[i] = simd_vote::vote_t(simd_active_threads_mask()); a[i] = "
        "simd_active_threads_mask().all();";
    // The thread at lane `at` of the simdgroup, or i.
    const auto thread = [=](int64_t i, int64_t at) -> Real {
      const auto threads = simdgroup_of(grid, group, i).threads;
      return Real(at < std::ssize(threads) ? threads[static_cast<size_t>(at)] : i);
    };
    const auto lane = [=](int64_t i) { return simdgroup_of(grid, group, i).lane; };
    const Shape shape{grid.x * grid.y * grid.z};
    r.outputs = {{"y", int32, shape, [=](int64_t i) { return thread(i, lane(i) + 1); }},
                 {"z", int32, shape, [=](int64_t i) { return thread(i, 0); }},
                 {"q", int32, shape, [=](int64_t i) { return thread(i, lane(i) ^ 1); }},
                 {"b", uint32, shape,
                  [=](int64_t i) {
                    const auto count = simdgroup_of(grid, group, i).threads.size();
                    return Real((uint64_t{1} << count) - 1);
                  }},
                 {"a", bool_, shape, [](int64_t) { return 1; }}};
    r.grid = grid;
    r.threadgroup = group;
    rows.push_back(r);
  }
  return rows;
}
SPRUE_MATRIX(CollectiveShapes, shape_rows)

std::vector<Row> kernel_rows() {
  std::vector<Row> rows;
  // Softmax of rows, one simdgroup a row: maximum and sum by butterflies of shuffles.
  constexpr int64_t kRows = 6, kColumns = 100;
  const std::vector<Real> logits = uniform(kRows * kColumns, -8, 8, 41);
  rows.push_back(
      {.name = "butterfly_softmax",
       .body =
           "uint lane = thread_index_in_simdgroup; uint row = threadgroup_position_in_grid.x * 2 + "
           "simdgroup_index_in_threadgroup;\n"
           "const device float* in = x + row * COLUMNS; float top = -INFINITY, total = 0;\n"
           "for (uint c = lane; c < uint(COLUMNS); c += 32) top = max(top, in[c]);\n"
           "for (ushort step = 16; step > 0; step /= 2) top = max(top, simd_shuffle_xor(top, "
           "step));\n"
           "for (uint c = lane; c < uint(COLUMNS); c += 32) total += exp(in[c] - top);\n"
           "for (ushort step = 16; step > 0; step /= 2) total += simd_shuffle_xor(total, step);\n"
           "for (uint c = lane; c < uint(COLUMNS); c += 32) y[row * COLUMNS + c] = exp(in[c] - "
           "top) / "
           "total;",
       .template_arguments = {{"COLUMNS", static_cast<int>(kColumns)}},
       .inputs = {{"x", make_array(float32, logits)}},
       .outputs = {{"y",
                    float32,
                    {kRows, kColumns},
                    [=](int64_t i) {
                      const auto begin = static_cast<size_t>(i / kColumns * kColumns);
                      Real top = -INFINITY, total = 0;
                      for (size_t c = 0; c < kColumns; ++c) top = std::max(top, logits[begin + c]);
                      for (size_t c = 0; c < kColumns; ++c)
                        total += std::exp(logits[begin + c] - top);
                      return std::exp(logits[static_cast<size_t>(i)] - top) / total;
                    },
                    16}},
       .grid = {kRows / 2 * 64, 1, 1},
       .threadgroup = {64, 1, 1}});
  // The positive numbers, packed in order: a running sum over a group by two levels of simdgroups.
  constexpr int64_t kCount = 1000;
  std::vector<Real> numbers;
  for (int64_t i = 0; i < kCount; ++i) numbers.push_back(Real(i * 7919 % 201 - 100));
  std::vector<Real> positive;
  for (Real number : numbers)
    if (number > 0) positive.push_back(number);
  rows.push_back(
      {.name = "compaction",
       .body = "uint t = thread_index_in_threadgroup, lane = thread_index_in_simdgroup, sg = "
               "simdgroup_index_in_threadgroup;\n"
               "threadgroup uint sums[32]; uint base = 0;\n"
               "for (uint begin = 0; begin < uint(COUNT); begin += threads_per_threadgroup.x) {\n"
               "  uint k = begin + t; bool keep = k < uint(COUNT) && x[k] > 0;\n"
               "  uint before = simd_prefix_exclusive_sum(uint(keep));\n"
               "  if (lane == 31) sums[sg] = before + keep;\n"
               "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
               "  if (sg == 0) { uint s = lane < simdgroups_per_threadgroup ? sums[lane] : 0; "
               "sums[lane] = "
               "simd_prefix_inclusive_sum(s); }\n"
               "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
               "  if (keep) y[base + (sg > 0 ? sums[sg - 1] : 0) + before] = x[k];\n"
               "  base += sums[simdgroups_per_threadgroup - 1];\n"
               "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
               "}\n"
               "if (t == 0) count[0] = base;",
       .template_arguments = {{"COUNT", static_cast<int>(kCount)}},
       .inputs = {{"x", make_array(int32, numbers)}},
       .outputs = {{"y",
                    int32,
                    {kCount},
                    [positive](int64_t i) {
                      const auto k = static_cast<size_t>(i);
                      return k < positive.size() ? positive[k] : 77;
                    }},
                   {"count", uint32, {1}, [positive](int64_t) { return Real(positive.size()); }}},
       .grid = {256, 1, 1},
       .threadgroup = {256, 1, 1}});
  // Keys ranked by digit, each among its equals, by ballots: the heart of a radix sort.
  std::vector<Real> keys;
  for (int64_t i = 0; i < 256; ++i) keys.push_back(Real(i * 2654435761 % 4294967296));
  rows.push_back(
      {.name = "rank_by_ballots",
       .body =
           "uint i = thread_position_in_grid.x, lane = thread_index_in_simdgroup; uint digit = "
           "x[i] & "
           "7;\n"
           "uint peers = ~0u;\n"
           "for (uint bit = 0; bit < 3; ++bit) {\n"
           "  bool set = digit >> bit & 1; uint votes = "
           "uint((simd_vote::vote_t)simd_ballot(set));\n"
           "  peers &= set ? votes : ~votes;\n"
           "}\n"
           "uint below = peers & ((1u << lane) - 1), rank = 0; for (; below; below &= below - 1) "
           "++rank;\n"
           "y[i] = rank;",
       .inputs = {{"x", make_array(uint32, keys)}},
       .outputs = {{"y",
                    uint32,
                    {256},
                    [keys](int64_t i) {
                      const auto digit = [&](int64_t k) {
                        return static_cast<uint64_t>(keys[static_cast<size_t>(k)]) & 7;
                      };
                      Real rank = 0;
                      for (int64_t k = i / 32 * 32; k < i; ++k) rank += digit(k) == digit(i);
                      return rank;
                    }}},
       .grid = {256, 1, 1},
       .threadgroup = {128, 1, 1}});
  return rows;
}
SPRUE_MATRIX(CollectiveKernels, kernel_rows)

}  // namespace
}  // namespace sprue::language
