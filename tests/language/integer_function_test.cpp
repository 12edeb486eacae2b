// Functions of integers, for every type, against 128-bit arithmetic; over scalars, and over vectors by
// the same reference.
#include <cmath>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

using Wide = __int128;
constexpr Dtype kTypes[] = {uint8, uint16, uint32, uint64, int8, int16, int32, int64};

struct Width {
  Dtype type;
  int bits;
  Wide lowest, highest;

  explicit Width(Dtype type_)
      : type(type_),
        bits(static_cast<int>(8 * dtype_size(type_))),
        lowest(type_ >= int8 ? -(Wide{1} << (bits - 1)) : 0),
        highest(lowest + (Wide{1} << bits) - 1) {}

  // The pattern of a value, and the value of a pattern's low bits.
  uint64_t pattern(Wide value) const {
    return static_cast<uint64_t>(value) & (~uint64_t{0} >> (64 - bits));
  }
  Real wrapped(Wide value) const { return decode(pattern(value), type); }
  Real saturated(Wide value) const { return static_cast<Real>(std::clamp(value, lowest, highest)); }
};

Wide wide(Real value) { return static_cast<Wide>(value); }

// Towards minus infinity.
Wide shifted_right(Wide value, int count) { return value >> count; }

std::vector<Real> operands(const Width& width, uint64_t seed) {
  const Real low = static_cast<Real>(width.lowest), high = static_cast<Real>(width.highest);
  std::vector<Real> values = {0, 1, 2, 3, low, low + 1, high, high - 1, std::trunc(high / 2),
                              5, 7, 10};
  for (int k = 2; k < width.bits - 1; k += std::max(1, width.bits / 8))
    values.push_back(std::ldexp(1.0L, k) + 1);
  // Products that just fit or don't.
  for (Real factor : {3, 15, 16, 17, 127}) values.push_back(std::trunc(high / factor));
  while (values.size() % 4 != 0 || values.size() < 64)
    values.push_back(std::trunc(uniform(1, low, high, seed + values.size(), float64)[0]));
  for (Real& value : values) value = std::clamp(value, low, high);
  return values;
}

// name(a, b, c) as an operand list of the vector table.
VectorExpression function(const std::string& text, Dtype type,
                          std::function<Real(Wide, Wide, Wide)> expected) {
  return {text, type,
          [expected](Real a, Real b, Real c) { return expected(wide(a), wide(b), wide(c)); }};
}

Dtype unsigned_of(Dtype type) {
  return type == int8    ? uint8
         : type == int16 ? uint16
         : type == int32 ? uint32
         : type == int64 ? uint64
                         : type;
}

