// Operators of vectors, for every element type: each component as the scalar operation, rounded or
// wrapped to the element type. Bit for bit.
#include <cmath>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

__int128 wide(Real value) { return static_cast<__int128>(value); }
// Modulo 2^bits, for 128 bits: more than a Real holds exactly.
Real wrapped(__int128 value, Dtype dtype) {
  const size_t bits = 8 * dtype_size(dtype);
  const uint64_t low = static_cast<uint64_t>(value);
  return decode(bits == 64 ? low : low & ((uint64_t{1} << bits) - 1), dtype);
}

std::vector<Real> rotated(std::vector<Real> values, int64_t by) {
  std::rotate(values.begin(), values.begin() + by, values.end());
  return values;
}

std::vector<Real> float_values() {
  std::vector<Real> values = {0.0L,  -0.0L, 1.0L,     -1.0L,     0.1L, 1.0L / 3, 2049.0L, 65504.0L,
                              6e-8L, 1e-3L, INFINITY, -INFINITY, NAN,  257.0L,   -2.5L,   1e30L};
  for (Real value : uniform(112, -40, 40, 5)) values.push_back(value);
  return values;
}

Real truth(bool value) { return value ? 1 : 0; }

void add_comparisons(VectorTable& table) {
  const std::pair<const char*, bool (*)(Real, Real)> comparisons[] = {
      {"==", [](Real a, Real b) { return a == b; }}, {"!=", [](Real a, Real b) { return a != b; }},
      {"<", [](Real a, Real b) { return a < b; }},   {"<=", [](Real a, Real b) { return a <= b; }},
      {">", [](Real a, Real b) { return a > b; }},   {">=", [](Real a, Real b) { return a >= b; }}};
  for (const auto& [symbol, apply] : comparisons) {
    const auto expected = [apply](Real a, Real b, Real) { return truth(apply(a, b)); };
    table.expressions.push_back({std::string("a ") + symbol + " b", bool_, expected});
    table.expressions.push_back(
        {std::string("a ") + symbol + " s", bool_, expected, 0, true, true});
  }
  table.expressions.push_back(
      {"a && b", bool_, [](Real a, Real b, Real) { return truth(a != 0 && b != 0); }});
  table.expressions.push_back({"a || b", bool_,
                               [](Real a, Real b, Real) { return truth(a != 0 || b != 0); }, 0,
                               false, true});
  table.expressions.push_back({"!a", bool_, [](Real a, Real, Real) { return truth(a == 0); }});
}

// `text` as an expression: a compound assignment needs a variable.
std::string after(const std::string& statement) {
  return "[&] { vec<T, N> v = a; " + statement + " return v; }()";
}

