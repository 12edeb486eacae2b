// Mathematical functions, under every name that Metal gives them, against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

struct Function {
  const char* name;
  Real (*reference)(Real);
  double ulps;  // for float
  Real low, high;
};

Real rsqrt(Real x) { return 1 / std::sqrt(x); }
// Of infinity: whatever; MSL says nothing. A tiny negative number doesn't reach 1 (see below).
Real fract(Real x) { return x - std::floor(x); }
Real sign(Real x) { return x > 0 ? 1 : x < 0 ? -1 : std::isnan(x) ? 0 : x; }
Real exp10(Real x) { return std::pow(10.0L, x); }

// The accuracy that is promised: exp, log, sin, cos 4 ulp; tanh 5; sqrt and rsqrt correctly rounded;
// what rounds to an integer is exact.
std::vector<Function> functions() {
  return {{"exp", std::exp, 4, -110, 95},
          {"exp2", std::exp2, 4, -155, 130},
          {"exp10", exp10, 4, -46, 39},
          {"expm1", std::expm1, 4, -20, 90},
          {"log1p", std::log1p, 4, -1, 1000},
          {"log", std::log, 4, 0, 1e6L},
          {"log2", std::log2, 4, 0, 100},
          {"log10", std::log10, 4, 0, 100},
          {"sin", std::sin, 4, -50, 50},
          {"cos", std::cos, 4, -50, 50},
          {"tan", std::tan, 5, -20, 20},
          {"tanh", std::tanh, 5, -10, 10},
          {"sinh", std::sinh, 5, -20, 20},
          {"cosh", std::cosh, 5, -20, 20},
          {"asin", std::asin, 5, -1, 1},
          {"acos", std::acos, 5, -1, 1},
          {"atan", std::atan, 5, -30, 30},
          {"asinh", std::asinh, 5, -30, 30},
          {"acosh", std::acosh, 5, 1, 30},
          {"atanh", std::atanh, 5, -1, 1},
          {"sqrt", std::sqrt, 0, 0, 1e9L},
          {"rsqrt", rsqrt, 0, 0, 1e9L},
          {"abs", std::fabs, 0, -9, 9},
          {"fabs", std::fabs, 0, -9, 9},
          {"floor", std::floor, 0, -9, 9},
          {"ceil", std::ceil, 0, -9, 9},
          {"round", std::round, 0, -9, 9},
          {"rint", std::rint, 0, -9, 9},
          {"trunc", std::trunc, 0, -9, 9},
          {"fract", fract, 0, -9, 9},
          {"sign", sign, 0, -2, 2}};
}

// Ordinary values of the function's range, and the ones where something special happens.
std::vector<Real> arguments(const Function& function, Dtype type) {
  std::vector<Real> values = {
      0.0L,        -0.0L,      1.0L,      -1.0L,       0.5L,       -0.5L,       1.5L,
      2.5L,        -2.5L,      3.5L,      0.49999997L, INFINITY,   -INFINITY,   NAN,
      1e-45L,      -1e-40L,    1e-38L,    1e-7L,       -1e-7L,     6e-8L,       65504.0L,
      1e30L,       -1e30L,     3.4e38L,   88.7L,       88.8L,      -87.4L,      -103.9L,
      -104.0L,     8388607.5L, 100000.0L, 3.1415927L,  1.5707964L, 16777216.0L, -8388608.5L,
      0.99999994L, 11.09L,     -16.7L};
  for (Real value : uniform(474, function.low, function.high, 17, type)) values.push_back(value);
  return values;
}