std::vector<VectorExpression> functions(const Width& w) {
  const Dtype type = w.type;
  const int bits = w.bits;
  const auto count = [w, bits](Wide a, auto matches) {
    int result = 0;
    for (int k = 0; k < bits; ++k) result += matches(w.pattern(a) >> k & 1, k);
    return static_cast<Real>(result);
  };
  const auto leading = [w, bits](Wide a) {
    int zeros = 0;
    while (zeros < bits && !(w.pattern(a) >> (bits - 1 - zeros) & 1)) ++zeros;
    return static_cast<Real>(zeros);
  };
  const auto trailing = [w, bits](Wide a) {
    int zeros = 0;
    while (zeros < bits && !(w.pattern(a) >> zeros & 1)) ++zeros;
    return static_cast<Real>(zeros);
  };
  const auto reversed = [w, bits](Wide a) {
    uint64_t result = 0;
    for (int k = 0; k < bits; ++k) result |= (w.pattern(a) >> k & 1) << (bits - 1 - k);
    return w.wrapped(static_cast<Wide>(result));
  };
  const auto rotated = [w, bits](Wide a, Wide b) {
    const int by = static_cast<int>(w.pattern(b) % static_cast<uint64_t>(bits));
    const uint64_t p = w.pattern(a);
    return w.wrapped(static_cast<Wide>(by ? p << by | p >> (bits - by) : p));
  };
  const auto extracted = [w, bits](Wide a, int offset, int length) {
    const uint64_t field = length ? w.pattern(a) >> offset & (~uint64_t{0} >> (64 - length)) : 0;
    const bool negative = w.lowest < 0 && length && field >> (length - 1) & 1;
    return static_cast<Real>(static_cast<Wide>(field) - (negative ? Wide{1} << length : 0));
  };
  const auto inserted = [w](Wide a, Wide b, int offset, int length) {
    const uint64_t mask = (length ? ~uint64_t{0} >> (64 - length) : 0) << offset;
    return w.wrapped(static_cast<Wide>((w.pattern(a) & ~mask) | (w.pattern(b) << offset & mask)));
  };
  // Of a product of two 64-bit words the high one; exact in 128 bits.
  const auto high = [bits](Wide a, Wide b) {
    if (bits < 64 || a < 0 || b < 0 || a < (Wide{1} << 63) || b < (Wide{1} << 63))
      return shifted_right(a * b, bits);
    return static_cast<Wide>(
        static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> 64);
  };
  std::vector<VectorExpression> list = {
      function("popcount(a)", type,
               [=](Wide a, Wide, Wide) { return count(a, [](uint64_t bit, int) { return bit; }); }),
      function("clz(a)", type, [=](Wide a, Wide, Wide) { return leading(a); }),
      function("ctz(a)", type, [=](Wide a, Wide, Wide) { return trailing(a); }),
      function("reverse_bits(a)", type, [=](Wide a, Wide, Wide) { return reversed(a); }),
      function("rotate(a, b)", type, [=](Wide a, Wide b, Wide) { return rotated(a, b); }),
      function("extract_bits(a, 1u, 5u)", type,
               [=](Wide a, Wide, Wide) { return extracted(a, 1, 5); }),
      function("extract_bits(a, 0u, sizeof(T) * 8u)", type,
               [=](Wide a, Wide, Wide) { return w.wrapped(a); }),
      function("extract_bits(a, 3u, 0u)", type, [](Wide, Wide, Wide) { return Real{0}; }),
      function("insert_bits(a, b, 2u, 4u)", type,
               [=](Wide a, Wide b, Wide) { return inserted(a, b, 2, 4); }),
      function("insert_bits(a, b, 0u, sizeof(T) * 8u)", type,
               [=](Wide, Wide b, Wide) { return w.wrapped(b); }),
      function("insert_bits(a, b, 1u, 0u)", type, [=](Wide a, Wide, Wide) { return w.wrapped(a); }),
      function("abs(a)", type, [=](Wide a, Wide, Wide) { return w.wrapped(a < 0 ? -a : a); }),
      function("absdiff(a, b)", unsigned_of(type),
               [](Wide a, Wide b, Wide) { return static_cast<Real>(a < b ? b - a : a - b); }),
      function("hadd(a, b)", type,
               [](Wide a, Wide b, Wide) { return static_cast<Real>(shifted_right(a + b, 1)); }),
      function("rhadd(a, b)", type,
               [](Wide a, Wide b, Wide) { return static_cast<Real>(shifted_right(a + b + 1, 1)); }),
      function("addsat(a, b)", type, [=](Wide a, Wide b, Wide) { return w.saturated(a + b); }),
      function("subsat(a, b)", type, [=](Wide a, Wide b, Wide) { return w.saturated(a - b); }),
      function("mulhi(a, b)", type, [=](Wide a, Wide b, Wide) { return w.wrapped(high(a, b)); }),
      function("madhi(a, b, c)", type,
               [=](Wide a, Wide b, Wide c) { return w.wrapped(high(a, b) + c); }),
      function("madsat(a, b, c)", type,
               [=](Wide a, Wide b, Wide c) {
                 // Two unsigned words that large overflow any sum.
                 if (high(a, b) > (Wide{1} << 62)) return static_cast<Real>(w.highest);
                 return w.saturated(a * b + c);
               }),
      function("min(a, b)", type,
               [](Wide a, Wide b, Wide) { return static_cast<Real>(std::min(a, b)); }),
      function("max(a, b)", type,
               [](Wide a, Wide b, Wide) { return static_cast<Real>(std::max(a, b)); }),
      function("min3(a, b, c)", type,
               [](Wide a, Wide b, Wide c) {
                 return static_cast<Real>(std::min({a, b, c}));
               }),
      function("max3(a, b, c)", type,
               [](Wide a, Wide b, Wide c) {
                 return static_cast<Real>(std::max({a, b, c}));
               }),
      function("median3(a, b, c)", type,
               [](Wide a, Wide b, Wide c) {
                 return static_cast<Real>(a + b + c - std::min({a, b, c}) - std::max({a, b, c}));
               }),
      function("select(a, b, a < c)", type,
               [](Wide a, Wide b, Wide c) { return static_cast<Real>(a < c ? b : a); }),
      function(
          "clamp(a, 3, 90)", type,
          [](Wide a, Wide, Wide) { return static_cast<Real>(std::clamp(a, Wide{3}, Wide{90})); }),
  };
  if (bits == 32) {
    const auto low24 = [w](Wide a) {
      const Wide field = a & 0xffffff;
      return w.lowest < 0 && field >> 23 ? field - (1 << 24) : field;
    };
    list.push_back(function("mul24(a, b)", type,
                            [=](Wide a, Wide b, Wide) { return w.wrapped(low24(a) * low24(b)); }));
    list.push_back(function("mad24(a, b, c)", type, [=](Wide a, Wide b, Wide c) {
      return w.wrapped(low24(a) * low24(b) + c);
    }));
  }
  return list;
}

std::vector<Row> vector_rows() {
  std::vector<Row> rows;
  for (Dtype type : kTypes) {
    const Width width(type);
    VectorTable table{.name = std::string("vectors_of_") + element_name(type), .element = type};
    table.operands = {operands(width, 1), operands(width, 2), operands(width, 3)};
    std::rotate(table.operands[1].begin(), table.operands[1].begin() + 7, table.operands[1].end());
    std::rotate(table.operands[2].begin(), table.operands[2].begin() + 12, table.operands[2].end());
    table.expressions = functions(width);
    for (VectorExpression& expression : table.expressions) expression.one_count = true;
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(VectorIntegerFunctions, vector_rows)

std::vector<Row> scalar_rows() {
  std::vector<Row> rows;
  for (Dtype type : {uint8, uint32, uint64, int16, int32, int64}) {
    const Width width(type);
    ExpressionTable table{.name = std::string("scalars_of_") + element_name(type)};
    const std::vector<Real> values = operands(width, 5);
    std::vector<Real> second = values, third = values;
    std::rotate(second.begin(), second.begin() + 7, second.end());
    std::rotate(third.begin(), third.begin() + 12, third.end());
    table.inputs = {{"first", make_array(type, values)},
                    {"second", make_array(type, second)},
                    {"third", make_array(type, third)}};
    for (const VectorExpression& function : functions(width)) {
      std::string text = function.text;
      if (text.starts_with("clamp")) continue;  // of one type among scalars
      if (const size_t at = text.find("sizeof(T)"); at != std::string::npos)
        text.replace(at, 9, "sizeof(a)");
      table.expressions.push_back({text, function.type, function.expected});
    }
    rows.push_back(make_row(table));
  }
  return rows;
}
SPRUE_MATRIX(IntegerFunctions, scalar_rows)

}  // namespace
}  // namespace sprue::language
