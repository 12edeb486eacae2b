// __half and __nv_bfloat16: operators and functions over hard values, to the very bits.
#include <cmath>

#include "cuda_language/cuda_row.h"

namespace sprue::language {
namespace {

std::vector<Real> hard_values(Dtype dtype, uint64_t seed) {
  std::vector<Real> values = {0,
                              -0.0L,
                              1,
                              -1,
                              0.5L,
                              65504,
                              -65504,
                              6.0e-8L,
                              6.1e-5L,
                              1.0009765625L,
                              std::numeric_limits<Real>::infinity(),
                              -std::numeric_limits<Real>::infinity(),
                              std::numeric_limits<Real>::quiet_NaN()};
  // Pairs whose sums lie halfway between two numbers, and one beside.
  for (int k = 0; k < 12; ++k) values.push_back(std::ldexp(1.0L, -k));
  const auto more = uniform(487, -300, 300, seed, dtype);
  values.insert(values.end(), more.begin(), more.end());
  return values;
}
std::vector<Real> turned(std::vector<Real> values, size_t by) {
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(by), values.end());
  return values;
}

Real lower(Real a, Real b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::min(a, b); }
Real upper(Real a, Real b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }

// long double holds the exact products and, at these exponents, sums.
std::vector<Formula> arithmetic() {
  using R = Real;
  return {{"a + b", [](R a, R b, R) { return a + b; }},
          {"a - b", [](R a, R b, R) { return a - b; }},
          {"a * b", [](R a, R b, R) { return a * b; }},
          {"a / b", [](R a, R b, R) { return a / b; }},
          {"-a", [](R a, R, R) { return -a; }},
          {"__hadd(a, b)", [](R a, R b, R) { return a + b; }},
          {"__hsub(a, b)", [](R a, R b, R) { return a - b; }},
          {"__hmul(a, b)", [](R a, R b, R) { return a * b; }},
          {"__hdiv(a, b)", [](R a, R b, R) { return a / b; }},
          {"__hfma(a, b, c)", [](R a, R b, R c) { return a * b + c; }},
          {"__hmin(a, b)", [](R a, R b, R) { return lower(a, b); }},
          {"__hmax(a, b)", [](R a, R b, R) { return upper(a, b); }},
          {"__habs(a)", [](R a, R, R) { return std::fabs(a); }},
          {"hsqrt(a)", [](R a, R, R) { return std::sqrt(a); }},
          {"hrcp(a)", [](R a, R, R) { return 1 / a; }},
          {"hfloor(a)", [](R a, R, R) { return std::floor(a); }},
          {"htrunc(a)", [](R a, R, R) { return std::trunc(a); }},
          {"hexp(a)", [](R a, R, R) { return std::exp(a); }, 1},
          {"hlog(a)", [](R a, R, R) { return std::log(a); }, 1}};
}

std::vector<Formula> comparisons() {
  using R = Real;
  return {{"a < b", [](R a, R b, R) { return a < b; }},
          {"a != b", [](R a, R b, R) { return a != b; }},
          {"__hlt(a, b)", [](R a, R b, R) { return a < b; }},
          {"__hgeu(a, b)", [](R a, R b, R) { return !(a < b); }},
          {"__hneu(a, b)", [](R a, R b, R) { return a != b; }},
          {"__hne(a, b)", [](R a, R b, R) { return a < b || a > b; }},
          {"__hisnan(a)", [](R a, R, R) { return std::isnan(a); }},
          {"__hisinf(a)", [](R a, R, R) { return !std::isinf(a) ? 0
                                                 : a > 0        ? 1
                                                                : -1; }},
          {"bool(a)", [](R a, R, R) { return a != 0; }},
          {"int(a)", [](R a, R, R) -> R {
             return std::isnan(a) ? 0 : std::clamp<R>(std::trunc(a), INT32_MIN, INT32_MAX);
           }}};
}

std::vector<MatrixCase> rows() {
  std::vector<Row> rows;
  for (Dtype dtype : {float16, bfloat16}) {
    const std::string name(dtype_name(dtype));
    const auto values = hard_values(dtype, 5);
    const std::vector<Array> inputs = {make_array(dtype, values),
                                       make_array(dtype, turned(values, 101)),
                                       make_array(dtype, turned(values, 307))};
    rows.push_back(formulas(name + "_arithmetic", dtype, inputs, arithmetic()));
    rows.push_back(formulas(name + "_comparisons", int32, inputs, comparisons()));
    const bool is_half = dtype == float16;
    const std::string suffix = is_half ? "half" : "bfloat16",
                      pair = is_half ? "half2" : "bfloat162";
    // From wider types: rounded once.
    std::vector<Real> wide = {
        1.0L + 0x1p-8L + 0x1p-30L, 1.0L + 0x1p-11L + 0x1p-40L, 3, -257.5, 1e30L, 1e-30L, 70000};
    const auto more = uniform(200, -2, 2, 9, float32);
    for (Real value : more) wide.push_back(value);
    rows.push_back(
        formulas(name + "_from_float", dtype, {make_array(float32, wide)},
                 {{fmt::format("__float2{}_rn(a)", suffix), [](Real a, Real, Real) { return a; }},
                  {fmt::format("decltype(y0[0] + y0[0])(double(a) + 0x1p-40)", suffix),
                   [](Real a, Real, Real) { return a + 0x1p-40L; }}}));
    std::vector<Real> whole = {0,          1,        -1,       257,       0x1010001,
                               -0x1010001, 16842752, 16842753, INT32_MAX, INT32_MIN,
                               2049,       65519,    65520};
    rows.push_back(
        formulas(name + "_from_int", dtype, {make_array(int32, whole)},
                 {{fmt::format("__int2{}_rn(a)", suffix), [](Real a, Real, Real) { return a; }},
                  {"a", [](Real a, Real, Real) { return a; }}}));
    rows.push_back(formulas(
        name + "_pairs", float32, {inputs[0], inputs[1], inputs[2]},
        {{fmt::format(
              "__low2float(__hfma2(__halves2{0}(a, b), __halves2{0}(b, a), __halves2{0}(c, c)))",
              pair),
          [dtype](Real a, Real b, Real c) { return rounded(a * b + c, dtype); }},
         {fmt::format("__high2float(__halves2{0}(a, b) + __halves2{0}(c, c))", pair),
          [dtype](Real, Real b, Real c) { return rounded(b + c, dtype); }},
         {fmt::format("__{0}2float2(__float22{0}_rn(make_float2(1.5f, a))).y", pair),
          [](Real a, Real, Real) { return a; }},
         {fmt::format("__low2float(__lowhigh2highlow(__halves2{0}(a, b)))", pair),
          [](Real, Real b, Real) { return b; }},
         {fmt::format("(__halves2{0}(a, b) * __halves2{0}(c, b)).x", pair),
          [dtype](Real a, Real, Real c) { return rounded(a * c, dtype); }}}));
  }
  // 7 * 37 = 259 is halfway between two bfloats, and the rest is below a double's last bit.
  rows.push_back(formulas("fused_is_rounded_once", bfloat16,
                          {make_array(bfloat16, {7, 7, -7}), make_array(bfloat16, {37, 37, 37}),
                           make_array(bfloat16, {-0x1p-50L, 0x1p-50L, 0x1p-50L})},
                          {{"__hfma(a, b, c)", [](Real a, Real b, Real c) { return a * b + c; }}}));
  return on_cuda(rows);
}
SPRUE_CUDA_MATRIX(CudaHalf, rows)

}  // namespace
}  // namespace sprue::language
