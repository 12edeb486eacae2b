// Threadgroup memory and barriers.
#include <fmt/format.h>

#include "language/matrix.h"

namespace sprue::language {
namespace {

// Exact in any order of addition: small integers.
Real item(int64_t i) { return Real((i * 7919 + 13) % 101 - 50); }

std::vector<Real> items(int64_t count) {
  std::vector<Real> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(item(i));
  return values;
}

Real sum_of(int64_t first, int64_t last) {
  Real sum = 0;
  for (int64_t i = first; i < last; ++i) sum += item(i);
  return sum;
}

// Any group size: the upper half, rounded up, is folded on the lower one.
constexpr const char* kTreeBody = R"(
  uint t = thread_position_in_threadgroup.x;
  uint n = threads_per_threadgroup.x;
  threadgroup float s[1024];
  s[t] = x[thread_position_in_grid.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (n > 1) {
    uint h = (n + 1) / 2;
    if (t + h < n) s[t] += s[t + h];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    n = h;
  }
  if (t == 0) y[threadgroup_position_in_grid.x] = s[0];
)";

// `threads` in groups of `group`, the last one smaller where it doesn't divide.
Row tree(int64_t threads, int64_t group) {
  return {.name = fmt::format("tree_of_{}_in_{}", threads, group),
          .body = kTreeBody,
          .inputs = {{"x", make_array(float32, items(threads))}},
          .outputs = {{"y",
                       float32,
                       {(threads + group - 1) / group},
                       [=](int64_t k) {
                         return sum_of(k * group, std::min(threads, (k + 1) * group));
                       }}},
          .grid = {threads, 1, 1},
          .threadgroup = {group, 1, 1},
          .kernel = "tree"};
}

// Inputs of fewer than 8 elements live in another address space; so all of these rows share one
// kernel.
std::vector<Row> tree_rows() {
  std::vector<Row> rows;
  for (int64_t group : {1,   2,   3,   4,   7,   8,   16,  31,  32,  33,   63,   64,  65,
                        100, 128, 255, 256, 257, 511, 512, 513, 768, 1000, 1023, 1024})
    for (int64_t threads : {group * 3, group * 2 + (group + 1) / 2, group})
      if (threads >= 8) rows.push_back(tree(threads, group));
  return rows;
}
SPRUE_MATRIX(TreeReduction, tree_rows)

Row row(const std::string& name, const std::string& body,
        const std::function<Real(int64_t)>& expected, const std::string& header = "",
        int64_t threads = 256, int64_t group = 64) {
  return {.name = name,
          .body =
              "uint i = thread_position_in_grid.x; uint t = thread_position_in_threadgroup.x;\n"
              "uint g = threadgroup_position_in_grid.x; uint n = threads_per_threadgroup.x;\n" +
              body,
          .header = header,
          .inputs = {{"x", make_array(float32, items(threads))}},
          .outputs = {{"y", float32, {threads}, expected}},
          .grid = {threads, 1, 1},
          .threadgroup = {group, 1, 1}};
}

const std::string kBarrier = "threadgroup_barrier(mem_flags::mem_threadgroup);\n";

std::vector<Row> storage_rows() {
  const auto mirrored = [](int64_t i) { return item(i / 64 * 64 + 63 - i % 64); };
  return {
      row("one_array", "threadgroup float s[64]; s[t] = x[i];\n" + kBarrier + "y[i] = s[63 - t];",
          mirrored),
      row("half_array",
          "threadgroup half s[64]; s[t] = half(x[i]);\n" + kBarrier + "y[i] = s[63 - t];",
          mirrored),
      row("bfloat_array",
          "threadgroup bfloat s[64]; s[t] = bfloat(x[i]);\n" + kBarrier + "y[i] = s[63 - t];",
          mirrored),
      row("byte_array",
          "threadgroup uchar s[64]; s[t] = uchar(x[i] + 50);\n" + kBarrier +
              "y[i] = float(s[63 - t]) - 50;",
          mirrored),
      row("long_array",
          "threadgroup int64_t s[64]; s[t] = int64_t(x[i]) << 33;\n" + kBarrier +
              "y[i] = s[63 - t] >> 33;",
          mirrored),
      row("two_dimensional_array",
          "threadgroup float s[8][8 + 1]; s[t / 8][t % 8] = x[i];\n" + kBarrier +
              "y[i] = s[t % 8][t / 8];",
          [](int64_t i) { return item(i / 64 * 64 + i % 8 * 8 + i % 64 / 8); }),
      row("several_arrays",
          "threadgroup float a[64], b[64]; threadgroup int c[64]; a[t] = x[i]; b[63 - t] = x[i] * "
          "2; c[t] = t;\n" +
              kBarrier + "y[i] = a[63 - t] + b[t] + c[(t + 1) % 64];",
          [mirrored](int64_t i) { return 3 * mirrored(i) + (i + 1) % 64; }),
      row("scalar_variable",
          "threadgroup float first; if (t == 0) first = x[i];\n" + kBarrier +
              "y[i] = x[i] - first;",
          [](int64_t i) { return item(i) - item(i / 64 * 64); }),
      row("aligned_array",
          "alignas(64) threadgroup float s[65]; threadgroup uchar odd[3]; threadgroup alignas(32) "
          "float q[64];\n"
          "s[t] = x[i]; q[t] = x[i]; if (t < 3) odd[t] = uchar(t);\n" +
              kBarrier +
              "y[i] = s[63 - t] + ((ulong)(&s[0]) % 64 != 0 ? 1000 : 0) + ((ulong)(&q[0]) % 32 != "
              "0 ? 2000 : 0) + q[63 - t] + odd[2] - 2;",
          [mirrored](int64_t i) { return 2 * mirrored(i); }),
      row("template_sizes",
          "threadgroup float s[N * 2]; s[t] = x[i];\n" + kBarrier + "y[i] = s[63 - t];", mirrored),
      row("template_type",
          "threadgroup T s[64]; s[t] = T(x[i]);\n" + kBarrier + "y[i] = s[63 - t];", mirrored),
      row(
          "array_of_structs",
          "threadgroup Pair s[64]; s[t].a = x[i]; s[t].b = t;\n" + kBarrier +
              "y[i] = s[63 - t].a + s[t ^ 1].b;",
          [mirrored](int64_t i) { return mirrored(i) + (i % 64 ^ 1); },
          "struct Pair { float a; int b; };"),
      row("pointer_local",
          "threadgroup float s[64]; threadgroup float* p = s + t; *p = x[i];\n" + kBarrier +
              "const threadgroup float* q = &s[63]; y[i] = q[-int(t)];",
          mirrored),
      row("helper_with_pointer",
          "threadgroup float s[64]; put(s, t, x[i]);\n" + kBarrier + "y[i] = get(s, 63 - t);",
          mirrored,
          "void put(threadgroup float* s, uint t, float v) { s[t] = v; }\nfloat get(const "
          "threadgroup float* s, uint t) { return s[t]; }"),
      row("helper_with_barrier", "threadgroup float s[64]; y[i] = mirror(s, t, x[i]);", mirrored,
          "float mirror(threadgroup float* s, uint t, float v) {\n  s[t] = v;\n  "
          "threadgroup_barrier(mem_flags::mem_threadgroup);\n  return s[63 - t]; }"),
      row(
          "helper_called_twice",
          "threadgroup float s[64]; float a = mirror(s, t, x[i]); float b = mirror(s, t, a + 1); "
          "y[i] = b;",
          [](int64_t i) { return item(i) + 1; },
          "float mirror(threadgroup float* s, uint t, float v) {\n  s[t] = v; "
          "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
          "  float r = s[63 - t]; threadgroup_barrier(mem_flags::mem_threadgroup); return r; }"),
      row("template_helper", "threadgroup float s[64]; y[i] = mirror<float, 64>(s, t, x[i]);",
          mirrored,
          "template <typename T, int N> T mirror(threadgroup T* s, uint t, T v) {\n"
          "  s[t] = v; threadgroup_barrier(mem_flags::mem_threadgroup); return s[N - 1 - t]; }"),
      row("reference_to_array", "threadgroup float s[64]; y[i] = mirror(s, t, x[i]);", mirrored,
          "template <int N> float mirror(threadgroup float (&s)[N], uint t, float v) {\n"
          "  s[t] = v; threadgroup_barrier(mem_flags::mem_threadgroup); return s[N - 1 - t]; }"),
      row(
          "reused_by_groups",
          "threadgroup int count[1]; if (t == 0) count[0] = 0;\n" + kBarrier +
              "if (t == n - 1) count[0] += int(g) + 1;\n" + kBarrier + "y[i] = count[0];",
          [](int64_t i) { return i / 64 + 1; }, "", 1024, 64),
      row("declared_in_a_block",
          "float r; if (n > 1) { threadgroup float s[64]; s[t] = x[i];\n" + kBarrier +
              "r = s[63 - t]; } y[i] = r;",
          mirrored),
      row("device_memory_barrier",
          "y[i] = x[i] * 2; threadgroup_barrier(mem_flags::mem_device); float v = y[i ^ "
          "1];\nthreadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup); y[i] = v;",
          [](int64_t i) { return 2 * item(i ^ 1); }),
      row("no_memory_barrier", "y[i] = x[i]; threadgroup_barrier(mem_flags::mem_none); y[i] += 1;",
          [](int64_t i) { return item(i) + 1; }),
      row("prefix_scan",
          "threadgroup float s[64]; s[t] = x[i];\n" + kBarrier +
              "for (uint d = 1; d < n; d *= 2) { float v = t >= d ? s[t - d] : 0; "
              "threadgroup_barrier(mem_flags::mem_threadgroup); s[t] += v; "
              "threadgroup_barrier(mem_flags::mem_threadgroup); }\ny[i] = s[t];",
          [](int64_t i) { return sum_of(i / 64 * 64, i + 1); }),
      row(
          "scratch_of_one_thread",
          "threadgroup float s[8]; for (int k = 0; k < 8; ++k) s[k] = x[i] + k; float r = 0; for "
          "(int k = 0; k < 8; ++k) r += s[(k + i) & 7]; y[i] = r;",
          [](int64_t i) { return 8 * item(i) + 28; }, "", 64, 1),
      row("own_slot_without_barrier",
          "threadgroup float s[64][4]; for (int k = 0; k < 4; ++k) s[t][k] = x[i] * k; y[i] = "
          "s[t][i & 3];",
          [](int64_t i) { return item(i) * (i & 3); }),
  };
}
std::vector<Row> storage_rows_with_template() {
  std::vector<Row> rows = storage_rows();
  for (Row& r : rows)
    if (r.name == "template_sizes")
      r.template_arguments = {{"N", 32}};
    else if (r.name == "template_type")
      r.template_arguments = {{"T", bfloat16}};
  return rows;
}
SPRUE_MATRIX(ThreadgroupStorage, storage_rows_with_template)

// Control flow around barriers.
std::vector<Row> flow_rows() {
  return {
      row("barrier_in_a_loop",
          "threadgroup float s[64]; float v = x[i];\nfor (int k = 0; k < 5; ++k) { s[t] = v;\n" +
              kBarrier + "v = s[(t + 1) % n] + 1;\n" + kBarrier + "}\ny[i] = v;",
          [](int64_t i) { return item(i / 64 * 64 + (i + 5) % 64) + 5; }),
      row("barrier_in_nested_loops",
          "threadgroup float s[64]; float v = x[i];\nfor (int a = 0; a < 3; ++a) for (int b = 0; b "
          "<= a; ++b) { s[t] = v;\n" +
              kBarrier + "v = s[t ^ 1];\n" + kBarrier + "}\ny[i] = v;",
          [](int64_t i) { return item(i); }),
      row("uniform_break",
          "threadgroup int stop; int k = 0;\nfor (;; ++k) { if (t == 0) stop = k == int(g) + 2;\n" +
              kBarrier + "if (stop) break;\n" + kBarrier + "}\ny[i] = k;",
          [](int64_t i) { return i / 64 + 2; }),
      row("uniform_branches",
          "threadgroup float s[64]; s[t] = x[i];\nif (g % 2 == 0) {\n" + kBarrier +
              "y[i] = s[63 - t];\n} else {\n" + kBarrier + "y[i] = s[t ^ 1];\n}",
          [](int64_t i) {
            return i / 64 % 2 == 0 ? item(i / 64 * 64 + 63 - i % 64) : item(i ^ 1);
          }),
      // Exited threads don't hold the others up.
      row("half_returns_early",
          "threadgroup float s[64]; s[t] = x[i];\nif (t >= n / 2) { y[i] = -1; return; }\n" +
              kBarrier + "y[i] = s[n / 2 - 1 - t];",
          [](int64_t i) { return i % 64 >= 32 ? -1 : item(i / 64 * 64 + 31 - i % 64); }),
      row("odd_threads_return_early",
          "threadgroup float s[64];\nif (t & 1) { y[i] = -1; return; }\ns[t] = x[i];\n" + kBarrier +
              "y[i] = s[62 - t];\n" + kBarrier + "s[t] = y[i] + 1;\n" + kBarrier +
              "y[i] = s[t ^ 2];",
          [](int64_t i) { return i & 1 ? -1 : item(i / 64 * 64 + 62 - (i % 64 ^ 2)) + 1; }),
      row("threads_leave_one_by_one",
          "threadgroup int alive[64]; alive[t] = 1;\n" + kBarrier +
              "for (uint k = 0; k < n; ++k) {\n  if (t == k) { int sum = 0; for (uint m = 0; m < "
              "n; ++m) sum += alive[m]; y[i] = sum; alive[t] = 0; return; }\n" +
              kBarrier + "}",
          [](int64_t i) { return 64 - i % 64; }),
      row("values_live_across_barriers",
          "float a[6]; for (int k = 0; k < 6; ++k) a[k] = x[i] + k;\n" + kBarrier +
              "int d = int(t) % 6; a[d] += 100;\n" + kBarrier +
              "float r = 0; for (int k = 0; k < 6; ++k) r += a[(k + d) % 6] * (k + 1);\n" +
              kBarrier + "y[i] = r;",
          [](int64_t i) {
            Real a[6], r = 0;
            for (int k = 0; k < 6; ++k) a[k] = item(i) + k;
            const int64_t d = i % 64 % 6;
            a[d] += 100;
            for (int64_t k = 0; k < 6; ++k) r += a[(k + d) % 6] * Real(k + 1);
            return r;
          }),
      row(
          "edge_group",
          "threadgroup float s[64]; s[t] = x[i];\n" + kBarrier + "y[i] = s[n - 1 - t] + 1000 * n;",
          [](int64_t i) {
            const int64_t first = i / 64 * 64, size = std::min<int64_t>(64, 200 - first);
            return item(first + size - 1 - i % 64) + 1000 * size;
          },
          "", 200, 64),
      row("pointer_parameter_across_barrier",
          "threadgroup float s[64]; x += i; y += i; s[t] = *x;\n" + kBarrier +
              "y[0] = s[63 - t] + x[0];",
          [](int64_t i) { return item(i / 64 * 64 + 63 - i % 64) + item(i); }),
  };
}
SPRUE_MATRIX(BarrierFlow, flow_rows)

}  // namespace
}  // namespace sprue::language
