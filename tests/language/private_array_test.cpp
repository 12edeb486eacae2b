// Register arrays in kernels without barriers, where threads run as one vectorised loop: each
// thread must keep its own, also where the index is known only at run time and the array stays in
// memory.
#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr int64_t kThreads = 1024;

std::vector<Real> digits() {
  std::vector<Real> values;
  for (int64_t i = 0; i < kThreads; ++i) values.push_back(Real(i * 7919 % 8));
  return values;
}
int64_t digit(int64_t i) { return i * 7919 % 8; }

Row row(const std::string& name, const std::string& body,
        const std::function<Real(int64_t)>& expected, const std::string& header = "",
        Size3 grid = {kThreads, 1, 1}, Size3 group = {256, 1, 1}) {
  return {.name = name,
          .body =
              "uint i = thread_position_in_grid.x + 32 * thread_position_in_grid.y; int d = "
              "data[i];\n" +
              body,
          .header = header,
          .inputs = {{"data", make_array(int32, digits())}},
          .outputs = {{"y", float32, {kThreads}, expected}},
          .grid = grid,
          .threadgroup = group};
}

std::vector<Row> rows() {
  const std::string fill = "float v[8]; for (int k = 0; k < 8; ++k) v[k] = i * 10 + k;\n";
  const auto by_thread = [](int64_t i) { return Real(i * 10 + i % 8); };
  const auto by_data = [](int64_t i) { return Real(i * 10 + digit(i)); };
  return {
      row("static_index", fill + "y[i] = v[0] + v[7];", [](int64_t i) { return Real(i * 20 + 7); }),
      row("index_by_thread", fill + "y[i] = v[i % 8];", by_thread),
      row("index_by_data", fill + "y[i] = v[d];", by_data),
      row("initialised_index_by_data", "float v[4] = {1.0f + i, 2, 3, 4}; y[i] = v[d & 3];",
          [](int64_t i) {
            const int64_t k = digit(i) & 3;
            return k ? Real(k + 1) : Real(1 + i);
          }),
      row("written_by_data",
          "float v[8] = {}; v[d] = i; v[(d + 1) & 7] += 0.5f; float s = 0; for (int k = 0; k < 8; "
          "++k) s += v[k] * (k + 1); y[i] = s;",
          [](int64_t i) { return i * (digit(i) + 1) + 0.5L * ((digit(i) + 1) % 8 + 1); }),
      row("written_in_a_loop",
          "float v[8]; for (int k = 0; k < 8; ++k) v[(k + d) & 7] = k * 100 + i; y[i] = v[3];",
          [](int64_t i) { return Real((3 - digit(i) + 8) % 8 * 100 + i); }),
      row("loop_bound_by_data",
          fill + "float s = 0; for (int k = 0; k <= d; ++k) s += v[k]; y[i] = s;",
          [](int64_t i) {
            const int64_t d = digit(i);
            return Real((d + 1) * i * 10 + d * (d + 1) / 2);
          }),
      row("two_arrays",
          fill + "float w[8]; for (int k = 0; k < 8; ++k) w[k] = v[7 - k] + d; y[i] = w[d] + v[(d "
                 "+ 3) & 7];",
          [](int64_t i) {
            const int64_t d = digit(i);
            return Real(i * 20 + 7 - d + d + (d + 3) % 8);
          }),
      row("half_array", "half v[8]; for (int k = 0; k < 8; ++k) v[k] = half(d + k); y[i] = v[d];",
          [](int64_t i) { return Real(2 * digit(i)); }),
      row("bfloat_array",
          "bfloat v[8]; for (int k = 0; k < 8; ++k) v[k] = bfloat(d + k); y[i] = v[i % 8];",
          [](int64_t i) { return Real(digit(i) + i % 8); }),
      row("byte_array",
          "uchar v[16]; for (int k = 0; k < 16; ++k) v[k] = uchar(i + k); y[i] = v[d + 5];",
          [](int64_t i) { return Real((i + digit(i) + 5) % 256); }),
      row("two_dimensions",
          "int v[4][4]; for (int a = 0; a < 4; ++a) for (int b = 0; b < 4; ++b) v[a][b] = i + 10 * "
          "a + b; y[i] = v[d & 3][(d >> 1) & 3];",
          [](int64_t i) { return Real(i + 10 * (digit(i) & 3) + (digit(i) >> 1 & 3)); }),
      row("sort",
          "int v[8]; for (int k = 0; k < 8; ++k) v[k] = (k * 5 + d * 3) % 8;\n"
          "for (int a = 0; a < 8; ++a) for (int b = 0; b + 1 < 8 - a; ++b) if (v[b] > v[b + 1]) { "
          "int t = v[b]; v[b] = v[b + 1]; v[b + 1] = t; }\n"
          "int s = 0; for (int k = 0; k < 8; ++k) s = s * 8 + v[k]; y[i] = s == 342391 ? i : -1;",
          [](int64_t i) { return Real(i); }),
      row("histogram",
          "int count[8] = {0}; for (int k = 0; k < 40; ++k) count[(k * k + d) & 7]++; y[i] = "
          "count[i & 7] * 10 + count[d];",
          [](int64_t i) {
            int64_t count[8] = {};
            for (int64_t k = 0; k < 40; ++k) count[(k * k + digit(i)) & 7]++;
            return Real(count[i & 7] * 10 + count[digit(i)]);
          }),
      row(
          "struct_by_address",
          "State s; s.total = i; s.parts[d & 3] = 5; advance(&s, d); advance(&s, 1); y[i] = "
          "s.total + s.parts[1];",
          [](int64_t i) {
            Real parts[4] = {};
            Real total = i;
            parts[digit(i) & 3] = 5;
            for (int64_t n : {digit(i), int64_t{1}}) {
              total += n;
              parts[n & 3] += total;
            }
            return total + parts[1];
          },
          "struct State { float total; float parts[4] = {0, 0, 0, 0}; };\n"
          "void advance(thread State* s, int n) { s->total += n; s->parts[n & 3] += s->total; }"),
      row("pointer_chosen_by_data",
          "float a = i, b = -1.0f * i; thread float* p = d & 1 ? &a : &b; *p += 1; y[i] = a * 2 + "
          "b;",
          [](int64_t i) { return digit(i) & 1 ? Real(2 * i + 2 - i) : Real(2 * i - i + 1); }),
      row("array_of_pointers",
          "float a = i, b = d; thread float* p[2] = {&a, &b}; *p[d & 1] = 3; y[i] = a + 2 * b;",
          [](int64_t i) { return digit(i) & 1 ? Real(i + 6) : Real(3 + 2 * digit(i)); }),
      row("helper_with_array", "float v[8]; fill(v, i); y[i] = pick(v, d);", by_data,
          "template <typename T, int N> void fill(thread T (&v)[N], uint i) { for (int k = 0; k < "
          "N; ++k) v[k] = i * 10 + k; }\n"
          "float pick(const thread float* v, int k) { return v[k]; }"),
      row("constant_table", "const float table[8] = {0, 1, 4, 9, 16, 25, 36, 49}; y[i] = table[d];",
          [](int64_t i) { return Real(digit(i) * digit(i)); }),
      row("after_early_return",
          fill + "if (d == 3) { y[i] = -1; return; } v[d] += 1; y[i] = v[d] + v[(d + 1) & 7];",
          [](int64_t i) {
            const int64_t d = digit(i);
            return d == 3 ? -1 : Real(i * 20 + d + (d + 1) % 8 + 1);
          }),
      row("two_dimensional_grid", fill + "y[i] = v[d];", by_data, "", {32, 32, 1}, {8, 8, 1}),
      row("odd_groups", fill + "y[i] = v[d];", by_data, "", {kThreads, 1, 1}, {37, 1, 1}),
      row("large_array",
          "int v[300]; for (int k = 0; k < 300; ++k) v[k] = k * 3 + i; y[i] = v[(d * 37 + i) % "
          "300];",
          [](int64_t i) { return Real((digit(i) * 37 + i) % 300 * 3 + i); }),
      row(
          "swap_through_references",
          "float a[2] = {1.0f * i, 2.0f * d}; if (d & 1) swap_them(a[0], a[1]); y[i] = a[0] * 4 + "
          "a[d & 1];",
          [](int64_t i) {
            const Real d = digit(i);
            return digit(i) & 1 ? 8 * d + i : Real(4 * i + i);
          },
          "void swap_them(thread float& a, thread float& b) { float t = a; a = b; b = t; }"),
  };
}
SPRUE_MATRIX(PrivateArrays, rows)

}  // namespace
}  // namespace sprue::language
