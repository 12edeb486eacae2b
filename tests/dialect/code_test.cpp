#include "dialect/code.h"

#include <gtest/gtest.h>

namespace sprue {
namespace {

std::string error_of(std::string_view text) {
  const TokenList list = lex(text);
  const Code code(list);
  if (!code.error()) return "";
  const SourceError& error = *code.error();
  return fmt::format("{}:{}: expected {}, got {}", error.line, error.column, error.expected,
                     error.got);
}

TEST(Code, AcceptsBalancedText) {
  for (std::string_view text :
       {"", "a", "f(a[1], {2});", "if (x) { y(); }", "\"(\" ')' // {\n/* [ */ a", "R\"({)\"",
        "<% a<:1:> %>", "#define OPEN {\n", "#define F(x) ((x)\na", "#pragma unroll(\na",
        // Each branch opens the same brace.
        "#if A\nif (x) {\n#else\nif (y) {\n#endif\n}",
        "#ifdef A\n{\n#elif B\n{\n#else\n{\n#endif\n}",
        // One condition twice.
        "#ifdef A\nfor (;;) {\n#endif\na;\n#ifdef A\n}\n#endif\n",
        // What is never compiled isn't looked at.
        "#if 0\n } ' \" ( \n#endif\na", "#if 0\n{\n#if B\n}}\n#else\n#endif\n#else\na\n#endif\n",
        "#if 0 // no\n)\n#elif B\na\n#endif"})
    EXPECT_EQ(error_of(text), "") << text;
}

TEST(Code, ReportsTheFirstFaultWithItsPlace) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a;\n }", "2:2: expected an open bracket before '}', got none"},
      {"}{", "1:1: expected an open bracket before '}', got none"},
      {"} void f() {", "1:1: expected an open bracket before '}', got none"},
      {"%> void f() <%", "1:1: expected an open bracket before '}', got none"},
      {"f(a]", "1:4: expected ')' to close the '(' of line 1, got ']'"},
      {"if (x {\n}", "1:4: expected ')' to close '(', got the end of the text"},
      {"{\n(\n}", "3:1: expected ')' to close the '(' of line 2, got '}'"},
      {"a[1;", "1:2: expected ']' to close '[', got the end of the text"},
      {"{ /* a }", "1:3: expected '*/' to end the comment, got the end of the text"},
      {"a = \"x;\n}", "1:5: expected '\"' to end the string, got the end of the line"},
      {"\n'", "2:1: expected a quote to end the character, got the end of the line"},
      {"#endif", "1:1: expected an #if before it, got #endif"},
      {"#else\n", "1:1: expected an #if before it, got #else"},
      {"a\n#if A\nb", "2:1: expected an #endif, got the end of the text"},
      {"device #define A {", "1:8: expected a directive at the start of a line, got a stray '#'"},
      {"##", "1:1: expected a directive at the start of a line, got a stray '##'"},
      {"# /* b", "1:1: expected '*/' to end the comment, got the end of the text"},
      {"#pragma a /* b", "1:1: expected '*/' to end the comment, got the end of the text"},
      {"#if A\n}\n#endif", "2:1: expected an open bracket before '}', got none"},
      {"#if 0\n}\n#else\n}\n#endif", "4:1: expected an open bracket before '}', got none"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error_of(text), expected) << text;
}

TEST(Code, MatchesBracketsAndKnowsWhatIsAround) {
  const TokenList list = lex("f(a[1]) {\n#define M(x) (x)\nb; }");
  const Code code(list);
  ASSERT_FALSE(code.error());
  std::vector<std::string> seen;
  for (size_t i = 0; i < code.size(); ++i) {
    const size_t parent = code.parent(i);
    seen.push_back(fmt::format("{}:{}:{}", code.text(i),
                               code.match(i) == Code::kNone ? "" : code.text(code.match(i)),
                               parent == Code::kNone ? "" : code.text(parent)));
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"f::", "(:):", "a::(", "[:]:(", "1::[", "]:[:(",
                                      "):(:", "{:}:", "#define::", "M::", "(:):", "x::(",
                                      "):(:", "(:):", "x::(", "):(:", "b::{", ";::{", "}:{:"}));
  EXPECT_EQ(code.macro_body(8), 13u);
  EXPECT_EQ(code.run_end(0), 8u);
  EXPECT_EQ(code.run_end(9), 16u);
  EXPECT_EQ(code.run_end(16), code.size());
}

TEST(Code, IsLinearInDepthTimesConditionals) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "(";
  for (int i = 0; i < 20'000; ++i) text += "\n#if A\n#else\n#endif";
  const TokenList list = lex(text);
  EXPECT_TRUE(Code(list).error());
}

}  // namespace
}  // namespace sprue
