// Address-space words, declarations, control flow, templates and macros of bodies and headers.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

std::vector<Real> ramp(int64_t count) {
  std::vector<Real> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(Real(i % 37) * 0.25L - 3);
  return values;
}

const std::vector<Real>& x_values() {
  static const std::vector<Real> values = ramp(256);
  return values;
}
Real x_at(int64_t i) { return x_values()[static_cast<size_t>(i)]; }

// y[i] of 64 threads from x (256 floats) and w (4 floats: constant space).
Row row(const std::string& name, const std::string& body,
        const std::function<Real(int64_t)>& expected, const std::string& header = "",
        std::vector<TemplateArgument> arguments = {}) {
  return {.name = name,
          .body = body,
          .header = header,
          .template_arguments = std::move(arguments),
          .inputs = {{"x", make_array(float32, x_values())},
                     {"w", make_array(float32, {0.5L, -1, 2, 4})}},
          .outputs = {{"y", float32, {64}, expected}},
          .grid = {64, 1, 1},
          .threadgroup = {32, 1, 1}};
}

Real w_at(int64_t i) {
  const Real values[] = {0.5L, -1, 2, 4};
  return values[i & 3];
}

std::vector<Row> pointer_rows() {
  const std::string i = "uint i = thread_position_in_grid.x;\n";
  const auto twice = [](int64_t n) { return 2 * x_at(n); };
  const auto row_sum = [](int64_t n) {
    return x_at(4 * n) + x_at(4 * n + 1) + x_at(4 * n + 2) + x_at(4 * n + 3);
  };
  return {
      row("const_device_local", i + "const device float* p = x + i; y[i] = p[0] * 2;", twice),
      row("device_const_local", i + "device const float* p = &x[i]; y[i] = *p * 2;", twice),
      row("device_local", i + "device float* p = y + i; *p = x[i] * 2;", twice),
      row("device_pointer_const", i + "device float* const p = y; p[i] = x[i] * 2;", twice),
      row("two_declarators", i + "const device float *p = x + i, *q = p + 1; y[i] = *p + *q;",
          [](int64_t n) { return x_at(n) + x_at(n + 1); }),
      row("constant_pointer_local", i + "const constant float* p = w; y[i] = p[i & 3] * x[i];",
          [](int64_t n) { return w_at(n) * x_at(n); }),
      row("thread_pointer_local", i + "float v = x[i]; thread float* p = &v; *p *= 2; y[i] = v;",
          twice),
      row("auto_pointer", i + "auto p = x + i; auto v = *p; y[i] = v + v;", twice),
      row("device_reference",
          i + "device float& out = y[i]; const device float& in = x[i]; out = in * 2;", twice),
      row("parameter_moved", i + "x += i; y += i; y[0] = x[0] * 2;", twice),
      row("parameter_moved_by_expression", i + "y += 2 * (i / 2); y[i % 2] = 2 * x[i];", twice),
      row("parameter_incremented",
          i + "x += 4 * i; float s = 0; for (int k = 0; k < 4; ++k) s += *x++; y[i] = s;", row_sum),
      row("pointer_walk",
          i + "const device float* p = x + 4 * i; const device float* const end = p + 4; float s = "
              "0;\n"
              "while (p != end) { s += *p; ++p; } y[i] = s;",
          row_sum),
      row("pointer_difference", i + "const device float* p = x + 3 * i; y[i] = p - x;",
          [](int64_t n) { return 3 * n; }),
      row("c_pointer_cast",
          i + "const device uint* bits = (const device uint*)x; y[i] = (bits[i] >> 23) & 0xff;",
          [](int64_t n) { return Real(encode(x_at(n), float32) >> 23 & 0xff); }),
      row("byte_pointer_cast",
          i + "const device uchar* b = (const device uchar*)(x + i); y[i] = b[3] * 256 + b[2];",
          [](int64_t n) { return Real(encode(x_at(n), float32) >> 16); }),
      row("reinterpret_cast_pointer",
          i + "y[i] = reinterpret_cast<const device int*>(x)[i] == reinterpret_cast<const device "
              "int*>(x + i)[0] ? 1 : 0;",
          [](int64_t) { return 1; }),
      row("double_indexing",
          i + "const device float* rows[2] = {x, x + 64}; y[i] = rows[i & 1][i];",
          [](int64_t n) { return x_at(n + 64 * (n & 1)); }),
      row("constant_dynamic_index", i + "int k = int(x[i] * 4) & 3; y[i] = w[k];",
          [](int64_t n) { return w_at(static_cast<int64_t>(x_at(n) * 4) & 3); }),
      row("slots",
          i + "y[i] = x_shape[0] + 10 * w_shape[0] + 1000 * x_strides[0] + 10000 * x_ndim;",
          [](int64_t) { return 256 + 40 + 1000 + 10000; }),
      row("words_in_comments_and_names",
          i + "/* threadgroup float device */ float devices = 1, my_constant = 2; // thread "
              "constant\n"
              "float threaded = devices + my_constant; y[i] = threaded;",
          [](int64_t) { return 3; }),
  };
}
SPRUE_MATRIX(Pointers, pointer_rows)

