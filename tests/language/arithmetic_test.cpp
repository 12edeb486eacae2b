// Scalar arithmetic: which type an operation has, and that it rounds once to that type.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

using F = std::function<Real(Real, Real, Real)>;

// Values that show double rounding, overflow, denormals and signed zeros in 16 bits.
std::vector<Real> edge_values() {
  std::vector<Real> values = {0.0L,    -0.0L,    1.0L,      -1.0L,    0.1L,      1.0L / 3,
                              2049.0L, 65504.0L, -65504.0L, 6e-8L,    6.1e-5L,   3.14159L,
                              257.0L,  1e-3L,    -1000.5L,  0.333L,   1.00098L,  1.0078125L,
                              1e30L,   -1e-30L,  1e-40L,    INFINITY, -INFINITY, NAN,
                              3.0L,    7.0L,     -2.5L,     0.5L};
  for (Real value : uniform(228, -40, 40, 5)) values.push_back(value);
  return values;
}

// Neighbours in the other operand differ in kind from those in the first one.
std::vector<Real> shuffled(const std::vector<Real>& values, size_t step) {
  std::vector<Real> result;
  for (size_t i = 0; i < values.size(); ++i)
    result.push_back(values[(i * step + 3) % values.size()]);
  return result;
}

std::vector<Real> small_integers(size_t count) {
  std::vector<Real> values;
  for (Real value : uniform(static_cast<int64_t>(count), -3000, 3000, 9))
    values.push_back(std::trunc(value));
  return values;
}

Real add(Real a, Real b) { return a + b; }
Real multiply(Real a, Real b) { return a * b; }
Real divide(Real a, Real b) { return a / b; }
Real subtract(Real a, Real b) { return a - b; }

struct Operation {
  const char* symbol;
  Real (*apply)(Real, Real);
};
constexpr Operation kOperations[] = {{"+", add}, {"-", subtract}, {"*", multiply}, {"/", divide}};

// `first` op `second` gives `result`; both operands are converted to it where it is 16 bits wide.
ExpressionTable operations(const std::string& name, Dtype first, Dtype second, Dtype result) {
  const std::vector<Real> values = edge_values();
  const std::vector<Real> second_values = shuffled(values, 37);
  ExpressionTable table{.name = name};
  table.inputs = {
      {"first",
       make_array(first, dtype_is_floating(first) ? values : small_integers(values.size()))},
      {"second", make_array(second, dtype_is_floating(second) ? second_values
                                                              : small_integers(values.size()))}};
  for (const Operation& operation : kOperations) {
    // +-*/ of two floats is exact enough in 64 bits that the second rounding can't be seen: a
    // result of 24 bits needs 50 (double rounding is innocuous from 2p + 2 bits on).
    auto expected = [apply = operation.apply, result](Real a, Real b, Real) {
      return apply(rounded(a, result), rounded(b, result));
    };
    table.expressions.push_back({std::string("a ") + operation.symbol + " b", result, expected});
    table.expressions.push_back({std::string("b ") + operation.symbol + " a", result,
                                 [expected](Real a, Real b, Real c) { return expected(b, a, c); }});
  }
  return table;
}

std::vector<Row> mixing_rows() {
  std::vector<Row> rows;
  for (const auto& [name, first, second, result] :
       std::initializer_list<std::tuple<const char*, Dtype, Dtype, Dtype>>{
           {"half_half", float16, float16, float16},
           {"half_float", float16, float32, float32},
           {"half_int", float16, int32, float16},
           {"half_short", float16, int16, float16},
           {"bfloat_bfloat", bfloat16, bfloat16, bfloat16},
           {"bfloat_float", bfloat16, float32, float32},
           {"bfloat_int", bfloat16, int32, bfloat16},
           {"bfloat_long", bfloat16, int64, bfloat16},
           {"float_float", float32, float32, float32},
           {"float_int", float32, int32, float32},
           {"float_uint", float32, uint32, float32},
       })
    rows.push_back(make_row(operations(name, first, second, result)));
  return rows;
}
SPRUE_MATRIX(Mixing, mixing_rows)

