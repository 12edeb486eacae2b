// Integers: wrapping, shifts, bit operations, division of negatives, every width, bool.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

std::vector<Real> signed_edges(int bits) {
  const Real top = std::ldexp(1.0L, bits - 1);
  return {0,
          1,
          -1,
          2,
          -2,
          3,
          7,
          -7,
          10,
          -10,
          100,
          -100,
          127,
          -128,
          top - 1,
          -top,
          top - 2,
          -top + 1,
          std::trunc(top / 3),
          -std::trunc(top / 3),
          5,
          -5,
          64,
          -64,
          std::trunc(top / 2),
          33,
          -33,
          12,
          31,
          63};
}

std::vector<Real> unsigned_edges(int bits) {
  const Real top = std::ldexp(1.0L, bits);
  return {0,         1,       2,   3,       7,       10,      100,         127,
          128,       200,     255, top - 1, top - 2, top / 2, top / 2 - 1, std::trunc(top / 3),
          5,         64,      33,  12,      31,      63,      17,          99,
          top - 100, top / 4, 6,   8,       15,      16};
}

// The second operand is another element, never 0, for division.
std::vector<Real> divisors(std::vector<Real> values) {
  std::rotate(values.begin(), values.begin() + 7, values.end());
  for (Real& value : values)
    if (value == 0) value = 9;
  return values;
}

// A 128-bit view of a Real, for logic.
__int128 wide(Real value) { return static_cast<__int128>(value); }

Real wrapped(__int128 value, Dtype dtype) {
  return decode(dtype_size(dtype) == 8
                    ? static_cast<uint64_t>(value)
                    : static_cast<uint64_t>(value) & ((uint64_t{1} << 8 * dtype_size(dtype)) - 1),
                dtype);
}

