// Reinterpreted bits, limits of types, constants, literals, and the functions that MLX puts in front of
// a kernel.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

constexpr Dtype kIntegers[] = {uint8, uint16, uint32, uint64, int8, int16, int32, int64};

// as_type between all types of equal size, vectors included: 8 bytes, seen as each.
std::vector<Row> as_type_rows() {
  struct Type {
    std::string name;
    size_t size;
  };
  std::vector<Type> types;
  for (Dtype dtype :
       {uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, bfloat16, float32}) {
    types.push_back({element_name(dtype), dtype_size(dtype)});
    for (int count : {2, 4})
      types.push_back({vector_name(dtype, count), dtype_size(dtype) * static_cast<size_t>(count)});
  }
  std::vector<Row> rows;
  for (size_t size : {1, 2, 4, 8, 16}) {
    std::vector<uint64_t> bytes;
    for (size_t k = 0; k < 16; ++k) bytes.push_back(0x31 + 7 * k);
    Row row{.name = fmt::format("as_type_of_{}_bytes", size)};
    row.inputs = {{"x", make_array_of_bits(uint8, bytes)}};
    int64_t pairs = 0;
    for (const Type& from : types)
      for (const Type& to : types) {
        if (from.size != size || to.size != size) continue;
        row.body += fmt::format(
            "{{ {} v = *(const constant {}*)x; *(device {}*)(y + {}) = as_type<{}>(v); }}\n",
            from.name, from.name, to.name, static_cast<int64_t>(size) * pairs++, to.name);
      }
    // More than eight elements lie in device memory.
    for (size_t at; (at = row.body.find("const constant")) != std::string::npos;)
      row.body.replace(at, 14, "const device");
    const auto width = static_cast<int64_t>(size);
    row.outputs = {{"y", uint8, {pairs, width}, [bytes, width](int64_t i) {
                      return static_cast<Real>(bytes[static_cast<size_t>(i % width)]);
                    }}};
    rows.push_back(row);
  }
  return rows;
}
SPRUE_MATRIX(AsType, as_type_rows)

// Expressions that are constants: one thread stores them all.
struct Constant {
  template <typename Number>
  Constant(std::string text_, Number value_)
      : text(std::move(text_)), value(static_cast<Real>(value_)) {}
  std::string text;
  Real value;
};

Row constants_row(const std::string& name, Dtype type, const std::vector<Constant>& constants) {
  Row row{.name = name};
  for (size_t k = 0; k < constants.size(); ++k)
    row.body += fmt::format("y[{}] = {};\n", k, constants[k].text);
  row.outputs = {{"y", type, {static_cast<int64_t>(constants.size())}}};
  row.outputs[0].expected = [constants](int64_t i) {
    return constants[static_cast<size_t>(i)].value;
  };
  row.outputs[0].element_text = [constants](int64_t i) {
    return constants[static_cast<size_t>(i)].text;
  };
  return row;
}

struct Floating {
  Dtype type;
  int digits, maximum_exponent;
  int digits10, max_digits10, min_exponent10, max_exponent10;
};
constexpr Floating kFloatings[] = {{float32, 24, 128, 6, 9, -37, 38},
                                   {float16, 11, 16, 3, 5, -4, 4},
                                   {bfloat16, 8, 128, 2, 4, -37, 38}};

