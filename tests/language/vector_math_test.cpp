// Functions over vectors: each component has the bits of the scalar function, whose accuracy other tests
// check. And the functions of a vector as a whole, against long double.
#include <fmt/format.h>

#include <cmath>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

// What a function gives component by component, and whether two results are the same: any NaN for NaN.
constexpr char kEach[] = R"(
template <typename T, int N, typename F> auto each(vec<T, N> a, F f) {
  vec<decltype(f(a.x)), N> r;
  for (int k = 0; k < N; ++k) r[k] = f(a[k]);
  return r;
}
template <typename T, int N, typename F> auto each(vec<T, N> a, vec<T, N> b, F f) {
  vec<decltype(f(a.x, b.x)), N> r;
  for (int k = 0; k < N; ++k) r[k] = f(a[k], b[k]);
  return r;
}
template <typename T, int N, typename F> auto each(vec<T, N> a, vec<T, N> b, vec<T, N> c, F f) {
  vec<decltype(f(a.x, b.x, c.x)), N> r;
  for (int k = 0; k < N; ++k) r[k] = f(a[k], b[k], c[k]);
  return r;
}
template <typename T, int N> vec<bool, N> same(vec<T, N> a, vec<T, N> b) {
  vec<bool, N> r;
  for (int k = 0; k < N; ++k) r[k] = (a[k] == b[k] && signbit(a[k]) == signbit(b[k])) ||
                                     (a[k] != a[k] && b[k] != b[k]);
  return r;
}
template <typename T, int N> vec<bool, N> equal(vec<T, N> a, vec<T, N> b) { return a == b; }
)";

Real always(Real, Real, Real) { return 1; }

std::vector<Real> values() {
  std::vector<Real> values = {0.0L,     -0.0L, 1.0L,  -1.0L, 0.5L,     -0.5L,     2.0L, 1e-40L,
                              65504.0L, 3.5L,  -2.5L, 10.0L, INFINITY, -INFINITY, NAN,  0.1L};
  for (Real value : uniform(48, -4, 4, 12)) values.push_back(value);
  return values;
}
std::vector<Real> rotated(std::vector<Real> list, int64_t by) {
  std::rotate(list.begin(), list.begin() + by, list.end());
  return list;
}