// Each operation of a longer expression rounds to its own type.
std::vector<Row> expression_rows() {
  std::vector<Row> rows;
  for (Dtype type : {float16, bfloat16}) {
    const auto r = [type](Real value) { return rounded(value, type); };
    const std::string name = type == float16 ? "half" : "bfloat";
    const std::string cast = name;
    ExpressionTable table{.name = name + "_expressions"};
    const std::vector<Real> values = edge_values();
    table.inputs = {{"first", make_array(type, values)},
                    {"second", make_array(type, shuffled(values, 37))},
                    {"third", make_array(type, shuffled(values, 61))}};
    table.expressions = {
        {"a * b + c", type, [r](Real a, Real b, Real c) { return r(r(a * b) + c); }},
        {"a * b - c * a", type, [r](Real a, Real b, Real c) { return r(r(a * b) - r(c * a)); }},
        {"a + b + c", type, [r](Real a, Real b, Real c) { return r(r(a + b) + c); }},
        {"a * (b + c) / " + cast + "(3)", type,
         [r](Real a, Real b, Real c) { return r(r(a * r(b + c)) / 3); }},
        {"-a", type, [](Real a, Real, Real) { return -a; }},
        {"+a", type, [](Real a, Real, Real) { return a; }},
        {"-a * b", type, [r](Real a, Real b, Real) { return r(-a * b); }},
        {"a * 2", type, [r](Real a, Real, Real) { return r(a * 2); }},
        {"1 - a", type, [r](Real a, Real, Real) { return r(1 - a); }},
        {"a + true", type, [r](Real a, Real, Real) { return r(a + 1); }},
        {"a * 0.1f", float32, [](Real a, Real, Real) { return a * 0.1f; }},
        {"a * 0.1f + b", float32, [](Real a, Real b, Real) { return to_float(a * 0.1f) + b; }},
        {"float(a) * float(b) + c", float32,
         [](Real a, Real b, Real c) { return to_float(a * b) + c; }},
        {"a < b", bool_, [](Real a, Real b, Real) { return a < b; }},
        {"a <= b", bool_, [](Real a, Real b, Real) { return a <= b; }},
        {"a > b", bool_, [](Real a, Real b, Real) { return a > b; }},
        {"a >= b", bool_, [](Real a, Real b, Real) { return a >= b; }},
        {"a == b", bool_, [](Real a, Real b, Real) { return a == b; }},
        {"a != b", bool_, [](Real a, Real b, Real) { return a != b; }},
        {"a < 1.0f", bool_, [](Real a, Real, Real) { return a < 1; }},
        {"a > 0", bool_, [](Real a, Real, Real) { return a > 0; }},
        {"a == 257", bool_, [r](Real a, Real, Real) { return a == r(257); }},
        {"2049 <= a", bool_, [r](Real a, Real, Real) { return r(2049) <= a; }},
        {"!a", bool_, [](Real a, Real, Real) { return a == 0; }},
        {"a && b", bool_, [](Real a, Real b, Real) { return a != 0 && b != 0; }},
        {"(a > b ? a : b)", type, [](Real a, Real b, Real) { return a > b ? a : b; }},
        {"(a > b ? a : -INFINITY)", float32,
         [](Real a, Real b, Real) { return a > b ? a : -INFINITY; }},
        {"(a > b ? 0.5f : a)", float32, [](Real a, Real b, Real) { return a > b ? 0.5L : a; }},
        {"(a > b ? a : " + cast + "(0))", type, [](Real a, Real b, Real) { return a > b ? a : 0; }},
        {cast + "(float(a) * 1.5f)", type, [](Real a, Real, Real) { return to_float(a * 1.5L); }},
        {"static_cast<" + cast + ">(a * 0.1f)", type,
         [](Real a, Real, Real) { return to_float(a * 0.1f); }},
        {"compound(a, b)", type,
         [r](Real a, Real b, Real) { return r(r(r(r(a + b) * b) - a) / 3); }},
        {"compound_int(a)", type, [r](Real a, Real, Real) { return r(r(a + 3) * 7); }},
        {"steps(a)", type, [r](Real a, Real, Real) { return r(r(a + 1) + a); }},
        {"float_plus(a)", float32, [](Real a, Real, Real) { return to_float(0.1f + a) * a; }},
        {"int_plus(a < 100 && a > -100 ? a : " + cast + "(1))", int32,
         [r](Real a, Real, Real) { return std::trunc(r(r(257) + (a < 100 && a > -100 ? a : 1))); }},
    };
    if (type == float16)
      table.expressions.push_back(
          {"float_into(a, 0.1f)", type, [](Real a, Real, Real) { return to_float(a + 0.1f); }});
    table.header = "typedef " + cast + " number;\n" + R"(
inline number compound(number a, number b) {
  number x = a; x += b; x *= b; x -= a; x /= number(3); return x; }
inline number compound_int(number a) { number x = a; x += 3; x *= 7; return x; }
inline number steps(number a) {
  number x = a; number before = x++; --x; ++x; x--; ++x; return x + before; }
inline float float_plus(number a) { float x = 0.1f; x += a; x *= a; return x; }
inline int int_plus(number a) { int x = 257; x += a; return x; }
)";
    if (type == float16)
      table.header += "inline half float_into(half a, float b) { half x = a; x += b; return x; }\n";
    // ++ and -- meet in the value a + 1, but round at each step.
    for (Expression& expression : table.expressions)
      if (expression.text == "steps(a)")
        expression.expected = [r](Real a, Real, Real) {
          Real x = r(a + 1);
          x = r(x - 1);
          x = r(x + 1);
          x = r(x - 1);
          x = r(x + 1);
          return r(x + a);
        };
    rows.push_back(make_row(table));
  }
  ExpressionTable table{.name = "float_expressions"};
  const std::vector<Real> values = edge_values();
  table.inputs = {{"first", make_array(float32, values)},
                  {"second", make_array(float32, shuffled(values, 37))},
                  {"third", make_array(float32, shuffled(values, 61))}};
  table.expressions = {
      // Contraction would round once.
      {"a * b + c", float32, [](Real a, Real b, Real c) { return to_float(a * b) + c; }},
      {"c - a * b", float32, [](Real a, Real b, Real c) { return c - to_float(a * b); }},
      {"a * b + a * c", float32,
       [](Real a, Real b, Real c) { return to_float(a * b) + to_float(a * c); }},
      {"(a + b) - b", float32, [](Real a, Real b, Real) { return to_float(a + b) - b; }},
      {"a / b", float32, [](Real a, Real b, Real) { return a / b; }},
      {"1.0f / a", float32, [](Real a, Real, Real) { return 1 / a; }},
      {"a * 0.0f", float32, [](Real a, Real, Real) { return a * 0; }},
      {"a - a", float32, [](Real a, Real, Real) { return a - a; }},
      {"a == a", bool_, [](Real a, Real, Real) { return a == a; }},
      // Without a suffix it is a float in Metal: there is no double.
      {"a * 0.1", float32, [](Real a, Real, Real) { return a * 0.1f; }},
      {"a + 1e-3", float32, [](Real a, Real, Real) { return a + 1e-3f; }},
      {"3.0 * a / 7.", float32, [](Real a, Real, Real) { return to_float(3 * a) / 7; }},
      {"(a > 0 ? 0.1 : a)", float32, [](Real a, Real, Real) { return a > 0 ? 0.1f : a; }},
      {"0x1.8p3f * a", float32, [](Real a, Real, Real) { return 12 * a; }},
  };
  rows.push_back(make_row(table));
  return rows;
}
SPRUE_MATRIX(Expressions, expression_rows)

}  // namespace
}  // namespace sprue::language