std::vector<Row> header_rows() {
  const std::string i = "uint i = thread_position_in_grid.x;\n";
  const auto scaled = [](int64_t n) { return x_at(n) * 0.5L + 2; };
  return {
      row(
          "header_constants", i + "y[i] = x[i] * kScale + kOffsets[i & 1];",
          [](int64_t n) { return x_at(n) * 0.5L + (n & 1 ? 3 : 2); },
          "constant float kScale = 0.5f;\nconstant float kOffsets[2] = {2.0f, 3.0f};\n"),
      row("header_constexpr", i + "y[i] = x[i] * kScale + kOffset;", scaled,
          "constant constexpr float kScale = 0.5f;\nconstexpr constant int kOffset = 2;"),
      row("header_static_constant", i + "y[i] = x[i] * kScale + kOffset;", scaled,
          "static constant float kScale = 0.5f;\nstatic constant constexpr int kOffset = 2;"),
      row("thread_reference", i + "float v = x[i]; scale(v); y[i] = v + 2;", scaled,
          "void scale(thread float& v) { v *= 0.5f; }"),
      row("template_thread_reference", i + "float v = x[i]; scale(v); y[i] = v + 2;", scaled,
          "template <typename T>\ninline void scale(thread T& v) { v = v * T(0.5f); }"),
      row("device_pointer_parameter", i + "store(y + i, load(x, i), 2.0f);", scaled,
          "float load(const device float* p, uint n) { return p[n] * 0.5f; }\n"
          "void store(device float* p, float v, float add) { p[0] = v + add; }"),
      row("template_of_device_pointers", i + "apply<float, 2>(x + i, y + i);", scaled,
          "template <typename T, int N>\ninline void apply(const device T* in, device T* out) {\n"
          "  *out = *in * T(0.5f) + N;\n}"),
      row(
          "constant_reference_parameter", i + "y[i] = dot4(x + i, w);",
          [](int64_t n) {
            Real sum = 0;
            for (int64_t k = 0; k < 4; ++k) sum = to_float(sum + x_at(n + k) * w_at(k));
            return sum;
          },
          "float dot4(const device float* a, const constant float* b) {\n"
          "  float sum = 0; for (int k = 0; k < 4; k++) sum += a[k] * b[k]; return sum; }"),
      row("constant_scalar_reference", i + "y[i] = x[i] * half_of(w[0]) * 2 + 2;", scaled,
          "float half_of(constant float& v) { return v * 0.5f; }"),
      row(
          "thread_array_parameter",
          i + "float v[4]; fill(v, x[i]); y[i] = v[0] + v[1] + v[2] + v[3];",
          [](int64_t n) { return 4 * x_at(n) + 6; },
          "void fill(thread float* v, float s) { for (int k = 0; k < 4; ++k) v[k] = s + k; }"),
      row(
          "overloads",
          i + "y[i] = pick(1) + pick(1u) * 10 + pick(1.0f) * 100 + pick(half(1)) * 1000;",
          [](int64_t) { return 1 + 20 + 300 + 4000; },
          "int pick(int) { return 1; } int pick(uint) { return 2; }\nint pick(float) { return 3; } "
          "int pick(half) { return 4; }"),
      row("struct_in_header", i + "Pair p{x[i], 2}; p.scale(0.5f); y[i] = p.sum();", scaled,
          "struct Pair { float a; float b;\n  void scale(float s) { a *= s; }\n  float sum() const "
          "{ return a + b; } };"),
      row(
          "template_specialisation", i + "y[i] = Name<float>::value + 10 * Name<half>::value;",
          [](int64_t) { return 12; },
          "template <typename T> struct Name { static constexpr constant int value = 1; };\n"
          "template <> struct Name<float> { static constexpr constant int value = 2; };"),
      row("using_namespace", i + "y[i] = x[i] * 0.5f + metal::max(2.0f, -1.0f);", scaled,
          "#include <metal_stdlib>\nusing namespace metal;\n"),
      row("enum_and_typedef", i + "Number v = x[i]; y[i] = v * kHalf + Offset::two;", scaled,
          "typedef float Number; enum Offset { one = 1, two };\nconstant Number kHalf = 0.5f;"),
      row("helper_chain", i + "y[i] = outer(x[i]);", scaled,
          "inline float inner(float v) { return v * 0.5f; }\nfloat middle(float v) { return "
          "inner(v) + 1; }\n"
          "static inline float outer(float v) { return middle(v) + 1; }"),
      row("default_argument", i + "y[i] = scale(x[i]);", scaled,
          "float scale(float v, float s = 0.5f, int add = 2) { return v * s + add; }"),
      row("macros_in_header", i + "y[i] = SCALE(x[i]) + OFFSET;", scaled,
          "#define SCALE(v) ((v) * 0.5f)\n#define OFFSET 2\n"),
      row("standard_headers", i + "y[i] = x[i] * 0.5f + 2;", scaled,
          "#include <metal_stdlib>\n#include <metal_math>\n#include <metal_common>\n"
          "#include <metal_integer>\n#include <metal_relational>\n#include <metal_types>\n"
          "#include <metal_limits>\n#include <metal_compute>\n#include <metal_config>\n"
          "#include <metal_atomic>\n#include <metal_simdgroup>\n#include <metal_quadgroup>\n"
          "#include <metal_simdgroup_matrix>\n"),
      row("namespaces_and_aliases", i + "y[i] = ours::inner::scale(Number<0>(x[i])) + ours::kTwo;",
          scaled,
          "namespace ours { constant int kTwo = 2;\n"
          "namespace inner { float scale(float v) { return v * 0.5f; } } }\n"
          "template <int> using Number = float;"),
      row("constructors_and_operators",
          i + "Derived d(x[i]); d *= 0.5f; y[i] = (d + Derived(1)).value + d[1];", scaled,
          "struct Base { float value; Base(float v) : value(v) {}\n"
          "  float operator[](int k) const { return k; } };\n"
          "struct Derived : Base { Derived(float v) : Base(v) {}\n"
          "  void operator*=(float s) { value *= s; } };\n"
          "Derived operator+(Derived a, Derived b) { return Derived(a.value + b.value); }"),
      row("unions_bit_fields_and_enums",
          i + "Bits b; b.number = 1.0f; Fields f = {3, 5}; y[i] = x[i] * 0.5f + (b.word == "
              "0x3f800000u) + (f.low == 3 && f.high == 5) + int(Kind::none);",
          scaled,
          "union Bits { float number; uint word; };\nstruct Fields { uint low : 4, high : 28; };\n"
          "enum class Kind : uchar { none, some };"),
      row("variadic_template", i + "y[i] = total(x[i] * 0.25f, x[i] * 0.25f, 0.5f, 1.5f);", scaled,
          "template <typename T> T total(T last) { return last; }\n"
          "template <typename T, typename... Rest> T total(T first, Rest... rest) {\n"
          "  return first + total(rest...); }"),
  };
}
SPRUE_MATRIX(Headers, header_rows)