// name(x) as float, half and bfloat, with the prefixes. One kernel a function.
std::vector<Row> function_rows(MathMode math, const std::string& prefix) {
  std::vector<Row> rows;
  for (const Function& function : functions())
    for (Dtype type : {float32, float16, bfloat16}) {
      const std::string scalar = type == float32 ? "float" : type == float16 ? "half" : "bfloat";
      const Array input = make_array(type, arguments(function, type));
      const std::string name = function.name;
      Row row{.name = prefix + name + "_of_" + scalar};
      row.body =
          "uint i = thread_position_in_grid.x; T v = x[i];\n"
          "y0[i] = " +
          name + "(v); y1[i] = metal::" + name + "(v);\n";
      const bool prefixed = name != "sign" && name != "expm1" && name != "log1p";
      row.body += "y2[i] = " + std::string(prefixed ? "fast::" : "") + name +
                  "(v); y3[i] = " + (prefixed ? "metal::precise::" : "metal::") + name + "(v);";
      row.template_arguments = {{"T", type}};
      row.inputs = {{"x", input}};
      // Through float and once more rounded: within a unit of the type.
      const double ulps = type == float32 ? function.ulps : function.ulps == 0 ? 0.501 : 1;
      for (int k = 0; k < 4; ++k)
        row.outputs.push_back(
            {"y" + std::to_string(k), type, input.shape(),
             [input, type, name, reference = function.reference](int64_t i) {
               const Real exact = reference(value_at(input, i));
               return name == "fract" ? std::min(exact, 1 - ulp(0.5L, type)) : exact;
             },
             ulps, 0,
             [input](int64_t i) {
               return "of " + std::to_string(static_cast<double>(value_at(input, i)));
             }});
      row.grid = {input.size(), 1, 1};
      row.threadgroup = {128, 1, 1};
      row.math = math;
      rows.push_back(row);
    }
  return rows;
}
std::vector<Row> safe_rows() { return function_rows(MathMode::safe, ""); }
SPRUE_MATRIX(MathFunctions, safe_rows)

// Numbers that the field relies on, in each math mode.
Row special_row(MathMode math, const std::string& name) {
  const std::vector<Real> values = {INFINITY, -INFINITY, NAN, 0.0L, -0.0L, 1.0L, -3.0L};
  Row row{.name = "special_values_" + name};
  row.math = math;
  row.body = R"(
    uint i = thread_position_in_grid.x;
    float v = x[i];
    y[0 + i] = exp(-INFINITY);
    y[7 + i] = exp(v - v);
    y[14 + i] = isnan(v) ? 1.0f : 2.0f;
    y[21 + i] = (v == -INFINITY) ? 0.0f : exp(min(v, 1.0f));
    y[28 + i] = v != v;
    y[35 + i] = isinf(v) ? 3.0f : 4.0f;
    y[42 + i] = isnan(v / v) ? 5.0f : 6.0f;
    y[49 + i] = max(v, -INFINITY);
    y[56 + i] = fast::exp(v);
    y[63 + i] = isnan(NAN) && !isfinite(INFINITY) && isinf(HUGE_VALF) ? 1 : 0;
    float largest = -INFINITY;
    for (int k = 0; k < 7; ++k) if (x[k] > largest) largest = x[k];
    y[70 + i] = largest;
    y[77 + i] = metal::exp(largest == INFINITY ? -INFINITY : 0.0f);
#ifdef __FAST_MATH__
    y[84 + i] = 1;
#else
    y[84 + i] = 0;
#endif
  )";
  row.inputs = {{"x", make_array(float32, values)}};
  row.outputs = {{"y",
                  float32,
                  {13, 7},
                  [values, math](int64_t index) -> Real {
                    const Real v = values[static_cast<size_t>(index % 7)];
                    switch (index / 7) {
                      case 0:
                        return 0;
                      case 1:
                        return std::exp(v - v);
                      case 2:
                        return std::isnan(v) ? 1 : 2;
                      case 3:
                        return v == -INFINITY ? 0 : std::exp(std::isnan(v) || v > 1 ? 1 : v);
                      case 4:
                        return std::isnan(v);
                      case 5:
                        return std::isinf(v) ? 3 : 4;
                      case 6:
                        return std::isnan(v / v) ? 5 : 6;
                      case 7:
                        return std::isnan(v) ? -INFINITY : v;
                      case 8:
                        return std::exp(v);
                      case 9:
                        return 1;
                      case 10:
                        return INFINITY;
                      case 11:
                        return 0;
                      default:
                        return math == MathMode::fast;
                    }
                  },
                  4}};
  row.grid = {7, 1, 1};
  row.threadgroup = {7, 1, 1};
  return row;
}