std::vector<Row> limits_rows() {
  std::vector<Row> rows;
  for (const Floating& f : kFloatings) {
    const std::string name = element_name(f.type), limits = "numeric_limits<" + name + ">::";
    const Real largest = std::ldexp(2 - std::ldexp(2.0L, -f.digits), f.maximum_exponent - 1);
    const Real smallest = std::ldexp(1.0L, 2 - f.maximum_exponent);
    rows.push_back(constants_row("limits_of_" + name, f.type,
                                 {{limits + "max()", largest},
                                  {"metal::" + limits + "lowest()", -largest},
                                  {limits + "min()", smallest},
                                  {limits + "epsilon()", std::ldexp(1.0L, 1 - f.digits)},
                                  {limits + "round_error()", 0.5L},
                                  {limits + "infinity()", INFINITY},
                                  {"-" + limits + "infinity()", -INFINITY},
                                  {limits + "quiet_NaN()", NAN},
                                  {limits + "signaling_NaN()", NAN},
                                  {limits + "denorm_min()", std::ldexp(smallest, 1 - f.digits)},
                                  {"Limits<" + name + ">::max", INFINITY},
                                  {"Limits<" + name + ">::min", -INFINITY},
                                  {"Limits<" + name + ">::finite_max", largest},
                                  {"Limits<" + name + ">::finite_min", -largest},
                                  {"max(" + name + "(1), Limits<" + name + ">::finite_min)", 1}}));
    rows.push_back(constants_row("traits_of_" + name, int32,
                                 {{limits + "digits", f.digits},
                                  {limits + "digits10", f.digits10},
                                  {limits + "max_digits10", f.max_digits10},
                                  {limits + "max_exponent", f.maximum_exponent},
                                  {limits + "min_exponent", 3 - f.maximum_exponent},
                                  {limits + "max_exponent10", f.max_exponent10},
                                  {limits + "min_exponent10", f.min_exponent10},
                                  {limits + "radix", 2},
                                  {limits + "is_signed", 1},
                                  {limits + "is_integer", 0},
                                  {limits + "is_specialized", 1},
                                  {limits + "has_infinity", 1},
                                  {limits + "has_quiet_NaN", 1}}));
  }
  for (Dtype type : kIntegers) {
    const std::string name = element_name(type), limits = "numeric_limits<" + name + ">::";
    const bool is_signed = type >= int8;
    const int digits = static_cast<int>(8 * dtype_size(type)) - is_signed;
    const Real lowest = is_signed ? -std::ldexp(1.0L, digits) : 0;
    const Real highest = std::ldexp(1.0L, digits) - 1;
    rows.push_back(constants_row(
        "limits_of_" + name, type,
        {{limits + "max()", highest},
         {limits + "min()", lowest},
         {limits + "lowest()", lowest},
         {"Limits<" + name + ">::max", highest},
         {"Limits<" + name + ">::finite_min", lowest},
         {limits + "epsilon()", 0},
         {limits + "digits", digits},
         {limits + "digits10", static_cast<int>(std::floor(digits * std::log10(2.0L)))},
         {limits + "is_signed", is_signed},
         {limits + "is_integer", 1},
         {limits + "has_infinity", 0},
         {"numeric_limits<const " + name + ">::is_specialized", 1}}));
  }
  rows.push_back(constants_row("limits_of_bool", int32,
                               {{"numeric_limits<bool>::max()", 1},
                                {"numeric_limits<bool>::min()", 0},
                                {"numeric_limits<bool>::digits", 1},
                                {"Limits<bool>::max", 1},
                                {"Limits<bool>::min", 0}}));
  return rows;
}
SPRUE_MATRIX(TypeLimits, limits_rows)

std::vector<Row> constant_rows() {
  const Real pi = std::acos(-1.0L);
  struct Named {
    const char* stem;
    Real value;
  };
  const Named named[] = {{"M_E", std::exp(1.0L)},
                         {"M_LOG2E", 1 / std::log(2.0L)},
                         {"M_LOG10E", 1 / std::log(10.0L)},
                         {"M_LN2", std::log(2.0L)},
                         {"M_LN10", std::log(10.0L)},
                         {"M_PI", pi},
                         {"M_PI_2", pi / 2},
                         {"M_PI_4", pi / 4},
                         {"M_1_PI", 1 / pi},
                         {"M_2_PI", 2 / pi},
                         {"M_2_SQRTPI", 2 / std::sqrt(pi)},
                         {"M_SQRT2", std::sqrt(2.0L)},
                         {"M_SQRT1_2", std::sqrt(0.5L)}};
  std::vector<Constant> floats = {{"INFINITY", INFINITY},
                                  {"-INFINITY", -INFINITY},
                                  {"NAN", NAN},
                                  {"HUGE_VALF", INFINITY},
                                  {"MAXFLOAT", std::numeric_limits<float>::max()},
                                  {"FLT_MAX", std::numeric_limits<float>::max()},
                                  {"FLT_MIN", std::numeric_limits<float>::min()},
                                  {"FLT_EPSILON", std::numeric_limits<float>::epsilon()}};
  std::vector<Constant> halves = {{"HALF_MAX", 65504},
                                  {"MAXHALF", 65504},
                                  {"HALF_MIN", 0x1p-14L},
                                  {"HALF_EPSILON", 0x1p-10L},
                                  {"HUGE_VALH", INFINITY},
                                  {"1.0h", 1},
                                  {"0.1h", 0.1L},
                                  {"0.1H", 0.1L},
                                  {"2.h", 2},
                                  {"1e-3h", 1e-3L},
                                  {"0x1.8p1h", 3},
                                  {"1.5h * 2.0h", 3}};
  for (const Named& constant : named) {
    floats.push_back({std::string(constant.stem) + "_F", constant.value});
    halves.push_back({std::string(constant.stem) + "_H", constant.value});
  }
  return {constants_row("constants_of_float", float32, floats),
          constants_row("constants_of_half", float16, halves),
          constants_row("constants_of_bfloat", bfloat16,
                        {{"1.5bf", 1.5L},
                         {"0.1bf", 0.1L},
                         {"2.bf", 2},
                         {".25BF", 0.25L},
                         {"1e10bf", 1e10L},
                         {"0x1.8p3bf", 12},
                         // Next to ties, from both sides: rounding to float first would lose it.
                         {"1.00390625bf", 1.0L},
                         {"1.003906250001bf", 1.0078125L},
                         {"1.01171874999999bf", 1.0078125L},
                         {"-1.003906250001bf", -1.0078125L},
                         {"1.5bf + 1", 2.5L},
                         {"MAXBFLOAT", 0x1.fep127L},
                         {"HUGE_VALBF", INFINITY}}),
          constants_row("constants_of_integers", int64,
                        {{"CHAR_BIT", 8},
                         {"SCHAR_MAX", 127},
                         {"SCHAR_MIN", -128},
                         {"CHAR_MAX", 127},
                         {"CHAR_MIN", -128},
                         {"UCHAR_MAX", 255},
                         {"SHRT_MAX", 32767},
                         {"SHRT_MIN", -32768},
                         {"USHRT_MAX", 65535},
                         {"INT_MAX", 2147483647},
                         {"INT_MIN", -2147483648.0L},
                         {"UINT_MAX", 4294967295.0L},
                         {"LONG_MAX", 9223372036854775807.0L},
                         {"LONG_MIN", -9223372036854775808.0L},
                         {"ULONG_MAX == ~0ul", 1},
                         {"FLT_DIG", 6},
                         {"FLT_MANT_DIG", 24},
                         {"FLT_RADIX", 2},
                         {"FLT_MAX_EXP", 128},
                         {"FLT_MIN_EXP", -125},
                         {"FLT_MAX_10_EXP", 38},
                         {"FLT_MIN_10_EXP", -37},
                         {"HALF_DIG", 3},
                         {"HALF_MANT_DIG", 11},
                         {"HALF_RADIX", 2},
                         {"HALF_MAX_EXP", 16},
                         {"HALF_MIN_EXP", -13},
                         {"HALF_MAX_10_EXP", 4},
                         {"HALF_MIN_10_EXP", -4},
                         // No suffixes: digits of other bases, and an identifier.
                         {"0x1bf", 0x1bf},
                         {"0xbf", 0xbf}})};
}
SPRUE_MATRIX(Constants, constant_rows)