std::vector<Row> statement_rows() {
  const std::string i = "uint i = thread_position_in_grid.x;\n";
  const auto scaled = [](int64_t n) { return x_at(n) * 0.5L + 2; };
  const auto sum_to = [](int64_t n) { return Real(n * (n + 1) / 2); };
  return {
      row("constexpr_local",
          i + "constexpr int N = 4; constexpr float s = 0.5f; float v[N]; v[N - 1] = x[i] * s; "
              "y[i] = v[3] + N / 2;",
          scaled),
      row("const_local_sizes",
          i + "const int n = 2; float v[n] = {x[i], 1}; y[i] = v[0] * 0.5f + v[1] * n;", scaled),
      row("using_in_body",
          i + "using U = float; typedef int Count; U v = x[i]; Count two = 2; y[i] = v / two + "
              "two;",
          scaled),
      row("lambda_capturing",
          i + "float s = 0.5f; auto f = [&](float v) { return v * s; }; auto g = [=](float v) { "
              "return f(v) + 4 * s; }; y[i] = g(x[i]);",
          scaled),
      row("lambda_writing",
          i + "float total = 0; auto add = [&total](float v) { total += v; }; add(x[i] * 0.5f); "
              "add(2); y[i] = total;",
          scaled),
      row("macro_in_body",
          i + "#define STEP(v) v = v * 0.5f; \\\n  v += 2;\nfloat a = x[i];\nSTEP(a)\n#undef "
              "STEP\ny[i] = a;",
          scaled),
      row("condition_macros",
          i + "#if defined(NOTHING) || 0\ny[i] = -1;\n#elif __METAL_VERSION__ >= 300\ny[i] = x[i] "
              "* 0.5f + 2;\n#else\ny[i] = -2;\n#endif\n",
          scaled),
      row("early_return",
          i + "if (i % 3 == 0) { y[i] = -1; return; } if (x[i] < 0) { y[i] = 5; return; } y[i] = "
              "x[i];",
          [](int64_t n) { return n % 3 == 0    ? -1
                                 : x_at(n) < 0 ? 5
                                               : x_at(n); }),
      row("for_loop", i + "float s = 0; for (uint k = 0; k <= i; k++) s += k; y[i] = s;", sum_to),
      row("for_two_variables",
          i + "int s = 0; for (int k = 0, m = i; k <= m; ++k, --m) s += k + m - (k == m ? k : 0); "
              "y[i] = s;",
          sum_to),
      row("while_loop", i + "uint k = i; uint s = 0; while (k) { s += k; k--; } y[i] = s;", sum_to),
      row("do_loop", i + "uint k = 0, s = 0; do { s += k; } while (++k <= i); y[i] = s;", sum_to),
      row("break_and_continue",
          i + "int s = 0; for (int k = 0; k < 1000; ++k) { if (k % 2) continue; if (k > int(i)) "
              "break; s += k; } y[i] = s;",
          [](int64_t n) {
            const int64_t h = n / 2;
            return Real(h * (h + 1));
          }),
      row("nested_break",
          i + "int s = 0; for (int a = 0; a < 8; ++a) { for (int b = 0;; ++b) { if (a * b >= "
              "int(i)) break; if (b == 9) break; ++s; } } y[i] = s;",
          [](int64_t n) {
            int s = 0;
            for (int a = 0; a < 8; ++a)
              for (int b = 0; !(a * b >= n || b == 9); ++b) ++s;
            return s;
          }),
      row("switch_statement",
          i + "float v; switch (i & 7) { case 0: v = 1; break; case 1: case 2: v = 2; break; case "
              "3: v = 3; /* falls */ case 4: v = 4; break; default: v = 9; } y[i] = v;",
          [](int64_t n) {
            const int expected[] = {1, 2, 2, 4, 4, 9, 9, 9};
            return expected[n & 7];
          }),
      row("nested_ternary", i + "y[i] = i < 10 ? 1 : i < 20 ? 2 : i == 33 ? 3 : 4;",
          [](int64_t n) {
            return n < 10 ? 1 : n < 20 ? 2 : n == 33 ? 3 : 4;
          }),
      row("comma_and_assignment", i + "float a, b; a = b = x[i] * 0.25f; y[i] = (a += b, a + 2);",
          scaled),
      row("shadowing", i + "float v = 2; { float v = x[i]; y[i] = v * 0.5f; } y[i] += v;", scaled),
      row("if_initialised", i + "if (float v = x[i]) y[i] = v; else y[i] = 77;",
          [](int64_t n) { return x_at(n) != 0 ? x_at(n) : 77; }),
      row("short_circuit",
          i + "int n = 0; bool a = i > 5 && (n++, true); bool b = i > 5 || (n += 2, false); y[i] = "
              "n + (a ? 10 : 0) + (b ? 20 : 0);",
          [](int64_t n) { return n > 5 ? 31 : 2; }),
      row("int_template",
          i + "float s = 0; for (int k = 0; k < N; ++k) s += x[i] / N; y[i] = s * 0.5f + M;",
          scaled, "", {{"N", 4}, {"M", 2}}),
      row("negative_int_template", i + "y[i] = x[i] * 0.5f - M;", scaled, "", {{"M", -2}}),
      row("bool_template", i + "if (FLAG) { y[i] = x[i] * 0.5f + 2; } else { y[i] = -1; }", scaled,
          "", {{"FLAG", true}}),
      row("bool_template_false", i + "if (!FLAG) y[i] = x[i] * 0.5f + 2; else y[i] = -1;", scaled,
          "", {{"FLAG", false}}),
      row("if_constexpr",
          i + "if constexpr (N > 3) { y[i] = x[i] * 0.5f + 2; } else { y[i] = "
              "no_such_member(T()).x; }",
          scaled,
          "template <typename T> struct Absent {}; template <typename T> Absent<T> "
          "no_such_member(T);",
          {{"N", 4}, {"T", float32}}),
      row("array_of_template_size",
          i + "float v[N / 2]; for (int k = 0; k < N / 2; ++k) v[k] = x[i] * k; float s = 0; for "
              "(int k = 0; k < N / 2; ++k) s += v[k]; y[i] = s;",
          [](int64_t n) { return 28 * x_at(n); }, "", {{"N", 16}}),
      row("template_type",
          i + "T v = T(x[i]); T s = static_cast<T>(0.5f); y[i] = float(v * s + T(2));", scaled, "",
          {{"T", float16}}),
      row("template_bfloat", i + "T v = T(x[i]); y[i] = v * T(0.5f) + T(2);", scaled, "",
          {{"T", bfloat16}}),
      row("template_for_helper", i + "y[i] = scale<T, N>(x[i]);", scaled,
          "template <typename U, int K> U scale(U v) { return v * U(0.5f) + K; }",
          {{"T", float32}, {"N", 2}}),
      row("unrolled_by_pragma",
          i + "float s = 2;\n#pragma unroll\nfor (int k = 0; k < 4; ++k) s += x[i] * 0.125f;\ny[i] "
              "= s;",
          scaled),
      row("clang_loop_pragma",
          i + "float s = 2;\n#pragma clang loop unroll(full)\nfor (int k = 0; k < 4; ++k) s += "
              "x[i] * 0.125f;\ny[i] = s;",
          scaled),
      row("struct_in_body",
          i + "struct Accumulator { float s = 2; void add(float v) { s += v; } }; Accumulator a; "
              "a.add(x[i] * 0.5f); y[i] = a.s;",
          scaled),
      row("every_position", R"(
          uint3 g = thread_position_in_grid; uint3 t = thread_position_in_threadgroup;
          uint i = g.x;
          y[i] = (g.x == threadgroup_position_in_grid.x * threads_per_threadgroup.x + t.x)
            + 2 * (thread_index_in_threadgroup == t.x)
            + 4 * (thread_index_in_simdgroup == t.x % threads_per_simdgroup)
            + 8 * (threadgroups_per_grid.x == 2) + 16 * (threads_per_grid.x == 64)
            + 32 * (simdgroup_index_in_threadgroup == t.x / 32) + 64 * (g.y + g.z == 0);)",
          [](int64_t) { return 127; }),
      row("every_attribute", R"(
          uint i = thread_position_in_grid.x, t = i % 32;
          y[i] = (dispatch_quadgroups_per_threadgroup == 8) + (quadgroups_per_threadgroup == 8)
            + (dispatch_simdgroups_per_threadgroup == 1) + (simdgroups_per_threadgroup == 1)
            + (dispatch_threads_per_threadgroup.x == 32) + (threads_per_threadgroup.x == 32)
            + (grid_origin.x == 0) + (grid_size.x == 64) + (threads_per_grid.x == 64)
            + (quadgroup_index_in_threadgroup == t / 4) + (thread_index_in_quadgroup == t % 4)
            + (simdgroup_index_in_threadgroup == 0) + (thread_index_in_simdgroup == t)
            + (thread_execution_width == 32) + (threads_per_simdgroup == 32)
            + (thread_index_in_threadgroup == t) + (thread_position_in_threadgroup.x == t)
            + (threadgroup_position_in_grid.x == i / 32) + (threadgroups_per_grid.x == 2)
            + (thread_position_in_grid.y == 0);)",
          [](int64_t) { return 20; }),
  };
}
SPRUE_MATRIX(Statements, statement_rows)

