// Conversions between half, float, bfloat and every integer type, over all bit patterns where there
// are 65,536 of them.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr int64_t kPatterns = 65536;

Array all_patterns(Dtype dtype) {
  std::vector<uint64_t> patterns;
  for (uint64_t bits = 0; bits < kPatterns; ++bits) patterns.push_back(bits);
  return make_array_of_bits(dtype, patterns);
}

// Every exponent with the significands that tell the roundings apart: ties, their neighbours, all
// ones; and both infinities and NaN.
Array float_patterns() {
  std::vector<uint64_t> patterns;
  for (uint64_t exponent = 0; exponent < 256; ++exponent)
    for (uint64_t significand :
         {0x0u,      0x1u,      0xfffu,    0x1000u,   0x1001u,   0x2fffu,  0x3000u,   0x3001u,
          0x7fffu,   0x8000u,   0x8001u,   0x17fffu,  0x18000u,  0x18001u, 0x400000u, 0x3fffffu,
          0x7fefffu, 0x7ff000u, 0x7f8000u, 0x7f7fffu, 0x7fffffu, 0x5a5a5au})
      for (uint64_t sign : {0u, 1u}) patterns.push_back(sign << 31 | exponent << 23 | significand);
  return make_array_of_bits(float32, patterns);
}

// One conversion by a kernel, for every element of `input`.
Row convert(const std::string& name, const Array& input, Dtype to, const std::string& text) {
  return {.name = name,
          .body = "uint i = thread_position_in_grid.x; y[i] = " + text + ";",
          .inputs = {{"x", input}},
          .outputs = {{"y", to, input.shape(), [input](int64_t i) { return value_at(input, i); }}},
          .grid = {input.size(), 1, 1},
          .threadgroup = {256, 1, 1}};
}

std::vector<Row> floating_rows() {
  const Array halves = all_patterns(float16), bfloats = all_patterns(bfloat16);
  const Array floats = float_patterns();
  return {convert("half_to_float", halves, float32, "x[i]"),
          convert("bfloat_to_float", bfloats, float32, "x[i]"),
          convert("half_to_half", halves, float16, "half(float(x[i]))"),
          convert("bfloat_to_bfloat", bfloats, bfloat16, "bfloat(float(x[i]))"),
          convert("float_to_half", floats, float16, "x[i]"),
          convert("float_to_half_explicitly", floats, float16, "static_cast<half>(x[i])"),
          convert("float_to_bfloat", floats, bfloat16, "static_cast<bfloat>(x[i])"),
          convert("float_to_bfloat_by_c_cast", floats, bfloat16, "(bfloat16_t)x[i]"),
          convert("half_to_bfloat", halves, bfloat16, "bfloat(x[i])"),
          convert("bfloat_to_half", bfloats, float16, "half(x[i])")};
}
SPRUE_MATRIX(FloatingConversions, floating_rows)

// Integers to floats: ties in 8, 11 and 24 bits.
std::vector<Row> from_integer_rows() {
  std::vector<Row> rows;
  const std::vector<Real> values = {0,
                                    1,
                                    -1,
                                    2,
                                    127,
                                    128,
                                    -128,
                                    255,
                                    257,
                                    259,
                                    511,
                                    513,
                                    2047,
                                    2049,
                                    2051,
                                    4095,
                                    32767,
                                    65504,
                                    65519,
                                    65520,
                                    65535,
                                    -32768,
                                    -65519,
                                    131071,
                                    4097,
                                    8193,
                                    16777217,
                                    16777219,
                                    33554431,
                                    33554435,
                                    2147483647,
                                    -2147483648.0L,
                                    4294967295.0L,
                                    4294967167.0L,
                                    9223372036854775807.0L,
                                    -9223372036854775807.0L - 1,
                                    18446744073709551615.0L,
                                    9007199254740993.0L,
                                    1099511693313.0L,
                                    65408,
                                    65407,
                                    3};
  for (Dtype from : {bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64}) {
    const Array input = make_array(from, values);  // modulo the type's size
    const auto expected = [input](int64_t i) { return value_at(input, i); };
    const Shape shape = input.shape();
    rows.push_back(
        {.name = std::string(dtype_name(from)) + "_to_floats",
         .body = "uint i = thread_position_in_grid.x;\n"
                 "f[i] = x[i]; h[i] = x[i]; b[i] = x[i];\n"
                 "f2[i] = float(x[i]); h2[i] = static_cast<half>(x[i]); b2[i] = (bfloat)x[i];",
         .inputs = {{"x", input}},
         .outputs = {{"f", float32, shape, expected},
                     {"h", float16, shape, expected},
                     // An integer of more than 24 bits reaches bfloat by way of float.
                     {"b", bfloat16, shape, [=](int64_t i) { return to_float(expected(i)); }},
                     {"f2", float32, shape, expected},
                     {"h2", float16, shape, expected},
                     {"b2", bfloat16, shape, [=](int64_t i) { return to_float(expected(i)); }}},
         .grid = {input.size(), 1, 1},
         .threadgroup = {32, 1, 1}});
  }
  return rows;
}
SPRUE_MATRIX(FromIntegers, from_integer_rows)

