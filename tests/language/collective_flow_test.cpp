// Collectives and control flow: which lanes meet at a simd_sum in branches, in loops with different
// trip counts, after early returns and in helpers.
#include <algorithm>

#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr int64_t kWidth = 32;

// Small integers: sums are exact, whatever the order.
Real item(int64_t i) { return Real((i * 7919 + 13) % 101 - 50); }

template <typename Condition>
Real sum_where(int64_t i, int64_t threads, int64_t group, const Condition& condition) {
  const int64_t begin = i / group * group, first = begin + (i - begin) / kWidth * kWidth;
  Real sum = 0;
  for (int64_t k = first; k < std::min({first + kWidth, begin + group, threads}); ++k)
    if (condition(k - begin, (k - begin) % kWidth)) sum += item(k);
  return sum;
}

Row row(const std::string& name, const std::string& body,
        const std::function<Real(int64_t)>& expected, const std::string& header = "",
        int64_t threads = 256, int64_t group = 64) {
  std::vector<Real> values;
  for (int64_t i = 0; i < threads; ++i) values.push_back(item(i));
  return {.name = name,
          .body =
              "uint i = thread_position_in_grid.x; uint t = thread_index_in_threadgroup;\n"
              "uint lane = thread_index_in_simdgroup; uint sg = "
              "simdgroup_index_in_threadgroup;\nfloat v = x[i];\n" +
              body,
          .header = header,
          .inputs = {{"x", make_array(float32, values)}},
          .outputs = {{"y", float32, {threads}, expected}},
          .grid = {threads, 1, 1},
          .threadgroup = {group, 1, 1}};
}

Real whole(int64_t i) {
  return sum_where(i, 256, 64, [](int64_t, int64_t) { return true; });
}