std::vector<Row> helper_rows() {
  // 2 x 3 x 4, transposed and reversed along the last axis.
  const std::vector<Real> strides = {1, 8, -2}, shape = {2, 3, 4};
  Row row{.name = "places_of_strided_elements"};
  row.body =
      "uint i = thread_position_in_grid.x;\n"
      "uint3 at = uint3(i % 4, i / 4 % 3, i / 12);\n"
      "y[i] = elem_to_loc(i, (const constant int*)shape, strides, 3);\n"
      "y[24 + i] = elem_to_loc(at, shape, strides, 3);\n"
      "y[48 + i] = elem_to_loc(int64_t(i), shape, strides, 3);\n"
      "y[72 + i] = elem_to_loc_3(at, strides);\n"
      "y[96 + i] = elem_to_loc_2(at.xy, strides + 1);\n"
      "y[120 + i] = elem_to_loc_1(i, strides[2]);\n"
      "y[144 + i] = ceildiv(i, 7u); y[168 + i] = cast_to<int>(float(i) + 0.75f);";
  row.inputs = {{"shape", make_array(int32, shape)}, {"strides", make_array(int64, strides)}};
  row.grid = row.threadgroup = {24, 1, 1};
  row.outputs = {{"y", int64, {8, 24}, [](int64_t index) -> Real {
                    const int64_t i = index % 24, x = i % 4, y = i / 4 % 3, z = i / 12;
                    switch (index / 24) {
                      case 4:
                        return y * 8 - x * 2;
                      case 5:
                        return i * -2;
                      case 6:
                        return (i + 6) / 7;
                      case 7:
                        return i;
                      default:
                        return z + y * 8 - x * 2;
                    }
                  }}};
  Row complex{.name = "complex_numbers"};
  complex.body =
      "complex64_t a = {1, 2}, b = complex64_t(3, -4), c = 5;\n"
      "complex64_t results[] = {a + b, a - b, a * b, a / b, -a, a * c};\n"
      "for (int k = 0; k < 6; ++k) { y[2 * k] = results[k].real; y[2 * k + 1] = results[k].imag; "
      "}\n"
      "y[12] = a == a; y[13] = a != a; y[14] = a == complex64_t(1, 3); y[15] = c.imag;";
  complex.outputs = {{"y",
                      float32,
                      {16},
                      [](int64_t i) -> Real {
                        const Real expected[] = {4,  -2, -2, 6,  11, 2, -0.2L, 0.4L,
                                                 -1, -2, 5,  10, 1,  0, 0,     0};
                        return expected[i];
                      },
                      1}};
  return {row, complex};
}
SPRUE_MATRIX(Helpers, helper_rows)

}  // namespace
}  // namespace sprue::language