std::vector<Row> float_rows() {
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16}) {
    VectorTable table{.name = std::string("operators_of_") + element_name(type), .element = type};
    table.operands = {float_values(), rotated(float_values(), 39)};
    const auto round = [type](Real value) { return rounded(value, type); };
    const std::pair<const char*, Real (*)(Real, Real)> operations[] = {
        {"+", [](Real a, Real b) { return a + b; }},
        {"-", [](Real a, Real b) { return a - b; }},
        {"*", [](Real a, Real b) { return a * b; }},
        {"/", [](Real a, Real b) { return a / b; }}};
    for (const auto& [symbol, apply] : operations) {
      const std::string op = symbol;
      const auto expected = [apply](Real a, Real b, Real) { return apply(a, b); };
      const auto reversed = [apply](Real a, Real b, Real) { return apply(b, a); };
      const auto with_three = [apply](Real a, Real, Real) { return apply(a, 3); };
      table.expressions.push_back({"a " + op + " b", type, expected});
      table.expressions.push_back({"a " + op + " s", type, expected, 0, true, true});
      table.expressions.push_back({"s " + op + " a", type, reversed, 0, true, true});
      table.expressions.push_back({"a " + op + " 3", type, with_three, 0, false, true});
      table.expressions.push_back({after("v " + op + "= b;"), type, expected, 0, false, true});
      table.expressions.push_back({after("v " + op + "= s;"), type, expected, 0, true, true});
      table.expressions.push_back({after("v " + op + "= 3;"), type, with_three, 0, false, true});
    }
    table.expressions.push_back({"-a", type, [](Real a, Real, Real) { return -a; }});
    table.expressions.push_back({"+a", type, [](Real a, Real, Real) { return a; }});
    table.expressions.push_back({after("++v;"), type, [](Real a, Real, Real) { return a + 1; }});
    table.expressions.push_back(
        {after("v = v-- * v;"), type, [round](Real a, Real, Real) { return a * round(a - 1); }});
    table.expressions.push_back(
        {"a * b + a", type, [round](Real a, Real b, Real) { return round(a * b) + a; }});
    add_comparisons(table);
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(VectorFloatOperators, float_rows)

std::vector<Real> integer_values(Dtype type) {
  const bool is_signed = type >= int8;
  const int bits = static_cast<int>(8 * dtype_size(type));
  const Real top = std::ldexp(1.0L, bits - is_signed), low = is_signed ? -top : 0;
  std::vector<Real> values = {0,       1,       2,   3,       7,       100,
                              top - 1, top - 2, low, low + 1, top / 2, std::trunc(top / 3),
                              31,      64,      127, 5};
  for (Real value : uniform(112, low, top - 1, 9, float32)) values.push_back(std::trunc(value));
  return values;
}

std::vector<Row> integer_rows() {
  std::vector<Row> rows;
  for (Dtype type : {uint8, uint16, uint32, uint64, int8, int16, int32, int64}) {
    VectorTable table{.name = std::string("operators_of_") + element_name(type), .element = type};
    std::vector<Real> divisors = rotated(integer_values(type), 39);
    for (Real& value : divisors)
      if (value == 0 || value == -1) value = 9;  // -1 may overflow
    table.operands = {integer_values(type), divisors};
    const int bits = static_cast<int>(8 * dtype_size(type));
    struct Operation {
      const char* symbol;
      __int128 (*apply)(__int128, __int128, int);
    };
    const Operation operations[] = {
        {"+", [](__int128 a, __int128 b, int) { return a + b; }},
        {"-", [](__int128 a, __int128 b, int) { return a - b; }},
        {"*", [](__int128 a, __int128 b, int) { return a * b; }},
        {"/", [](__int128 a, __int128 b, int) { return a / b; }},
        {"%", [](__int128 a, __int128 b, int) { return a % b; }},
        {"&", [](__int128 a, __int128 b, int) { return a & b; }},
        {"|", [](__int128 a, __int128 b, int) { return a | b; }},
        {"^", [](__int128 a, __int128 b, int) { return a ^ b; }},
        // Counts wrap at the width.
        {"<<", [](__int128 a, __int128 b, int n) { return a << (b & (n - 1)); }},
        {">>", [](__int128 a, __int128 b, int n) { return a >> (b & (n - 1)); }}};
    for (const auto& [symbol, apply] : operations) {
      const std::string op = symbol;
      const auto of = [apply, bits, type](Real a, Real b) {
        return wrapped(apply(wide(a), wide(b), bits), type);
      };
      const auto expected = [of](Real a, Real b, Real) { return of(a, b); };
      table.expressions.push_back({"a " + op + " b", type, expected});
      table.expressions.push_back({"a " + op + " s", type, expected, 0, true, true});
      table.expressions.push_back({"T(3) " + op + " b", type,
                                   [of](Real, Real b, Real) { return of(3, b); }, 0, false, true});
      table.expressions.push_back({after("v " + op + "= b;"), type, expected, 0, false, true});
    }
    table.expressions.push_back({after("v += 3;"), type, [type](Real a, Real, Real) {
                                   return wrapped(wide(a) + 3, type);
                                 }});
    const auto one = [type](Real a, __int128 step) { return wrapped(wide(a) + step, type); };
    table.expressions.push_back(
        {"-a", type, [type](Real a, Real, Real) { return wrapped(-wide(a), type); }});
    table.expressions.push_back(
        {"~a", type, [type](Real a, Real, Real) { return wrapped(~wide(a), type); }});
    table.expressions.push_back({"+a", type, [](Real a, Real, Real) { return a; }});
    table.expressions.push_back(
        {after("++v;"), type, [one](Real a, Real, Real) { return one(a, 1); }});
    table.expressions.push_back(
        {after("v--;"), type, [one](Real a, Real, Real) { return one(a, -1); }});
    table.expressions.push_back({after("v = v++ ^ v;"), type, [one, type](Real a, Real, Real) {
                                   return wrapped(wide(a) ^ wide(one(a, 1)), type);
                                 }});
    add_comparisons(table);
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(VectorIntegerOperators, integer_rows)

std::vector<Row> bool_rows() {
  VectorTable table{.name = "operators_of_bool", .element = bool_};
  table.operands = {{0, 1, 0, 1, 1, 0, 0, 1}, {0, 0, 1, 1, 0, 1, 0, 1}};
  table.expressions = {
      {"a & b", bool_, [](Real a, Real b, Real) { return truth(a != 0 && b != 0); }},
      {"a | b", bool_, [](Real a, Real b, Real) { return truth(a != 0 || b != 0); }},
      {"a ^ b", bool_, [](Real a, Real b, Real) { return truth(a != b); }},
      {after("v |= b;"), bool_, [](Real a, Real b, Real) { return truth(a != 0 || b != 0); }},
      {"a == b", bool_, [](Real a, Real b, Real) { return truth(a == b); }},
      {"a != b", bool_, [](Real a, Real b, Real) { return truth(a != b); }},
      {"a && b", bool_, [](Real a, Real b, Real) { return truth(a != 0 && b != 0); }},
      {"a || s", bool_, [](Real a, Real b, Real) { return truth(a != 0 || b != 0); }, 0, true},
      {"!a", bool_, [](Real a, Real, Real) { return truth(a == 0); }}};
  return {make_row(table)};
}
SPRUE_MATRIX(VectorBoolOperators, bool_rows)

// Every element type to every other, explicitly; by the functional form and by C's.
std::vector<Row> conversion_rows() {
  const Dtype types[] = {bool_, uint8, uint16, uint32,  uint64,   int8,
                         int16, int32, int64,  float16, bfloat16, float32};
  std::vector<Row> rows;
  for (Dtype from : types) {
    VectorTable table{.name = std::string("conversions_of_") + element_name(from), .element = from};
    table.operands = {{0, 1, 2, 3, 5, 7, 100, 127, 0, 1, 64, 99}};
    if (from >= int8 && from != complex64)
      for (size_t k = 8; k < 12; ++k) table.operands[0][k] *= -1;
    for (Dtype to : types) {
      // A negative float has no unsigned value.
      const bool undefined = dtype_is_floating(from) && to != bool_ && to < int8;
      const auto expected = [to, undefined](Real a, Real, Real) -> Real {
        if (to == bool_) return truth(a != 0);
        return undefined ? std::fabs(a) : a;
      };
      const std::string value = undefined ? "abs(a)" : "a";
      table.expressions.push_back(
          {"vec<" + std::string(element_name(to)) + ", N>(" + value + ")", to, expected});
      table.expressions.push_back({"(vec<" + std::string(element_name(to)) + ", N>)" + value, to,
                                   expected, 0, false, true});
    }
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(VectorConversions, conversion_rows)

}  // namespace
}  // namespace sprue::language