std::vector<Row> elementwise_rows() {
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16}) {
    VectorTable table{.name = std::string("functions_of_") + element_name(type), .element = type};
    table.operands = {values(), rotated(values(), 21), rotated(values(), 38)};
    table.header = kEach;
    const bool is_float = type == float32;
    const auto add = [&table](const std::string& got, const std::string& expected,
                              const char* compare = "same") {
      table.expressions.push_back(
          {fmt::format("{}({}, {})", compare, got, expected), bool_, always, 0, false, true});
    };
    // One template serves all types: float sees every name, the others one of each form.
    const std::vector<const char*> of_one =
        is_float ? std::vector<const char*>{"exp",   "exp2",  "exp10", "expm1", "log",     "log2",
                                            "log10", "log1p", "sin",   "cos",   "tan",     "sinpi",
                                            "cospi", "tanpi", "asin",  "acos",  "atan",    "sinh",
                                            "cosh",  "tanh",  "asinh", "acosh", "atanh",   "sqrt",
                                            "rsqrt", "floor", "ceil",  "trunc", "rint",    "round",
                                            "fract", "sign",  "fabs",  "abs",   "saturate"}
                 : std::vector<const char*>{"exp", "sqrt", "rint", "abs", "saturate"};
    for (const char* name : of_one)
      add(fmt::format("{}(a)", name), fmt::format("each(a, [](T v) {{ return {}(v); }})", name));
    for (const char* name : {"isnan", "isinf", "isfinite", "isnormal", "signbit", "ilogb"})
      add(fmt::format("{}(a)", name), fmt::format("each(a, [](T v) {{ return {}(v); }})", name),
          "equal");
    const std::vector<const char*> of_two =
        is_float ? std::vector<const char*>{"pow",  "powr", "atan2",    "fmod",   "fmin",
                                            "fmax", "fdim", "copysign", "divide", "nextafter",
                                            "min",  "max",  "step"}
                 : std::vector<const char*>{"nextafter", "max", "step"};
    for (const char* name : of_two) {
      const std::string scalar = fmt::format("[](T v, T w) {{ return {}(v, w); }}", name);
      add(fmt::format("{}(a, b)", name), fmt::format("each(a, b, {})", scalar));
    }
    add("max(a, s)", "each(a, [=](T v) { return max(v, s); })");
    add("step(s, a)", "each(a, [=](T v) { return step(s, v); })");
    add("min(a, 1)", "each(a, [=](T v) { return min(v, T(1)); })");
    for (const char* name : {"isordered", "isunordered"})
      add(fmt::format("{}(a, b)", name),
          fmt::format("each(a, b, [](T v, T w) {{ return {}(v, w); }})", name), "equal");
    const std::vector<const char*> of_three =
        is_float ? std::vector<const char*>{"fma",  "clamp",   "mix",   "smoothstep", "min3",
                                            "max3", "median3", "fmin3", "fmax3",      "fmedian3"}
                 : std::vector<const char*>{"fma", "clamp", "mix"};
    for (const char* name : of_three) {
      const std::string scalar = fmt::format("[](T u, T v, T w) {{ return {}(u, v, w); }}", name);
      add(fmt::format("{}(a, b, c)", name), fmt::format("each(a, b, c, {})", scalar));
    }
    add("clamp(a, 0, 1)", "each(a, [](T v) { return clamp(v, T(0), T(1)); })");
    add("mix(a, b, s)", "each(a, b, [=](T v, T w) { return mix(v, w, s); })");
    add("smoothstep(0, 1, a)", "each(a, [](T v) { return smoothstep(T(0), T(1), v); })");
    add("select(a, b, a < c)", "each(a, b, c, [](T u, T v, T w) { return u < w ? v : u; })");
    add("select(a, b, true)", "b");
    add("select(a, s, isnan(a))", "each(a, b, [=](T u, T v) { return isnan(u) ? s : u; })");
    add("ldexp(a, vec<int, N>(3))", "each(a, [](T v) { return ldexp(v, 3); })");
    const auto with = [](const std::string& statement, const std::string& result) {
      return "[=] { vec<T, N> second; vec<int, N> exponent; vec<T, N> first = " + statement +
             "; return " + result + "; }()";
    };
    add(with("sincos(a, second)", "first"), "sin(a)");
    add(with("sincos(a, second)", "second"), "cos(a)");
    add(with("modf(a, second)", "second"), "trunc(a)");
    add(with("modf(a, second)", "first"), "each(a, [](T v) { T w; return modf(v, w); })");
    add(with("frexp(a, exponent)", "first"), "each(a, [](T v) { int e; return frexp(v, e); })");
    add(with("frexp(a, exponent)", "exponent"),
        "each(a, [](T v) { int e; frexp(v, e); return e; })", "equal");
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(VectorFunctions, elementwise_rows)

// Functions whose result is a scalar or a vector that mixes components.
std::vector<Row> geometric_rows() {
  using Vector = std::vector<Real>;
  struct Function {
    const char* text;
    std::function<Vector(const Vector&, const Vector&, const Vector&)> expected;
    int count = 0;  // 0: any
  };
  const auto dot = [](const Vector& a, const Vector& b) {
    Real sum = 0;
    for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  };
  const auto combine = [](const Vector& a, Real p, const Vector& b, Real q) {
    Vector r;
    for (size_t k = 0; k < a.size(); ++k) r.push_back(p * a[k] + q * b[k]);
    return r;
  };
  const auto difference = [combine](const Vector& a, const Vector& b) {
    return combine(a, 1, b, -1);
  };
  const std::vector<Function> functions = {
      {"dot(a, b)", [=](auto& a, auto& b, auto&) { return Vector{dot(a, b)}; }},
      {"length(a)", [=](auto& a, auto&, auto&) { return Vector{std::sqrt(dot(a, a))}; }},
      {"length_squared(a)", [=](auto& a, auto&, auto&) { return Vector{dot(a, a)}; }},
      {"distance(a, b)",
       [=](auto& a, auto& b, auto&) {
         return Vector{std::sqrt(dot(difference(a, b), difference(a, b)))};
       }},
      {"distance_squared(a, b)",
       [=](auto& a, auto& b, auto&) { return Vector{dot(difference(a, b), difference(a, b))}; }},
      {"normalize(a)",
       [=](auto& a, auto& b, auto&) { return combine(a, 1 / std::sqrt(dot(a, a)), b, 0); }},
      {"fast::normalize(a)",
       [=](auto& a, auto& b, auto&) { return combine(a, 1 / std::sqrt(dot(a, a)), b, 0); }},
      {"cross(a, b)",
       [](auto& a, auto& b, auto&) {
         return Vector{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
       },
       3},
      {"reflect(a, n)", [=](auto& a, auto&, auto& n) { return combine(a, 1, n, -2 * dot(n, a)); }},
      {"refract(a, n, T(0.75f))",
       [=](auto& a, auto&, auto& n) {
         const Real cosine = dot(n, a), k = 1 - 0.5625L * (1 - cosine * cosine);
         return k < 0 ? Vector(a.size(), 0)
                      : combine(a, 0.75L, n, -(0.75L * cosine + std::sqrt(k)));
       }},
      {"faceforward(a, b, n)",
       [=](auto& a, auto& b, auto& n) { return combine(a, dot(n, b) < 0 ? 1 : -1, a, 0); }},
  };
  constexpr int kThreads = 64;
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16})
    for (int count = 2; count <= 4; ++count) {
      Row row{.name = fmt::format("geometry_of_{}", vector_name(type, count))};
      const Array a = make_array(type, uniform(kThreads * 4, -2, 2, 21, type));
      const Array b = make_array(type, uniform(kThreads * 4, -2, 2, 22, type));
      const Array n = make_array(type, uniform(kThreads * 4, -0.5, 0.5, 23, type));
      row.inputs = {{"in_a", a}, {"in_b", b}, {"in_n", n}};
      row.grid = row.threadgroup = {kThreads, 1, 1};
      row.body =
          fmt::format("uint i = thread_position_in_grid.x;\ntypedef {} T;\n", element_name(type));
      const std::string name = vector_name(type, count);
      for (const char* letter : {"a", "b", "n"}) {
        row.body += fmt::format("{} {} = {}(", name, letter, name);
        for (int k = 0; k < count; ++k)
          row.body += fmt::format("{}in_{}[4 * i + {}]", k ? ", " : "", letter, k);
        row.body += ");\n";
      }
      std::vector<Function> used;
      for (const Function& function : functions) {
        if (function.count && function.count != count) continue;
        const size_t results = function.expected({1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}).size();
        row.body +=
            fmt::format("{{ {} r = {};\n", results == 1 ? std::string(element_name(type)) : name,
                        function.text);
        for (int k = 0; k < count; ++k)
          row.body += fmt::format("y[{} + 4 * i + {}] = {};\n", used.size() * kThreads * 4, k,
                                  results == 1 ? "r" : fmt::format("r[{}]", k));
        row.body += "}\n";
        used.push_back(function);
      }
      Output y{"y", type, {static_cast<int64_t>(used.size()), kThreads, 4}};
      y.ulps = type == float32 ? 4 : 1.5;
      y.absolute = type == float32 ? 2e-6 : type == float16 ? 1e-6 : 1e-6;
      y.expected = [=](int64_t i) -> Real {
        if (i % 4 >= count) return 77;
        Vector operands[3];
        const Array arrays[] = {a, b, n};
        for (int k = 0; k < 3; ++k)
          for (int j = 0; j < count; ++j)
            operands[k].push_back(value_at(arrays[k], i / 4 % kThreads * 4 + j));
        const Vector result = used[static_cast<size_t>(i / 4 / kThreads)].expected(
            operands[0], operands[1], operands[2]);
        return result[result.size() == 1 ? 0 : static_cast<size_t>(i % 4)];
      };
      y.element_text = [used](int64_t i) {
        return std::string(used[static_cast<size_t>(i / 4 / kThreads)].text);
      };
      row.outputs = {y};
      rows.push_back(row);
    }
  return rows;
}
SPRUE_MATRIX(Geometry, geometric_rows)

// any and all over every vector of truth values.
std::vector<Row> truth_rows() {
  Row row{.name = "any_and_all"};
  row.body =
      "uint i = thread_position_in_grid.x;\n"
      "bool4 v = (uint4(i) >> uint4(0, 1, 2, 3) & 1u) != 0;\n"
      "y[6 * i] = any(v.xy); y[6 * i + 1] = all(v.xy); y[6 * i + 2] = any(v.xyz);\n"
      "y[6 * i + 3] = all(v.xyz); y[6 * i + 4] = any(v); y[6 * i + 5] = all(v);";
  row.grid = row.threadgroup = {16, 1, 1};
  row.outputs = {{"y", int32, {16, 6}, [](int64_t index) -> Real {
                    const int64_t count = index % 6 / 2 + 2, mask = (1 << count) - 1;
                    const int64_t bits = index / 6 & mask;
                    return index % 2 ? bits == mask : bits != 0;
                  }}};
  return {row};
}
SPRUE_MATRIX(Truth, truth_rows)

}  // namespace
}  // namespace sprue::language