// int and wider: an operation has its operands' type. Narrower ones become int first, and wrap
// where the result is stored.
std::vector<Row> width_rows() {
  std::vector<Row> rows;
  for (Dtype type : {uint8, uint16, uint32, uint64, int8, int16, int32, int64}) {
    const int bits = static_cast<int>(8 * dtype_size(type));
    const bool is_signed = type >= int8;
    const std::vector<Real> values = is_signed ? signed_edges(bits) : unsigned_edges(bits);
    const Array first = make_array(type, values), second = make_array(type, divisors(values));
    struct Operation {
      const char* text;
      __int128 (*apply)(__int128, __int128, int);
    };
    const std::vector<Operation> operations = {
        {"a + b", [](__int128 a, __int128 b, int) { return a + b; }},
        {"a - b", [](__int128 a, __int128 b, int) { return a - b; }},
        {"a * b", [](__int128 a, __int128 b, int) { return a * b; }},
        {"-a", [](__int128 a, __int128, int) { return -a; }},
        {"~a", [](__int128 a, __int128, int) { return ~a; }},
        {"a & b", [](__int128 a, __int128 b, int) { return a & b; }},
        {"a | b", [](__int128 a, __int128 b, int) { return a | b; }},
        {"a ^ b", [](__int128 a, __int128 b, int) { return a ^ b; }},
        // -1 as a divisor may overflow
        {"a / (kSigned && b == Integer(-1) ? Integer(3) : b)",
         [](__int128 a, __int128 b, int) { return a / (b == -1 ? 3 : b); }},
        {"a % (kSigned && b == Integer(-1) ? Integer(3) : b)",
         [](__int128 a, __int128 b, int) { return a % (b == -1 ? 3 : b); }},
        {"a << (b & (BITS - 1))", [](__int128 a, __int128 b, int n) { return a << (b & (n - 1)); }},
        {"a >> (b & (BITS - 1))", [](__int128 a, __int128 b, int n) { return a >> (b & (n - 1)); }},
        {"a << 1", [](__int128 a, __int128, int) { return a << 1; }},
        {"a >> 1", [](__int128 a, __int128, int) { return a >> 1; }},
        {"(a & 0xF) | ((b & 3) << 4)",
         [](__int128 a, __int128 b, int) { return (a & 15) | (b & 3) << 4; }},
        {"a + 1", [](__int128 a, __int128, int) { return a + 1; }},
        {"a < b", [](__int128 a, __int128 b, int) { return __int128{a < b}; }},
        {"a >= b", [](__int128 a, __int128 b, int) { return __int128{a >= b}; }},
        {"a == b ? 5 : 6", [](__int128 a, __int128 b, int) { return __int128{a == b ? 5 : 6}; }},
        {"metal::max(a, b)", [](__int128 a, __int128 b, int) { return std::max(a, b); }},
        {"min(a, b)", [](__int128 a, __int128 b, int) { return std::min(a, b); }},
        {"clamp(a, Integer(3), Integer(90))",
         [](__int128 a, __int128, int) { return a < 3    ? 3
                                                : a > 90 ? 90
                                                         : a; }},
        {"abs(a)", [](__int128 a, __int128, int) { return a < 0 ? -a : a; }},
        {"compound(a, b)",
         [](__int128 a, __int128 b, int n) {
           const __int128 all = (__int128{1} << n) - 1;
           __int128 x = (a + b) * 3 - 1;  // in the ring of 2^n
           x = (x ^ b) | 16;
           x = (x << 2) & all & ~__int128{8};
           return x + 1;
         }},
    };
    Row row{.name = std::string(dtype_name(type)) + "_operations"};
    row.header =
        "template <typename I> I compound(I a, I b) {\n"
        "  I x = a; x += b; x *= 3; x--; x ^= b; x |= 16; x <<= 2; x &= ~I(8); ++x; return x; }\n";
    row.body =
        "uint i = thread_position_in_grid.x; Integer a = first[i], b = second[i];\n"
        "const int BITS = int(8 * sizeof(Integer));\n";
    const auto count = static_cast<int64_t>(values.size());
    for (size_t k = 0; k < operations.size(); ++k)
      row.body += "y[" + std::to_string(static_cast<int64_t>(k) * count) +
                  " + i] = " + operations[k].text + ";\n";
    row.template_arguments = {{"Integer", type}, {"kSigned", is_signed}};
    row.inputs = {{"first", first}, {"second", second}};
    row.outputs = {
        {"y",
         type,
         {static_cast<int64_t>(operations.size()), count},
         [=](int64_t i) {
           const auto& operation = operations[static_cast<size_t>(i / count)];
           return wrapped(operation.apply(wide(value_at(first, i % count)),
                                          wide(value_at(second, i % count)), bits),
                          type);
         },
         0,
         0,
         [=](int64_t i) { return std::string(operations[static_cast<size_t>(i / count)].text); }}};
    row.grid = {count, 1, 1};
    row.threadgroup = {32, 1, 1};
    rows.push_back(row);
  }
  return rows;
}
SPRUE_MATRIX(IntegerWidths, width_rows)

