#include "dialect/conditionals.h"

#include <gtest/gtest.h>

#include "dialect/lexer.h"

namespace sprue {
namespace {

// With e<(B)>(a) for sprue_types::either<decltype(B)>(a); `behind` as if a literal had got its suffix.
std::string converted(std::string_view text, std::string_view suffixed = "") {
  const TokenList list = lex(text);
  const Code code(list);
  std::vector<std::string> behind(code.size());
  for (size_t i = 0; i < code.size(); ++i)
    if (!suffixed.empty() && code.text(i) == suffixed) behind[i] = "f";
  insert_conversions(code, text, behind);
  std::string result;
  size_t done = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const size_t end = code[i].offset + code[i].size;
    result += text.substr(done, end - done);
    result += behind[i];
    done = end;
  }
  result += text.substr(done);
  const std::string long_name = " sprue_types::either<decltype";
  for (size_t at; (at = result.find(long_name)) != std::string::npos;)
    result.replace(at, long_name.size(), "e<");
  return result;
}

TEST(Conditionals, AreWrittenWithBothOperandsTypes) {
  EXPECT_EQ(converted("y = c?h:-INFINITY;"), "y = c?e<(-INFINITY)>(h):e<(h)>(-INFINITY);");
  EXPECT_EQ(converted("f(c?a:b, d)"), "f(c?e<(b)>(a):e<(a)>(b), d)");
  EXPECT_EQ(converted("x[c?a(1, 2):b[3]]"), "x[c?e<(b[3])>(a(1, 2)):e<(a(1, 2))>(b[3])]");
  EXPECT_EQ(converted("case 1: y = c?a:b; z:"), "case 1: y = c?e<(b)>(a):e<(a)>(b); z:");
  EXPECT_EQ(converted("#define S(a) (c?a:0)\n"), "#define S(a) (c?e<(0)>(a):e<(a)>(0))\n");
}

TEST(Conditionals, KeepWhatIsInsertedAlready) {
  EXPECT_EQ(converted("c?0.5:h;", "0.5"), "c?e<(h)>(0.5f):e<(0.5f)>(h);");
  EXPECT_EQ(converted("c?h:0.5;", "0.5"), "c?e<(0.5f)>(h):e<(h)>(0.5f);");
}

TEST(Conditionals, NestOnBothSides) {
  EXPECT_EQ(converted("a?b:c?d:x;"),
            "a?e<(c?e<(x)>(d):e<(d)>(x))>(b):e<(b)>(c?e<(x)>(d):e<(d)>(x));");
  EXPECT_EQ(converted("a?b?c:d:x;"),
            "a?e<(x)>(b?e<(d)>(c):e<(c)>(d)):e<(b?e<(d)>(c):e<(c)>(d))>(x);");
}

TEST(Conditionals, AreOneLineWithoutComments) {
  EXPECT_EQ(converted("c?a // a\n + 1:b;"), "c?e<(b)>(a // a\n + 1):e<(a + 1)>(b);");
}

TEST(Conditionals, StayWhereTheirEndIsntPlain) {
  for (std::string_view text : {"vec<T, c ? 2 : 4> v;", "f(c ? x : g<a, b>(y))", "c ? a : b > d;",
                                "c ? throw 1 : b;", "c ? P{1} : P{2};", "a ? b;", "(a ? b) : c;",
                                "#define J(a) c ? a##1 : b\n", "\"c ? a : b\" // c ? a : b"})
    EXPECT_EQ(converted(text), text);
  // Where operands would be written thousands of times.
  std::string chain;
  for (int i = 0; i < 40; ++i) chain += "a ? b : ";
  EXPECT_LT(converted(chain + "c;").size(), 100000u);
}

}  // namespace
}  // namespace sprue