std::vector<Row> special_rows() {
  return {special_row(MathMode::safe, "safe"), special_row(MathMode::relaxed, "relaxed"),
          special_row(MathMode::fast, "fast")};
}
SPRUE_MATRIX(SpecialValues, special_rows)

// Relaxed and fast mode transform the user's arithmetic, not the inside of the functions.
std::vector<Row> other_mode_rows() {
  std::vector<Row> rows;
  for (MathMode math : {MathMode::relaxed, MathMode::fast}) {
    Row row{.name =
                math == MathMode::fast ? "functions_in_fast_mode" : "functions_in_relaxed_mode"};
    row.math = math;
    const Array input = make_array(float32, uniform(512, 0.001L, 20, 77));
    row.inputs = {{"x", input}};
    row.body = "uint i = thread_position_in_grid.x; float v = x[i];\n";
    int count = 0;
    std::vector<Function> used;
    for (const Function& function : functions()) {
      const std::string name = function.name;
      const bool narrow = name == "asin" || name == "acos" || name == "atanh";
      if (narrow || name == "acosh") continue;
      row.body += "y[" + std::to_string(512 * count++) + " + i] = " + name + "(v);\n";
      used.push_back(function);
    }
    row.outputs = {
        {"y",
         float32,
         {count, 512},
         [used, input](int64_t i) {
           return used[static_cast<size_t>(i / 512)].reference(value_at(input, i % 512));
         },
         8,
         1e-30,
         [used](int64_t i) { return std::string(used[static_cast<size_t>(i / 512)].name); }}};
    row.grid = {512, 1, 1};
    row.threadgroup = {64, 1, 1};
    rows.push_back(row);
  }
  return rows;
}
SPRUE_MATRIX(OtherModes, other_mode_rows)

// a * b + c: safe mode rounds twice, always; relaxed and fast may fuse, so that either is right.
TEST(Contraction, never_in_safe_mode) {
  const std::vector<Real> a = uniform(4096, -2, 2, 1), b = uniform(4096, -2, 2, 2);
  std::vector<Real> c;  // close to -a*b, so that the roundings show
  for (size_t i = 0; i < a.size(); ++i)
    c.push_back(-to_float(a[i] * b[i]) * (1 + (i % 3) * 0x1p-20L));
  for (const Device& device : devices()) {
    if (!device.missing().empty()) continue;
    for (MathMode math : {MathMode::safe, MathMode::relaxed, MathMode::fast}) {
      KernelOptions options{
          .name = "contraction", .input_names = {"a", "b", "c"}, .output_names = {"y"}};
      options.source =
          "uint i = thread_position_in_grid.x; float p = a[i] * b[i]; y[i] = p + c[i];";
      options.math = math;
      const auto out = device.run(
          options,
          {.inputs = {make_array(float32, a), make_array(float32, b), make_array(float32, c)},
           .output_shapes = {{4096}},
           .output_dtypes = {float32},
           .grid = {4096, 1, 1},
           .threadgroup = {256, 1, 1}});
      if (!out) continue;
      int fused = 0, told_apart = 0;
      for (int64_t i = 0; i < 4096; ++i) {
        const auto k = static_cast<size_t>(i);
        const float cf = static_cast<float>(c[k]);
        const Real twice = to_float(to_float(a[k] * b[k]) + cf);
        const Real once = std::fma(static_cast<float>(a[k]), static_cast<float>(b[k]), cf);
        const Real got = value_at((*out)[0], i);
        told_apart += once != twice;
        fused += got == once && once != twice;
        ASSERT_TRUE(got == twice || (math != MathMode::safe && got == once))
            << device.name << " " << i;
      }
      EXPECT_GT(told_apart, 1000);
      if (math == MathMode::safe) {
        EXPECT_EQ(fused, 0) << device.name;
      }
    }
  }
}

}  // namespace
}  // namespace sprue::language
