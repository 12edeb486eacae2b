#include "kernel_file/expression.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>

namespace sprue {
namespace {

const Sizes kSizes = {{"M", 8}, {"N", 128}, {"_big2", std::numeric_limits<int64_t>::max()}};

int64_t value_of(std::string_view text) {
  const auto value = evaluate_expression(text, kSizes);
  EXPECT_TRUE(value) << value.error().message();
  return value ? *value : -12345;
}

std::string error_of(std::string_view text, const Sizes& sizes = kSizes) {
  const auto value = evaluate_expression(text, sizes);
  return value ? "no error" : value.error().message();
}

TEST(Expression, ReadsNumbersNamesAndBlanks) {
  EXPECT_EQ(value_of("0"), 0);
  EXPECT_EQ(value_of("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(value_of("-9223372036854775807 - 1"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(value_of("010"), 10);  // decimal
  EXPECT_EQ(value_of("M"), 8);
  EXPECT_EQ(value_of("_big2"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(value_of(" \t( M\t)*\tN "), 1024);
}

TEST(Expression, BindsAndGroupsAsInC) {
  EXPECT_EQ(value_of("2+3*4"), 14);
  EXPECT_EQ(value_of("2*3+4"), 10);
  EXPECT_EQ(value_of("(2+3)*4"), 20);
  EXPECT_EQ(value_of("10-3-4"), 3);
  EXPECT_EQ(value_of("10-(3-4)"), 11);
  EXPECT_EQ(value_of("100/5/2"), 10);
  EXPECT_EQ(value_of("100/5*2"), 40);
  EXPECT_EQ(value_of("100%7*3"), 6);
  EXPECT_EQ(value_of("2*7%4"), 2);
  EXPECT_EQ(value_of("1+7%4-2"), 2);
  EXPECT_EQ(value_of("-2*3"), -6);
  EXPECT_EQ(value_of("2*-3"), -6);
  EXPECT_EQ(value_of("2--3"), 5);
  EXPECT_EQ(value_of("---3"), -3);
  EXPECT_EQ(value_of("-(2+3)"), -5);
}

TEST(Expression, DividesAsDocumentedWhateverTheSigns) {
  EXPECT_EQ(value_of("7/2"), 3);
  EXPECT_EQ(value_of("-7/2"), -3);
  EXPECT_EQ(value_of("7/-2"), -3);
  EXPECT_EQ(value_of("-7/-2"), 3);
  EXPECT_EQ(value_of("7%3"), 1);
  EXPECT_EQ(value_of("-7%3"), -1);
  EXPECT_EQ(value_of("7%-3"), 1);
  EXPECT_EQ(value_of("(-_big2-1)%-1"), 0);
  EXPECT_EQ(value_of("ceildiv(7, 2)"), 4);
  EXPECT_EQ(value_of("ceildiv(8, 2)"), 4);
  EXPECT_EQ(value_of("ceildiv(-7, 2)"), -3);
  EXPECT_EQ(value_of("ceildiv(7, -2)"), -3);
  EXPECT_EQ(value_of("ceildiv(-7, -2)"), 4);
  EXPECT_EQ(value_of("ceildiv(0, -2)"), 0);
  EXPECT_EQ(value_of("ceildiv(1, 2)"), 1);
  EXPECT_EQ(value_of("ceildiv(-1, 2)"), 0);
  EXPECT_EQ(value_of("ceildiv(_big2, 1)"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(value_of("min(3, -4) + max(M, N) * 2"), 252);
  EXPECT_EQ(value_of("max(min(M, 3), ceildiv(N + 1, min(64, M)))"), 17);
}

TEST(Expression, EachMistakeQuotesTheTextAndTheColumn) {
  struct Case {
    std::string_view text, error;
  };
  for (const Case& one : std::vector<Case>{
           {"M * K", "expected a size (M, N, _big2), got 'K' in column 5 of 'M * K'"},
           {"M2", "expected a size (M, N, _big2), got 'M2' in column 1"},
           {"", "expected a number, a size, '-' or '(', got the end in column 1 of ''"},
           {"  ", "got the end in column 3 of '  '"},
           {"M *", "expected a number, a size, '-' or '(', got the end in column 4 of 'M *'"},
           {"* M", "got '*' in column 1"},
           {"+1", "got '+' in column 1"},
           {"M N", "expected an operator or the end, got 'N' in column 3 of 'M N'"},
           {"8N", "expected an operator or the end, got 'N' in column 2"},
           {"8.5", "expected an operator or the end, got '.' in column 2"},
           {"0x10", "got 'x' in column 2"},
           {"1_000", "got '_' in column 2"},
           {"M ** 2", "got '*' in column 4"},
           {"M // 2", "got '/' in column 4"},
           {"M = 2", "got '=' in column 3"},
           {"M^2", "got '^' in column 2"},
           {"M\n", "got '\\x0a' in column 2"},
           {std::string_view("M\0", 2), "got '\\x00' in column 2"},
           {std::string_view("\0", 1), "got '\\x00' in column 1"},
           {"M \xc3\x97 N", "got '\xc3\x97' in column 3"},
           {"(M", "expected an operator or ')', got the end in column 3"},
           {"M)", "expected an operator or the end, got ')' in column 2"},
           {"((M)", "expected an operator or ')', got the end in column 5"},
           {"()", "got ')' in column 2"},
           {"min", "expected '(' after 'min', got the end in column 4"},
           {"min + 1", "expected '(' after 'min', got '+' in column 5"},
           {"min()", "expected two arguments of 'min', got 0 in column 1"},
           {"M + max(1)", "expected two arguments of 'max', got 1 in column 5"},
           {"ceildiv(1, 2, 3)", "expected two arguments of 'ceildiv', got 3 in column 1"},
           {"min(1, 2", "expected an operator, ',' or ')', got the end in column 9"},
           {"min(1 2)", "expected an operator, ',' or ')', got '2' in column 7"},
           {"min(1,)", "got ')' in column 7"},
           {"min(,1)", "got ',' in column 5"},
           {"(1, 2)", "expected an operator or ')', got ',' in column 3"},
           {"pow(2, 3)", "expected a function (ceildiv, min, max), got 'pow' in column 1"},
           {"M (3)", "expected a function (ceildiv, min, max), got 'M' in column 1"},
           {"M(3)", "expected a function (ceildiv, min, max), got 'M' in column 1"},
           // Division by zero.
           {"M / 0", "expected a divisor other than 0, got 8 / 0 in column 3 of 'M / 0'"},
           {"M % (N - N)", "expected a divisor other than 0, got 8 % 0 in column 3"},
           {"1 + ceildiv(M, 0)", "expected a divisor other than 0, got 8 ceildiv 0 in column 5"},
           {"0 / 0", "expected a divisor other than 0"},
           // Beyond 64 bits at each step.
           {"9223372036854775808", "a value of 64 bits, got '9223372036854775808' in column 1"},
           {"99999999999999999999999", "expected a value of 64 bits"},
           {"-9223372036854775808", "64 bits, got '9223372036854775808' in column 2"},
           {"_big2 + 1", "expected a value of 64 bits, got 9223372036854775807 + 1 in column 7"},
           {"-_big2 - 2", "64 bits, got -9223372036854775807 - 2 in column 8"},
           {"_big2 * 2", "64 bits, got 9223372036854775807 * 2 in column 7"},
           {"_big2 * 2 / 2", "64 bits, got 9223372036854775807 * 2"},
           {"(-_big2 - 1) / -1", "64 bits, got -9223372036854775808 / -1 in column 14"},
           {"ceildiv(-_big2 - 1, -1)", "64 bits, got -9223372036854775808 ceildiv -1 in column 1"},
           {"-(-_big2 - 1)", "64 bits, got -(-9223372036854775808) in column 1"},
       }) {
    const std::string error = error_of(one.text);
    EXPECT_TRUE(error.starts_with("[expression] expected ")) << one.text << "\n" << error;
    EXPECT_NE(error.find(one.error), std::string::npos) << one.text << "\n" << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_NE(error_of("M", {}).find("expected a size (none), got 'M'"), std::string::npos);
}

TEST(Expression, HostileTextIsAnErrorRatherThanARecursion) {
  for (const char c : {'(', '-', ')', '1', 'M', '*', '+', ' ', '\0', '\xff'}) {
    EXPECT_NE(error_of(std::string(100000, c)).find("of at most 1000 bytes, got 100000"),
              std::string::npos);
  }
  EXPECT_EQ(value_of(std::string(999, ' ') + "1"), 1);
  EXPECT_NE(error_of(std::string(1000, ' ') + "1").find("got 1001 "), std::string::npos);
  // Within the length: the depth is bounded.
  std::string calls;
  for (int i = 0; i < 100; ++i) calls += "min(1,";
  for (const std::string& deep : {std::string(65, '('), std::string(65, '-') + "1", calls,
                                  std::string(999, '('), std::string(64, '(') + "-1"}) {
    EXPECT_NE(error_of(deep).find("expected at most 64 levels, got more"), std::string::npos);
  }
  EXPECT_EQ(value_of(std::string(64, '(') + "1" + std::string(64, ')')), 1);
  EXPECT_EQ(value_of(std::string(64, '-') + "1"), 1);
  // Levels that end are no depth.
  std::string wide = "0";
  for (int i = 0; i < 100; ++i) wide += "+min((1),-1)";
  EXPECT_EQ(evaluate_expression(wide.substr(0, 1 + 80 * 12), kSizes).value_or(0), -80);
}

TEST(Expression, GarbageNeverCrashes) {
  std::mt19937_64 random(7);
  const std::string_view alphabet = "MN019+-*/%(), minxceildv_\t\n.\xc3\xff";
  int values = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (uint64_t length = random() % 12; text.size() < length;) {
      text += alphabet[random() % alphabet.size()];
    }
    const auto value = evaluate_expression(text, kSizes);
    values += value.has_value();
    if (value) continue;
    ASSERT_NE(value.error().message().find(" in column "), std::string::npos) << text;
  }
  EXPECT_GT(values, 1000);
}

// Random expressions whose value is worked out beside their text, in 128 bits: nothing where a step
// leaves 64 bits or divides by zero.
struct Generated {
  std::string text;
  int level;  // of what stands outermost: 0 sums, 1 products, 2 factors
  std::optional<__int128> value;
};

std::optional<__int128> in_range(__int128 value) {
  if (value < std::numeric_limits<int64_t>::min() || value > std::numeric_limits<int64_t>::max()) {
    return {};
  }
  return value;
}

std::optional<__int128> combine(const std::string& operation, __int128 a, __int128 b) {
  if (operation == "+") return in_range(a + b);
  if (operation == "-") return in_range(a - b);
  if (operation == "*") return in_range(a * b);
  if (operation == "min") return a < b ? a : b;
  if (operation == "max") return a > b ? a : b;
  if (b == 0) return {};
  if (operation == "/") return in_range(a / b);
  if (operation == "%") return a % b;
  // The smallest integer at or above a / b, by its definition.
  __int128 up = a / b - 1;
  while (b > 0 ? up * b < a : up * b > a) ++up;
  return in_range(up);
}

Generated generate(std::mt19937_64& random, int depth) {
  const auto bracketed = [&](Generated inner, int level) {
    if (inner.level >= level && random() % 8) return inner.text;
    return "(" + inner.text + ")";
  };
  const uint64_t kind = depth == 0 ? random() % 2 : random() % 10;
  if (kind == 0) {
    const auto& [name, value] = kSizes[random() % kSizes.size()];
    return {name, 2, value};
  }
  if (kind == 1) {
    const uint64_t bits = random() % 63 + 1;
    const auto value = static_cast<int64_t>(random() >> (64 - bits));
    return {std::to_string(value), 2, value};
  }
  Generated a = generate(random, depth - 1);
  if (kind == 2) {
    return {"-" + bracketed(a, 2), 2, a.value ? in_range(-*a.value) : a.value};
  }
  Generated b = generate(random, depth - 1);
  static const std::string operations[] = {"+", "-", "*", "/", "%", "ceildiv", "min", "max"};
  const std::string& operation = operations[random() % 8];
  std::optional<__int128> value;
  if (a.value && b.value) value = combine(operation, *a.value, *b.value);
  if (operation.size() > 1) return {operation + "(" + a.text + "," + b.text + ")", 2, value};
  const int level = operation == "+" || operation == "-" ? 0 : 1;
  const char* blank = random() % 2 ? " " : "";
  return {bracketed(a, level) + blank + operation + blank + bracketed(b, level + 1), level, value};
}

TEST(Expression, AgreesWithAnIndependentEvaluator) {
  std::mt19937_64 random(11);
  int values = 0, errors = 0;
  for (int i = 0; i < 100000; ++i) {
    const Generated one = generate(random, static_cast<int>(random() % 5));
    if (one.text.size() > 1000) continue;
    const auto value = evaluate_expression(one.text, kSizes);
    ASSERT_EQ(value.has_value(), one.value.has_value())
        << one.text << (value ? "" : value.error().message());
    if (!value) {
      ++errors;
      continue;
    }
    ASSERT_EQ(*value, static_cast<int64_t>(*one.value)) << one.text;
    ++values;
  }
  EXPECT_GT(values, 30000);
  EXPECT_GT(errors, 3000);
}

TEST(Expression, NamesThatASizeMayHave) {
  for (const char* name : {"M", "_", "a1", "ceildivs", "Min"}) EXPECT_TRUE(is_size_name(name));
  for (const char* name : {"", "1a", "a-b", "a b", "\xc3\xa9", "min", "max", "ceildiv"}) {
    EXPECT_FALSE(is_size_name(name)) << name;
  }
  EXPECT_TRUE(is_size_name(std::string(64, 'a')));
  EXPECT_FALSE(is_size_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace sprue
