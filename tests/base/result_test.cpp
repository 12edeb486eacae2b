#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace sprue {
namespace {

Result<std::unique_ptr<int>> positive(int value) {
  if (value <= 0)
    return fail(ErrorCode::invalid_argument, "positive", "expected more than 0, got {}", value);
  return std::make_unique<int>(value);
}

Status check(int value) {
  SPRUE_CHECK(positive(value));
  return {};
}

Result<int> sum(int a, int b) {
  SPRUE_ASSIGN(const auto first, positive(a));  // moved: a unique_ptr can't be copied
  SPRUE_ASSIGN(const auto second, positive(b));
  return *first + *second;
}

TEST(Result, MessageHasOriginAndText) {
  const Error error = positive(-3).error();
  EXPECT_EQ(error.message(), "[positive] expected more than 0, got -3");
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(error.what(), error.message().c_str());
}

// Braces in the user's text aren't format fields.
TEST(Result, BracesInArgumentsAreText) {
  EXPECT_EQ(fail(ErrorCode::io, "a", "{}", "{0} {x}").value().message(), "[a] {0} {x}");
}

TEST(Result, MacrosPassTheErrorOn) {
  EXPECT_TRUE(check(1));
  EXPECT_EQ(check(0).error().message(), positive(0).error().message());
  EXPECT_EQ(sum(2, 3).value(), 5);
  EXPECT_EQ(sum(-1, 3).error().message(), positive(-1).error().message());
  EXPECT_EQ(sum(2, -5).error().message(), positive(-5).error().message());
}

TEST(Result, EdgeThrowsTheError) {
  EXPECT_EQ(*value_or_throw(positive(4)), 4);
  EXPECT_NO_THROW(value_or_throw(check(1)));
  EXPECT_THROW(value_or_throw(check(0)), Error);
  try {
    value_or_throw(sum(0, 1));
    FAIL();
  } catch (const std::exception& error) {  // caught as any exception of the standard library
    EXPECT_EQ(error.what(), positive(0).error().message());
  }
}

TEST(Result, CodesHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
    names.insert(error_code_name(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), static_cast<size_t>(ErrorCode::internal) + 1);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_STREQ(error_code_name(ErrorCode::corrupt), "corrupt");
}

}  // namespace
}  // namespace sprue
