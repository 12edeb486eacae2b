// Pointers to threadgroup memory held in arrays and structures, and declarations that few texts have.
#include "language/matrix.h"

namespace sprue::language {
namespace {

const std::string kBarrier = "threadgroup_barrier(mem_flags::mem_threadgroup);\n";

// One row of 32 threads: y[i] is expected(i) for x[i] == i.
Row row(const std::string& name, const std::string& body, Real (*expected)(int64_t),
        const std::string& header = "") {
  std::vector<Real> values;
  for (int i = 0; i < 32; ++i) values.push_back(i);
  return {.name = name,
          .body = "uint i = thread_position_in_grid.x;\n" + body,
          .header = header,
          .inputs = {{"x", make_array(float32, values)}},
          .outputs = {{"y", float32, {32}, expected}},
          .grid = {32, 1, 1},
          .threadgroup = {32, 1, 1}};
}

std::vector<Row> held_pointers() {
  const std::string two = "threadgroup float a[32], b[32];\n";
  const std::string fill = "a[i] = x[i]; b[i] = x[i] + 100;\n";
  return {
      row("double_buffer",
          two +
              "threadgroup float* buffers[2] = {a, b};\nbuffers[0][i] = x[i];\n"
              "for (int step = 0; step < 3; ++step) {\n" +
              kBarrier + "  buffers[(step + 1) % 2][i] = buffers[step % 2][(i + 1) % 32] * 2; }\n" +
              kBarrier + "y[i] = buffers[1][i];",
          [](int64_t i) { return Real((i + 3) % 32 * 8); }),
      // Each thread uses its own elements, so that no wait is needed: the loop mode.
      row("double_buffer_without_waits",
          two + fill + "threadgroup float* const buffers[2] = {a, b};\ny[i] = buffers[i % 2][i];",
          [](int64_t i) { return Real(i % 2 ? i + 100 : i); }),
      row("into_the_arrays",
          two + fill + "const threadgroup float* p[4] = {a + 1, &b[2], nullptr, a};\n" + kBarrier +
              "y[i] = p[0][0] + p[1][i % 8] + p[3][i] + (p[2] ? 1 : 0);",
          [](int64_t i) { return Real(1 + 102 + i % 8 + i); }),
      row(
          "member",
          "threadgroup float s[32]; Tile t{s};\nt.p[i] = x[i];\n" + kBarrier +
              "y[i] = t.p[31 - i];",
          [](int64_t i) { return Real(31 - i); }, "struct Tile { threadgroup float* p; };"),
      row(
          "member_beside_numbers",
          "threadgroup float s[32]; Tile t = {{1, 2, 3}, s, 3, 0.5f};\nt.p[i] = x[i];\n" +
              kBarrier + "y[i] = t.p[31 - i] * t.n + t.scale + t.weights[i % 3];",
          [](int64_t i) { return Real((31 - i) * 3 + 0.5L + i % 3 + 1); },
          "struct Tile { float weights[3]; threadgroup float* p; int n; float scale; };"),
      row(
          "structures_in_an_array",
          two + fill + "Tile t[2] = {{a, 1}, {b, 2}};\n" + kBarrier +
              "y[i] = t[i % 2].p[0] * t[i % 2].n;",
          [](int64_t i) { return Real(i % 2 ? 200 : 0); },
          "struct Tile { threadgroup float* p; int n; };"),
      row(
          "in_a_constant_of_the_function",
          two + fill + "Tile t[3] = {{a, 1}, {b, 2}, {a, 3}};\n" + kBarrier +
              "float sum = 0; for (int k = 0; k < 3; ++k) sum += total(t[k]);\ny[i] = sum;",
          [](int64_t) { return Real(1 + 2 * 101 + 3); },
          "struct Tile { threadgroup float* p; int n; };\n"
          "float total(thread const Tile& t) { threadgroup float* both[2] = {t.p, t.p + 1};\n"
          "  return both[1][0] * t.n; }"),
  };
}
SPRUE_MATRIX(HeldSharedPointers, held_pointers)

std::vector<Row> declarations() {
  const std::string box = "template <typename T> struct Box { T v; };";
  return {
      row(
          "template_arguments_that_end_together",
          "Box<Box<float>> device* p = (device Box<Box<float>>*)y;\np[i].v.v = x[i];",
          [](int64_t i) { return Real(i); }, box),
      row(
          "template_arguments_with_a_shift",
          "Pair<Box<Box<float>>, (8 >> 3)> device* p = (device Pair<Box<Box<float>>, (8 >> "
          "3)>*)y;\n"
          "p[i].v.v.v = x[i];",
          [](int64_t i) { return Real(i); },
          box + "\ntemplate <typename T, int N> struct Pair { T v; };"),
      row("word_across_two_lines", "dev\\\nice float* p = y;\np[i] = x[i];",
          [](int64_t i) { return Real(i); }),
      row("name_across_two_lines", "device float* po\\\ninter = y;\npointer[i] = x[i];",
          [](int64_t i) { return Real(i); }),
      row(
          "size_of_a_call", "y[i] = size(x[i]) + x[i];", [](int64_t i) { return Real(4 + i); },
          "float size(float v) { return sizeof(size(v)) + (noexcept(size(v)) ? 8 : 0); }"),
      row(
          "methods_of_an_address_space",
          "threadgroup Cell s[32];\ns[i].set(x[i]);\n" + kBarrier +
              "Cell c; c.add(1);\ny[i] = s[31 - i].get() + c.v;",
          [](int64_t i) { return Real(31 - i + 1); },
          "struct Cell { float v;\n  void set(float w) threadgroup { v = w; }\n"
          "  float get() const threadgroup { return v; }\n"
          "  void add(float w) thread;\n  void more() threadgroup const;\n};\n"
          "void Cell::add(float w) thread { v = w; }"),
  };
}
SPRUE_MATRIX(RareDeclarations, declarations)

}  // namespace
}  // namespace sprue::language