std::vector<Row> flow_rows() {
  const std::string barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);\n";
  return {
      row("both_branches", "if (lane < 10) y[i] = simd_sum(v); else y[i] = simd_sum(v) + 1000;",
          [](int64_t i) {
            const bool low = i % 32 < 10;
            return sum_where(i, 256, 64,
                             [=](int64_t, int64_t lane) { return (lane < 10) == low; }) +
                   (low ? 0 : 1000);
          }),
      row("branches_then_all",
          "float a; if (lane % 3 == 0) { a = simd_sum(v); } else { a = simd_max(v); } y[i] = "
          "simd_sum(v) + (a != a);",
          whole),
      row("nested_branches",
          "float a = 0; if (lane < 16) { if (lane & 1) a = simd_sum(v); else a = simd_sum(v) * 2; "
          "a += simd_sum(1.0f); } y[i] = a + simd_sum(1.0f);",
          [](int64_t i) {
            const int64_t l = i % 32;
            if (l >= 16) return Real(32);
            const Real part = sum_where(i, 256, 64, [=](int64_t, int64_t lane) {
              return lane < 16 && (lane & 1) == (l & 1);
            });
            return part * (l & 1 ? 1 : 2) + 16 + 32;
          }),
      row("ternary_branches", "y[i] = lane < 20 ? simd_sum(v) : -simd_sum(v);",
          [](int64_t i) {
            const bool low = i % 32 < 20;
            return sum_where(i, 256, 64,
                             [=](int64_t, int64_t lane) { return (lane < 20) == low; }) *
                   (low ? 1 : -1);
          }),
      row("switch_branches",
          "float a; switch (lane & 3) { case 0: a = simd_sum(v); break; case 1: a = simd_sum(v) + "
          "1; break; default: a = simd_sum(v) + 2; } y[i] = a + 0 * simd_sum(v);",
          [](int64_t i) {
            const int64_t kind = std::min<int64_t>(i & 3, 2);
            return sum_where(i, 256, 64,
                             [=](int64_t, int64_t lane) {
                               return std::min<int64_t>(lane & 3, 2) == kind;
                             }) +
                   Real(kind);
          }),
      row("short_circuit",
          "bool b = lane < 8 && simd_sum(v) > -1e9f; y[i] = simd_sum(b ? 1.0f : 0.0f);",
          [](int64_t) { return 8; }),
      // Lane l runs l + 1 times; iteration k has the lanes above it.
      row("trip_counts_differ",
          "float s = 0; for (uint k = 0; k <= lane; ++k) s += simd_sum(v); y[i] = s;",
          [](int64_t i) {
            Real total = 0;
            for (int64_t k = 0; k <= i % 32; ++k)
              total += sum_where(i, 256, 64, [=](int64_t, int64_t lane) { return lane >= k; });
            return total;
          }),
      row("all_meet_after_a_loop",
          "float s = 0; for (uint k = 0; k <= lane; ++k) s += simd_sum(1.0f); y[i] = simd_sum(v) + "
          "s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t k = 0; k <= i % 32; ++k) s += 32 - k;
            return whole(i) + s;
          }),
      row("all_meet_after_a_while",
          "uint k = lane; float s = 0; while (k > 3) { s += simd_sum(1.0f); k /= 2; } y[i] = "
          "simd_sum(v) + s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t step = 0; (i % 32) >> step > 3; ++step)
              for (int64_t lane = 0; lane < 32; ++lane) s += lane >> step > 3;
            return whole(i) + s;
          }),
      row("all_meet_after_a_do",
          "uint k = lane; float s = 0; do { s += simd_sum(1.0f); } while (k-- > 28); y[i] = "
          "simd_sum(v) + s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t step = 0; step == 0 || i % 32 - step + 1 > 28; ++step)
              for (int64_t lane = 0; lane < 32; ++lane) s += step == 0 || lane - step + 1 > 28;
            return whole(i) + s;
          }),
      row("all_meet_after_a_break",
          "float s = 0; for (int k = 0;; ++k) { if (k == int(lane % 5)) break; s += "
          "simd_sum(1.0f); } y[i] = simd_sum(v) + s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t k = 0; k < i % 32 % 5; ++k)
              for (int64_t lane = 0; lane < 32; ++lane) s += lane % 5 > k;
            return whole(i) + s;
          }),
      row("all_meet_after_continue",
          "float s = 0; for (uint k = 0; k < 6; ++k) { if (k == lane % 6) continue; s += "
          "simd_sum(1.0f); } y[i] = simd_sum(v) + s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t k = 0; k < 6; ++k)
              if (k != i % 32 % 6)
                for (int64_t lane = 0; lane < 32; ++lane) s += lane % 6 != k;
            return whole(i) + s;
          }),
      row("two_loops",
          "float s = 0; for (uint k = 0; k < lane % 4; ++k) s += simd_sum(1.0f); for (uint k = 0; "
          "k < lane % 3; ++k) s += 100 * simd_sum(1.0f); y[i] = s;",
          [](int64_t i) {
            Real s = 0;
            for (int64_t k = 0; k < i % 32 % 4; ++k)
              for (int64_t lane = 0; lane < 32; ++lane) s += lane % 4 > k;
            for (int64_t k = 0; k < i % 32 % 3; ++k)
              for (int64_t lane = 0; lane < 32; ++lane) s += 100 * (lane % 3 > k);
            return s;
          }),
      row("nested_loops",
          "float s = 0; for (uint a = 0; a < lane % 3 + 1; ++a) { for (uint b = 0; b < lane % 2 + "
          "1; ++b) s += simd_sum(1.0f); s += 100 * simd_sum(1.0f); } y[i] = s;",
          [](int64_t i) {
            Real s = 0;
            const int64_t l = i % 32;
            for (int64_t a = 0; a < l % 3 + 1; ++a) {
              for (int64_t b = 0; b < l % 2 + 1; ++b)
                for (int64_t lane = 0; lane < 32; ++lane) s += lane % 3 + 1 > a && lane % 2 + 1 > b;
              for (int64_t lane = 0; lane < 32; ++lane) s += 100 * (lane % 3 + 1 > a);
            }
            return s;
          }),
      row("exited_lanes", "if (lane >= 20 || t == 3) { y[i] = -1; return; } y[i] = simd_sum(v);",
          [](int64_t i) {
            const auto stays = [](int64_t t, int64_t lane) { return lane < 20 && t != 3; };
            return stays(i % 64, i % 32) ? sum_where(i, 256, 64, stays) : -1;
          }),
      row("exit_inside_a_loop",
          "for (uint k = 0; k < 4; ++k) { if (lane % 4 == k) { y[i] = simd_sum(v); return; } }",
          [](int64_t i) {
            return sum_where(i, 256, 64, [=](int64_t, int64_t lane) { return lane % 4 == i % 4; });
          }),
      row("first_simdgroup_only",
          "threadgroup float part[32]; float s = simd_sum(v); if (lane == 0) part[sg] = s;\n" +
              barrier +
              "if (sg == 0) { float p = lane < simdgroups_per_threadgroup ? part[lane] : 0; p = "
              "simd_sum(p); if (lane == 0) part[0] = p; }\n" +
              barrier + "y[i] = part[0];",
          [](int64_t i) { return whole(i / 64 * 64) + whole(i / 64 * 64 + 32); }),
      row(
          "helper_called_twice", "float a = total(v); float b = total(v + 1); y[i] = b * 1000 + a;",
          [](int64_t i) { return (whole(i) + 32) * 1000 + whole(i); },
          "float total(float v) { return simd_sum(v); }"),
      row(
          "helper_in_branches", "if (lane < 4) y[i] = total(v); else y[i] = total(v) + 500;",
          [](int64_t i) {
            const bool low = i % 32 < 4;
            return sum_where(i, 256, 64, [=](int64_t, int64_t lane) { return (lane < 4) == low; }) +
                   (low ? 0 : 500);
          },
          "template <typename T> T total(T v) { return simd_sum(v); }"),
      row(
          "helper_with_barrier",
          "threadgroup float part[32]; float a = group_sum(v, part, lane, sg, "
          "simdgroups_per_threadgroup);\n"
          "float b = group_sum(v * 2, part, lane, sg, simdgroups_per_threadgroup); y[i] = a * 1000 "
          "+ b;",
          [](int64_t i) { return 1002 * (whole(i / 64 * 64) + whole(i / 64 * 64 + 32)); },
          "float group_sum(float v, threadgroup float* part, uint lane, uint sg, uint count) {\n"
          "  v = simd_sum(v); if (lane == 0) part[sg] = v;\n  "
          "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
          "  float s = 0; for (uint k = 0; k < count; ++k) s += part[k];\n  "
          "threadgroup_barrier(mem_flags::mem_threadgroup);\n  return s; }"),
      row("simdgroup_barrier",
          "threadgroup float s[64]; s[t] = v; simdgroup_barrier(mem_flags::mem_threadgroup); y[i] "
          "= s[t ^ 31];",
          [](int64_t i) { return item(i ^ 31); }),
      row("results_chained",
          "float a = simd_sum(v); float b = simd_max(v - a); y[i] = simd_min(b) + simd_sum(1.0f);",
          [](int64_t i) {
            Real top = -1e9L;
            for (int64_t k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) top = std::max(top, item(k));
            return top - whole(i) + 32;
          }),
      row("in_expressions", "y[i] = simd_sum(v) + simd_sum(v * 2) * 3 - simd_max(v);",
          [](int64_t i) {
            Real top = -1e9L;
            for (int64_t k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) top = std::max(top, item(k));
            return 7 * whole(i) - top;
          }),
      row("in_a_lambda",
          "auto total = [&](float a) { return simd_sum(a * v); }; y[i] = total(1) + total(2);",
          [](int64_t i) { return 3 * whole(i); }),
      row("register_array_across",
          "float a[4]; for (int k = 0; k < 4; ++k) a[k] = simd_sum(v * (k + 1)); int d = int(lane) "
          "& 3; y[i] = a[d];",
          [](int64_t i) { return whole(i) * Real((i & 3) + 1); }),
      row(
          "guard_in_a_loop",
          "int n = 0; float s = 0; for (uint k = 0; k < 6; ++k) { Guard g(n); if (k == lane % 6) "
          "continue; s += simd_sum(1.0f); if (k == 4) break; } y[i] = simd_sum(s) + n;",
          [](int64_t) {
            Real total = 0;
            for (int64_t lane = 0; lane < 32; ++lane)
              for (int64_t k = 0; k < 6 && !(k == 5 && lane % 6 != 4); ++k)
                if (k != lane % 6)
                  for (int64_t other = 0; other < 32; ++other)
                    total += other % 6 != k && (k < 5 || other % 6 == 4);
            return total;
          },
          "struct Guard { thread int& n; Guard(thread int& n_) : n(n_) { ++n; } ~Guard() { --n; } "
          "};"),
      row("range_for",
          "float values[4] = {1, 2, 3, 4}; float s = 0; for (float a : values) if (a > float(lane "
          "% 4)) s += simd_sum(a); y[i] = s + simd_sum(1.0f);",
          [](int64_t i) {
            Real s = 32;
            for (int64_t a = 1; a <= 4; ++a)
              if (a > i % 4)
                for (int64_t lane = 0; lane < 32; ++lane) s += a > lane % 4 ? Real(a) : 0;
            return s;
          }),
      row("plain_loops_around",
          "float s = 0; for (int k = int(lane); k < 45; k += 16) s += 1; s = simd_sum(s); float r "
          "= 0; for (int k = int(lane); k < 45; k += 16) r += s; y[i] = r;",
          [](int64_t i) {
            const auto trips = [](int64_t lane) { return (45 - lane + 15) / 16; };
            Real s = 0;
            for (int64_t lane = 0; lane < 32; ++lane) s += Real(trips(lane));
            return s * Real(trips(i % 32));
          }),
      row("in_a_for_header",
          "float s = 0; for (float k = simd_sum(1.0f); k > 0; k -= 16) s += k; y[i] = s;",
          [](int64_t) { return 48; }),
  };
}
SPRUE_MATRIX(CollectiveFlow, flow_rows)

}  // namespace
}  // namespace sprue::language
