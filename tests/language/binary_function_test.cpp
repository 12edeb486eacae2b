// Mathematical functions of two and three arguments, under every name that Metal gives them, against long
// double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real pow_reference(Real x, Real y, Real) { return std::pow(x, y); }

std::vector<Row> binary_rows() {
  std::vector<Row> rows;
  std::vector<Real> values = {0.0L,      -0.0L, 1.0L,  -1.0L, 2.0L,     -2.0L,  0.5L,
                              -0.5L,     3.0L,  -3.0L, 1.5L,  1e-40L,   1e30L,  INFINITY,
                              -INFINITY, NAN,   10.0L, 0.1L,  65504.0L, -7.25L, 1e-6L};
  std::vector<Real> first, second, third;
  for (Real a : values)
    for (Real b : values) {
      first.push_back(a);
      second.push_back(b);
      third.push_back(values[(first.size() * 5) % values.size()]);
    }
  for (Real value : uniform(300, 0, 20, 3)) first.push_back(value);
  for (Real value : uniform(300, -8, 8, 4)) second.push_back(value);
  for (Real value : uniform(300, -100, 100, 6)) third.push_back(value);
  for (Dtype type : {float32, float16, bfloat16}) {
    const std::string scalar = type == float32 ? "float" : type == float16 ? "half" : "bfloat";
    const bool is_float = type == float32;
    ExpressionTable table{.name = "functions_of_two_" + scalar + "s"};
    table.inputs = {{"first", make_array(type, first)},
                    {"second", make_array(type, second)},
                    {"third", make_array(type, third)}};
    const auto smaller = [](Real a, Real b, Real) { return std::isnan(a) || b < a ? b : a; };
    const auto larger = [](Real a, Real b, Real) { return std::isnan(a) || b > a ? b : a; };
    table.expressions = {
        {"pow(a, b)", type, pow_reference, is_float ? 16.0 : 1.0},
        {"metal::pow(a, b)", type, pow_reference, is_float ? 16.0 : 1.0},
        {"fast::pow(a, b)", type, pow_reference, is_float ? 16.0 : 1.0},
        {"metal::precise::pow(a, b)", type, pow_reference, is_float ? 16.0 : 1.0},
        {"powr(abs(a), b)", type,
         [](Real a, Real b, Real) {
           a = std::fabs(a);  // exp(b * log(a)): undefined where pow has its own rules
           return std::isnan(a) || (a == 0 && b == 0) || (std::isinf(a) && b == 0) ||
                          (a == 1 && std::isinf(b)) || std::isnan(b)
                      ? NAN
                      : std::pow(a, b);
         },
         is_float ? 16.0 : 1.0},
        {"atan2(a, b)", type, [](Real a, Real b, Real) { return std::atan2(a, b); },
         is_float ? 5.0 : 1.0},
        {"fmod(a, b)", type, [](Real a, Real b, Real) { return std::fmod(a, b); }},
        {"min(a, b)", type, smaller},
        {"metal::min(a, b)", type, smaller},
        {"fmin(a, b)", type, smaller},
        {"fast::min(a, b)", type, smaller},
        {"precise::fmin(a, b)", type, smaller},
        {"max(a, b)", type, larger},
        {"metal::max(a, b)", type, larger},
        {"fmax(a, b)", type, larger},
        {"fast::max(a, b)", type, larger},
        {"metal::precise::max(a, b)", type, larger},
        {"max(a, " + scalar + "(0))", type,
         [larger](Real a, Real, Real) { return larger(a, 0, 0); }},
        {"clamp(a, " + scalar + "(-1), " + scalar + "(2))", type,
         [](Real a, Real, Real) { return std::isnan(a) || a < -1 ? -1
                                         : a > 2                 ? 2
                                                                 : a; }},
        {"copysign(a, b)", type,
         [](Real a, Real b, Real) { return std::isnan(a) ? a : std::copysign(a, b); }},
        {"fdim(a, b)", type,
         [](Real a, Real b, Real) {
           return std::isnan(a) || std::isnan(b) ? NAN : a <= b ? 0 : a - b;
         }},
        {"fma(a, b, c)", type, [](Real a, Real b, Real c) { return a * b + c; }, 0.501},
        {"metal::fma(a, b, c)", type, [](Real a, Real b, Real c) { return a * b + c; }, 0.501},
        {"metal::precise::divide(a, b)", type, [](Real a, Real b, Real) { return a / b; }},
        {"select(a, b, a > c)", type, [](Real a, Real b, Real c) { return a > c ? b : a; }},
        {"ldexp(a, 3)", type, [](Real a, Real, Real) { return a * 8; }},
        {"ldexp(a, -20)", type, [](Real a, Real, Real) { return std::ldexp(a, -20); }},
        {"isnan(a)", bool_, [](Real a, Real, Real) { return std::isnan(a); }},
        {"metal::isinf(a)", bool_, [](Real a, Real, Real) { return std::isinf(a); }},
        {"isfinite(a)", bool_, [](Real a, Real, Real) { return std::isfinite(a); }},
        {"a != a", bool_, [](Real a, Real, Real) { return std::isnan(a); }},
        {"signbit(a)", bool_,
         [type](Real a, Real, Real) { return encode(a, type) >> (8 * dtype_size(type) - 1); }},
    };
    if (is_float) {
      for (Expression& expression : table.expressions)
        if (expression.text.find("fma(") != std::string::npos) {
          expression.expected = [](Real a, Real b, Real c) {
            return Real{
                std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c))};
          };
          expression.ulps = 0;
        }
    }
    if (type == bfloat16) {  // the one mixture that Metal resolves
      table.expressions.push_back(
          {"max(a, 0.25f)", float32, [larger](Real a, Real, Real) { return larger(a, 0.25L, 0); }});
      table.expressions.push_back({"exp(a * 0.01f)", float32,
                                   [](Real a, Real, Real) { return std::exp(to_float(a * 0.01f)); },
                                   4});
    }
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(BinaryFunctions, binary_rows)

}  // namespace
}  // namespace sprue::language
