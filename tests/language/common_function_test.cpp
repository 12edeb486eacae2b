// Scalar functions beyond the elementary ones: parts of numbers, neighbours, blends, the middle of three.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

std::vector<Real> values() {
  std::vector<Real> values = {0.0L,      -0.0L,   1.0L,        -1.0L,  0.5L,     1e-45L,  -1e-40L,
                              1.2e-38L,  6.1e-5L, 6e-5L,       -6e-8L, 65504.0L, 3.4e38L, INFINITY,
                              -INFINITY, NAN,     0.99999994L, 1.5L,   -2.5L,    1e-7L};
  // The smallest normal numbers, and those just below.
  for (Real value : {0x1p-14L, -0x1p-14L, 0x1.ff8p-15L, 0x1p-126L, -0x1p-126L, 0x1.fep-127L})
    values.push_back(value);
  for (Real value : uniform(102, -3, 3, 31)) values.push_back(value);
  return values;
}
std::vector<Real> rotated(std::vector<Real> list, int64_t by) {
  std::rotate(list.begin(), list.begin() + by, list.end());
  return list;
}

// The neighbour of `a` towards `b`, by counting bit patterns.
Real neighbour(Real a, Real b, Dtype type) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  if (a == b) return b;
  const uint64_t sign = uint64_t{1} << (8 * dtype_size(type) - 1), bits = encode(a, type);
  if (a == 0) return decode(b < 0 ? sign | 1 : 1, type);
  return decode((a < b) == (a > 0) ? bits + 1 : bits - 1, type);
}

Real smaller(Real a, Real b) { return std::isnan(a) || b < a ? b : a; }
Real larger(Real a, Real b) { return std::isnan(a) || b > a ? b : a; }

std::vector<Row> floating_rows() {
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16}) {
    const bool is_float = type == float32;
    const std::string name(dtype_name(type));
    ExpressionTable table{.name = "common_functions_of_" + name};
    table.inputs = {{"first", make_array(type, values())},
                    {"second", make_array(type, rotated(values(), 37))},
                    {"third", make_array(type, rotated(values(), 73))}};
    table.header =
        "template <typename T> T whole(T v) { T w; (void)modf(v, w); return w; }\n"
        "template <typename T> T part(T v) { T w; return metal::modf(v, w); }\n"
        "template <typename T> int exponent(T v) { int e; (void)frexp(v, e); return e; }\n"
        "template <typename T> T significand(T v) { int e; return metal::frexp(v, e); }\n"
        "template <typename T> T sine(T v) { T c; return sincos(v, c); }\n"
        "template <typename T> T cosine(T v) { T c; (void)metal::fast::sincos(v, c); return c; }\n";
    const Real smallest = type == float16 ? 0x1p-14L : 0x1p-126L;
    const auto middle = [](Real a, Real b, Real c) {
      return larger(smaller(a, b), smaller(larger(a, b), c));
    };
    const auto blend = [](Real a, Real b, Real c) {
      return to_float(a + Real{to_float(to_float(b - a) * c)});
    };
    table.expressions = {
        {"whole(a)", type, [](Real a, Real, Real) { return std::trunc(a); }},
        {"part(a)", type,
         [](Real a, Real, Real) {
           return std::isinf(a) ? std::copysign(0.0L, a) : std::copysign(a - std::trunc(a), a);
         }},
        {"exponent(a)", int32,
         [](Real a, Real, Real) -> Real {
           if (a == 0 || !std::isfinite(a)) return 0;
           int e;
           (void)std::frexp(a, &e);
           return e;
         }},
        {"significand(a)", type,
         [](Real a, Real, Real) {
           int e;
           return std::isfinite(a) ? std::frexp(a, &e) : a;
         }},
        {"ilogb(a)", int32,
         [](Real a, Real, Real) -> Real {
           return a == 0 || std::isnan(a) ? -2147483648.0L
                  : std::isinf(a)         ? 2147483647.0L
                                          : std::ilogb(a);
         }},
        {"nextafter(a, b)", type, [type](Real a, Real b, Real) { return neighbour(a, b, type); }},
        {"sine(a)", type, [](Real a, Real, Real) { return std::sin(a); }, is_float ? 4.0 : 1.0},
        {"cosine(a)", type, [](Real a, Real, Real) { return std::cos(a); }, is_float ? 4.0 : 1.0},
        {"mix(a, b, c)", type, blend},
        {"saturate(a)", type,
         [](Real a, Real, Real) { return std::isnan(a) || a < 0 ? 0
                                         : a > 1                ? 1
                                                                : a; }},
        {"step(a, b)", type, [](Real a, Real b, Real) { return b < a ? 0 : 1; }},
        {"min3(a, b, c)", type, [](Real a, Real b, Real c) { return smaller(a, smaller(b, c)); }},
        {"max3(a, b, c)", type, [](Real a, Real b, Real c) { return larger(a, larger(b, c)); }},
        {"median3(a, b, c)", type, middle},
        {"fmin3(a, b, c)", type, [](Real a, Real b, Real c) { return smaller(a, smaller(b, c)); }},
        {"metal::fmax3(a, b, c)", type,
         [](Real a, Real b, Real c) { return larger(a, larger(b, c)); }},
        {"fmedian3(a, b, c)", type, middle},
        {"isnormal(a)", bool_,
         [smallest](Real a, Real, Real) { return std::isfinite(a) && std::fabs(a) >= smallest; }},
        {"isordered(a, b)", bool_,
         [](Real a, Real b, Real) { return !std::isnan(a) && !std::isnan(b); }},
        {"isunordered(a, b)", bool_,
         [](Real a, Real b, Real) { return std::isnan(a) || std::isnan(b); }},
    };
    rows.push_back(make_row(table));

    // Where the edges are in order.
    ExpressionTable smooth{.name = "smoothstep_of_" + name};
    smooth.inputs = {{"first", make_array(type, uniform(128, -1, 0.5L, 3, type))},
                     {"second", make_array(type, uniform(128, 0.75L, 2, 4, type))},
                     {"third", make_array(type, uniform(128, -2, 3, 5, type))}};
    smooth.expressions = {{"smoothstep(a, b, c)", type,
                           [](Real a, Real b, Real c) {
                             const Real t = std::clamp((c - a) / (b - a), 0.0L, 1.0L);
                             return t * t * (3 - 2 * t);
                           },
                           is_float ? 8.0 : 1.0}};
    rows.push_back(make_row(smooth));
  }
  return rows;
}
SPRUE_MATRIX(CommonFunctions, floating_rows)

}  // namespace
}  // namespace sprue::language