// Inputs whose names meet other meanings.
std::vector<Row> naming_rows() {
  Row scalar{.name = "scalar_input_named_T",
             .body =
                 "uint i = thread_position_in_grid.x; for (int t = 0; t < T; ++t) y[i] = t == 0 ? "
                 "float(t) : y[i] + t;",
             .inputs = {{"T", Array(int32_t{5})}},
             .outputs = {{"y", float32, {8}, [](int64_t) { return 10; }}},
             .grid = {8, 1, 1},
             .threadgroup = {8, 1, 1}};
  Row letters{.name = "one_letter_inputs",
              .body = "uint i = thread_position_in_grid.x; y[i] = A[i] + B[0] * C + D[i % 3];",
              .inputs = {{"A", make_array(float32, {1, 2, 3, 4, 5, 6, 7, 8})},
                         {"B", make_array(float32, {10})},
                         {"C", Array(3.0f)},
                         {"D", make_array(float16, {0.5L, 1, 2})}},
              .outputs = {{"y",
                           float32,
                           {8},
                           [](int64_t i) {
                             const Real d[] = {0.5L, 1, 2};
                             return i + 31 + d[i % 3];
                           }}},
              .grid = {8, 1, 1},
              .threadgroup = {8, 1, 1}};
  Row mixed{.name = "scalars_of_every_dtype",
            .body =
                "y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = e; y[5] = f; y[6] = g; y[7] = h; "
                "y[8] = k; y[9] = l; y[10] = m; y[11] = n;",
            .inputs = {{"a", Array(true)},
                       {"b", Array::scalar<uint8_t>(200)},
                       {"c", Array::scalar<uint16_t>(60000)},
                       {"d", Array::scalar<uint32_t>(4000000000u)},
                       {"e", Array::scalar<uint64_t>(1ull << 40)},
                       {"f", Array::scalar<int8_t>(-100)},
                       {"g", Array::scalar<int16_t>(-30000)},
                       {"h", Array(int32_t{-7})},
                       {"k", Array::scalar<int64_t>(-(1ll << 41))},
                       {"l", Array::scalar(Float16::from_bits(0x3800))},
                       {"m", Array::scalar(BFloat16::from_bits(0x4040))},
                       {"n", Array(1.25f)}},
            .outputs = {{"y", float32, {12}, [](int64_t i) {
                           const Real expected[] = {
                               1,    200,    60000, 4000000000.0L,     1099511627776.0L,
                               -100, -30000, -7,    -2199023255552.0L, 0.5L,
                               3,    1.25L};
                           return expected[i];
                         }}}};
  return {scalar, letters, mixed};
}
SPRUE_MATRIX(InputNames, naming_rows)

}  // namespace
}  // namespace sprue::language