// Which type integer expressions have, and their values across types.
std::vector<Row> promotion_rows() {
  ExpressionTable table{.name = "integer_promotions"};
  const std::vector<Real> values = unsigned_edges(8);
  table.inputs = {{"first", make_array(uint8, values)},
                  {"second", make_array(int32, divisors(signed_edges(32)))},
                  {"third", make_array(uint32, divisors(unsigned_edges(32)))}};
  table.expressions = {
      {"a + a", int32, [](Real a, Real, Real) { return a + a; }},
      {"a * a - 70000", int32, [](Real a, Real, Real) { return a * a - 70000; }},
      {"~a", int32, [](Real a, Real, Real) { return -a - 1; }},
      {"a << 4", int32, [](Real a, Real, Real) { return a * 16; }},
      {"(uchar)(a << 4)", uint8, [](Real a, Real, Real) { return a * 16; }},
      {"b + c", uint32, [](Real, Real b, Real c) { return wrapped(wide(b + c), uint32); }},
      {"b < c", bool_, [](Real, Real b, Real c) { return wrapped(wide(b), uint32) < c; }},
      {"long(b) * long(c)", int64,
       [](Real, Real b, Real c) { return wrapped(wide(b) * wide(c), int64); }},
      {"size_t(a) * c", uint64, [](Real a, Real, Real c) { return a * c; }},
      {"ulong(b)", uint64, [](Real, Real b, Real) { return wrapped(wide(b), uint64); }},
      {"uint64_t(c) << 20", uint64,
       [](Real, Real, Real c) { return wrapped(wide(c) << 20, uint64); }},
      {"short(b)", int16, [](Real, Real b, Real) { return wrapped(wide(b), int16); }},
      {"(uint16_t)c", uint16, [](Real, Real, Real c) { return wrapped(wide(c), uint16); }},
      {"c >> (a & 31)", uint32,
       [](Real a, Real, Real c) { return Real(static_cast<uint64_t>(wide(c)) >> (wide(a) & 31)); }},
      {"1u << (a & 31)", uint32, [](Real a, Real, Real) { return Real(1u << (wide(a) & 31)); }},
      {"(c >> 28) & 0xFu", uint32, [](Real, Real, Real c) { return Real(wide(c) >> 28); }},
      {"a / 7", int32, [](Real a, Real, Real) { return std::trunc(a / 7); }},
      {"b / 7", int32, [](Real, Real b, Real) { return std::trunc(b / 7); }},
      {"b % 7", int32, [](Real, Real b, Real) { return b - 7 * std::trunc(b / 7); }},
      {"b >> 3", int32, [](Real, Real b, Real) { return std::floor(b / 8); }},
      {"bool(a)", bool_, [](Real a, Real, Real) { return a != 0; }},
      {"true + true", int32, [](Real, Real, Real) { return 2; }},
      {"int(bool(256))", int32, [](Real, Real, Real) { return 1; }},
      {"a == 3 || b == 1", bool_, [](Real a, Real b, Real) { return a == 3 || b == 1; }},
      {"sizeof(a) + sizeof(long) * 10 + sizeof(half) * 100 + sizeof(bfloat) * 1000", uint64,
       [](Real, Real, Real) { return 2281; }},
      {"sizeof(size_t) + sizeof(bool) * 10 + sizeof(uint) * 100", uint64,
       [](Real, Real, Real) { return 418; }},
      {"INT_MAX + int(a)", int32,
       [](Real a, Real, Real) { return wrapped(wide(2147483647 + a), int32); }},
      {"'A' + 0", int32, [](Real, Real, Real) { return 65; }},
      {"0b101 + 010 + 0x1F", int32, [](Real, Real, Real) { return 5 + 8 + 31; }},
  };
  Row signed_row{
      .name = "large_numbers",
      .body =
          "y[0] = 5000000000L * 3; y[1] = x[0] + 1; y[2] = x[1]; y[3] = n; y[4] = n * 2;\n"
          "z[0] = 18446744073709551615ul; z[1] = u[0]; z[2] = u[0] / 10ul;",
      .inputs = {{"x", make_array(int64, {9223372036854775806.0L, -9223372036854775807.0L - 1})},
                 {"u", make_array(uint64, {18446744073709551614.0L})},
                 {"n", Array::scalar<int64_t>(-1234567890123)}},
      .outputs = {{"y",
                   int64,
                   {5},
                   [](int64_t i) {
                     const Real expected[] = {15000000000.0L, 9223372036854775807.0L,
                                              -9223372036854775807.0L - 1, -1234567890123.0L,
                                              -2469135780246.0L};
                     return expected[i];
                   }},
                  {"z", uint64, {3}, [](int64_t i) {
                     const Real expected[] = {18446744073709551615.0L, 18446744073709551614.0L,
                                              1844674407370955161.0L};
                     return expected[i];
                   }}}};
  return {make_row(table), signed_row};
}
SPRUE_MATRIX(IntegerPromotions, promotion_rows)

}  // namespace
}  // namespace sprue::language
