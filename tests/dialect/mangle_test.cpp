#include "dialect/mangle.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "program/identifier.h"

namespace sprue {
namespace {

std::string name_of(const std::string& kernel, const Specialization& specialization) {
  KernelDefinition definition;
  definition.name = kernel;
  for (size_t i = 0; i < specialization.inputs.size(); ++i)
    definition.input_names.push_back("x" + std::to_string(i));
  return entry_name(definition, specialization);
}

TEST(Mangle, LeavesIdentifiersAlone) {
  for (std::string_view text :
       {"", "a", "A_log", "__x__", "_x", "_x5", "_x5g", "_xA0", "x2d", "_X2d", "_x_2d", "9"})
    EXPECT_EQ(mangle(text), text);
}

TEST(Mangle, EscapesBytesAndWhatLooksEscaped) {
  EXPECT_EQ(mangle("-3"), "_x2d3");
  EXPECT_EQ(mangle("a b\xff"), "a_x20b_xff");
  EXPECT_EQ(mangle("_x2d"), "_x5fx2d");
  EXPECT_EQ(mangle("__x2d"), "__x5fx2d");
  EXPECT_EQ(mangle("_-"), "__x2d");
  EXPECT_EQ(mangle("_x-d"), "_x_x2dd");
  EXPECT_EQ(mangle(std::string("\0", 1)), "_x00");
}

// The inverse, written from the rule: an escape is `_x` and two lower-case digits.
std::string unmangle(std::string_view text) {
  std::string result;
  auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' && i + 3 < text.size() && text[i + 1] == 'x' && digit(text[i + 2]) >= 0 &&
        digit(text[i + 3]) >= 0) {
      result += static_cast<char>(digit(text[i + 2]) * 16 + digit(text[i + 3]));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

TEST(Mangle, IsInjective) {
  std::mt19937 random(1);
  constexpr std::string_view kLetters = "_x0f5d-A";
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (uint32_t n = random() % 12; n > 0; --n)
      text +=
          random() % 16 == 0 ? static_cast<char>(random()) : kLetters[random() % kLetters.size()];
    const std::string mangled = mangle(text);
    ASSERT_EQ(unmangle(mangled), text);
    ASSERT_TRUE(is_identifier("a" + mangled)) << mangled;
  }
}

TEST(EntryName, FollowsMlx) {
  Specialization s;
  s.inputs = {{float32, false, false}};
  s.outputs = {float32};
  EXPECT_EQ(name_of("basic", s), "custom_kernel_basic_float_float");
  s.template_arguments = {{"T", float32}};
  s.inputs = {{float16, false, false}};
  s.outputs = {float16};
  EXPECT_EQ(name_of("myexp", s), "custom_kernel_myexp__float_float16_t_float16_t");
  s.inputs = {{float16, true, true}, {bfloat16, false, true}, {complex64, false, false}};
  s.outputs = {bool_, int64};
  s.template_arguments = {{"N", -3}, {"B", true}, {"C", false}};
  EXPECT_EQ(name_of("k", s),
            "custom_kernel_k___x2d3_1_0_float16_ts_bfloat16_tc_complex64_t_bool_int64_t");
  EXPECT_EQ(name_of("a<b>", {}), "custom_kernel_a_x3cb_x3e");
}

TEST(EntryName, SpellsEveryDtypeAsMetalDoes) {
  const std::map<Dtype, std::string> spellings = {
      {bool_, "bool"},           {uint8, "uint8_t"},       {uint16, "uint16_t"},
      {uint32, "uint32_t"},      {uint64, "uint64_t"},     {int8, "int8_t"},
      {int16, "int16_t"},        {int32, "int32_t"},       {int64, "int64_t"},
      {float16, "float16_t"},    {bfloat16, "bfloat16_t"}, {float32, "float"},
      {complex64, "complex64_t"}};
  for (const auto& [dtype, spelling] : spellings) {
    Specialization s;
    s.outputs = {dtype};
    EXPECT_EQ(name_of("k", s), "custom_kernel_k_" + spelling);
  }
}

}  // namespace
}  // namespace sprue