// Floats to integers truncate; the operands lie inside the range of each type.
std::vector<Row> to_integer_rows() {
  std::vector<Row> rows;
  const std::vector<Real> values = {0.0L, 0.5L,   0.99L,  1.0L,   1.5L,
                                    2.5L, 99.99L, 100.0L, 126.5L, 3.0e-5L};
  for (Dtype from : {float32, float16, bfloat16})
    for (Dtype to : {uint8, uint16, uint32, uint64, int8, int16, int32, int64}) {
      std::vector<Real> signed_values = values;
      const bool is_signed = to >= int8;
      for (Real value : values) signed_values.push_back(is_signed ? -value : -0.9L * (value < 1));
      const size_t bits = 8 * dtype_size(to) - is_signed;
      for (size_t k = 7; k < std::min<size_t>(bits, from == float16 ? 15 : 64); ++k) {
        signed_values.push_back(std::ldexp(1.0L, static_cast<int>(k)) + 0.75L);
        if (is_signed) signed_values.push_back(-std::ldexp(1.0L, static_cast<int>(k)) - 0.75L);
      }
      const Array input = make_array(from, signed_values);
      const auto expected = [input](int64_t i) { return std::trunc(value_at(input, i)); };
      rows.push_back(
          {.name = std::string(dtype_name(from)) + "_to_" + std::string(dtype_name(to)),
           .body = "uint i = thread_position_in_grid.x; y[i] = x[i];"
                   "z[i] = static_cast<Integer>(x[i]);",
           .template_arguments = {{"Integer", to}},
           .inputs = {{"x", input}},
           .outputs = {{"y", to, input.shape(), expected}, {"z", to, input.shape(), expected}},
           .grid = {input.size(), 1, 1},
           .threadgroup = {32, 1, 1}});
    }
  return rows;
}
SPRUE_MATRIX(ToIntegers, to_integer_rows)

std::vector<Row> to_bool_rows() {
  std::vector<Row> rows;
  for (Dtype from : {float32, float16, bfloat16, int32, uint8, int64}) {
    const Array input = make_array(from, {0, -0.0L, 1, -1, 0.25L, NAN, 256, 1e-7L, 65536});
    rows.push_back(
        {.name = std::string(dtype_name(from)) + "_to_bool",
         .body = "uint i = thread_position_in_grid.x; y[i] = x[i]; z[i] = x[i] ? 3 : 4;",
         .inputs = {{"x", input}},
         .outputs =
             {{"y", bool_, {9}, [input](int64_t i) { return value_at(input, i) != 0; }},
              {"z", int32, {9}, [input](int64_t i) { return value_at(input, i) != 0 ? 3 : 4; }}},
         .grid = {9, 1, 1},
         .threadgroup = {9, 1, 1}});
  }
  return rows;
}
SPRUE_MATRIX(ToBool, to_bool_rows)

// The upstream case of arguments of every kind: the float expression is truncated where it is
// stored into an int32 output.
std::vector<Row> argument_rows() {
  Row row{.name = "arguments_of_every_kind",
          .body =
              "uint elem = thread_position_in_grid.x;\n"
              "T tmp = a[0];\n"
              "if (e) { out1[elem] = a[1] + b[2] + c[3] + d + f; } else { out1[elem] = 1; }\n"
              "out2[elem] = a[1] + b[2] + c[1] - d;",
          .template_arguments = {{"e", true}, {"f", 3}, {"T", float16}},
          .inputs = {{"a", make_array(float32, {1.5L, 0.7484L, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                                14, 15, 16, 17, 18})},
                     {"b", make_array(int32, {0, 1, 2})},
                     {"c", make_array(bfloat16, {0, 2, 0, 1})},
                     {"d", Array(7.3f)}}};
  const Real first = to_float(to_float(to_float(to_float(0.7484f + 2.0L) + 1.0L) + 7.3f) + 3);
  row.outputs = {
      {"out1", float32, {2, 3}, [first](int64_t) { return first; }},
      {"out2", int32, {3, 2}, [](int64_t) { return -2; }}};  // 0.7484 + 2 + 2 - 7.3 = -2.55
  row.grid = {6, 1, 1};
  row.threadgroup = {2, 1, 1};
  return {row};
}
SPRUE_MATRIX(Arguments, argument_rows)

}  // namespace
}  // namespace sprue::language
