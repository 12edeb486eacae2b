#include "dialect/lexer.h"

#include <gtest/gtest.h>

namespace sprue {
namespace {

// Spellings of the tokens, spaces and line breaks aside.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  const TokenList list = lex(text);
  for (const Token& token : list.tokens())
    if (token.kind != TokenKind::space && token.kind != TokenKind::newline)
      result.emplace_back(token.text);
  return result;
}
using Words = std::vector<std::string>;

TokenKind first_kind(std::string_view text) {
  const TokenList list = lex(text);
  return list.tokens().front().kind;
}

void expect_cover(std::string_view text) {
  const TokenList list = lex(text);
  size_t offset = 0;
  for (const Token& token : list.tokens()) {
    ASSERT_EQ(token.offset, offset);
    ASSERT_GT(token.size, 0u);
    offset += token.size;
  }
  ASSERT_EQ(offset, text.size());
}

// Only in front of the text, where it doesn't keep a directive from being one.
TEST(Lexer, MarkOfByteOrderIsASpace) {
  const std::string_view text = "\xef\xbb\xbf#if 1\n\xef\xbb\xbf#if 1\n#endif\n";
  expect_cover(text);
  EXPECT_EQ(words(text), (Words{"#if 1", "\xef\xbb\xbf", "#", "if", "1", "#endif"}));
  EXPECT_EQ(first_kind("\xef\xbb\xbf"), TokenKind::space);
  EXPECT_EQ(first_kind("\xef\xbb"), TokenKind::identifier);
}

TEST(Lexer, SplitsOrdinaryCode) {
  EXPECT_EQ(words("x[i]+=a->b.c::d<<2;"),
            (Words{"x", "[", "i", "]", "+=", "a", "->", "b", ".", "c", "::", "d", "<<", "2", ";"}));
  EXPECT_EQ(words("f(T&&...)"), (Words{"f", "(", "T", "&&", "...", ")"}));
  EXPECT_EQ(words("a<b<c>>d>=e"), (Words{"a", "<", "b", "<", "c", ">", ">", "d", ">", "=", "e"}));
}

TEST(Lexer, KnowsNumbers) {
  for (std::string_view number :
       {"1", "1.5e-3f", ".5f", "0x1p-3", "1'000'000u", "0b101", "1e+10", "3h"}) {
    EXPECT_EQ(words(number), Words{std::string(number)});
    EXPECT_EQ(first_kind(number), TokenKind::number) << number;
  }
  EXPECT_EQ(words("1-2"), (Words{"1", "-", "2"}));
  EXPECT_EQ(words("x.y1"), (Words{"x", ".", "y1"}));
}

TEST(Lexer, KnowsStringsAndCharacters) {
  for (std::string_view text : {R"("a\"b")", R"(u8"x")", R"(L"x")", "R\"(a)b\")\"",
                                "R\"tag(\" )x\" )tag\"", "u8R\"(\n)\""}) {
    EXPECT_EQ(words(text), Words{std::string(text)});
    EXPECT_EQ(first_kind(text), TokenKind::string) << text;
  }
  for (std::string_view text : {"'a'", "'\\''", "L'x'", "'\"'"})
    EXPECT_EQ(first_kind(text), TokenKind::character) << text;
  // A word that is no prefix stays a word.
  EXPECT_EQ(words("FOO\"x\""), (Words{"FOO", "\"x\""}));
}

TEST(Lexer, TellsWhatHasNoEnd) {
  struct Case {
    std::string_view text;
    TokenKind kind;
    size_t size;
  };
  for (const Case& one : {Case{"/* a\n b", TokenKind::comment, 7},
                          {"\"abc\nx", TokenKind::string, 4},
                          {"'a\nx", TokenKind::character, 2},
                          {"R\"(abc", TokenKind::string, 6},
                          {"R\"a b(c)\"\nx", TokenKind::string, 9},
                          {"\"abc\\", TokenKind::string, 5}}) {
    const TokenList list = lex(one.text);
    EXPECT_FALSE(list.tokens()[0].terminated) << one.text;
    EXPECT_EQ(list.tokens()[0].kind, one.kind) << one.text;
    EXPECT_EQ(list.tokens()[0].size, one.size) << one.text;
    expect_cover(one.text);
  }
}

TEST(Lexer, JoinsContinuedLines) {
  EXPECT_EQ(words("dev\\\nice x"), (Words{"device", "x"}));
  EXPECT_EQ(words("dev\\\r\nice x"), (Words{"device", "x"}));
  EXPECT_EQ(words("dev\\ \t\nice x"), (Words{"device", "x"}));
  EXPECT_EQ(words("a\\\n\\\nb"), Words{"ab"});
  EXPECT_EQ(words("// a\\\nb\nc"), (Words{"// a\\\nb", "c"}));
  EXPECT_EQ(words("a :\\\n: b"), (Words{"a", "::", "b"}));
  EXPECT_EQ(words("/\\\n* c *\\\n/ d"), (Words{"/\\\n* c *\\\n/", "d"}));
  // In a raw string nothing is joined.
  EXPECT_EQ(words("R\"(a\\\nb)\""), Words{"R\"(a\\\nb)\""});
}

TEST(Lexer, ReadsDigraphs) {
  EXPECT_EQ(words("<% a<:1:> %>"), (Words{"{", "a", "[", "1", "]", "}"}));
  EXPECT_EQ(words("T<::U>"), (Words{"T", "<", "::", "U", ">"}));
  EXPECT_EQ(words("%:define A"), (Words{"#define", "A"}));
}

TEST(Lexer, OpensDefinesAndClosesOtherDirectives) {
  const TokenList list =
      lex("  /* c */ # define F(x) (x)\nF(1)\n#if A // c\n# pragma unroll\na # b");
  Words directives;
  for (const Token& token : list.tokens())
    if (token.kind == TokenKind::directive) directives.emplace_back(token.text);
  EXPECT_EQ(directives, (Words{"#define", "#if A // c", "# pragma unroll"}));
  for (const Token& token : list.tokens())
    EXPECT_EQ(token.in_directive,
              (token.line <= 1 && token.column > 11 && token.kind != TokenKind::newline) ||
                  token.kind == TokenKind::directive)
        << token.line << ":" << token.column;
  EXPECT_EQ(words("#if A \\\n B\nc"), (Words{"#if A  B", "c"}));
  EXPECT_EQ(words("#if A /* x\n y */ B\nc"), (Words{"#if A /* x\n y */ B", "c"}));
}

TEST(Lexer, NamesDirectives) {
  for (auto [text, name] : {std::pair{"#if A", "if"},
                            {"#  elif B", "elif"},
                            {"#/**/else", "else"},
                            {"#", ""},
                            {"%:endif", "endif"},
                            {"#if\\\n A", "if"}}) {
    const TokenList list = lex(text);
    EXPECT_EQ(directive_name(list.tokens()[0]), name) << text;
  }
}

TEST(Lexer, CountsLinesAndColumns) {
  const TokenList list = lex("a\r\n b\n\n/* x\ny */ c\rd \\\n e");
  std::vector<std::pair<std::string, std::pair<uint32_t, uint32_t>>> places;
  for (const Token& token : list.tokens())
    if (token.kind == TokenKind::identifier)
      places.push_back({std::string(token.text), {token.line, token.column}});
  EXPECT_EQ(places,
            (decltype(places){
                {"a", {1, 1}}, {"b", {2, 2}}, {"c", {5, 6}}, {"d", {6, 1}}, {"e", {7, 2}}}));
}

TEST(Lexer, TakesAnyBytes) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  expect_cover(all);
  expect_cover("\xe2\x80\x94 \xff \\");
  EXPECT_EQ(words("\xc3\xa9"
                  "device"),
            Words{"\xc3\xa9"
                  "device"});
}

// Quadratic behaviour would take minutes here.
TEST(Lexer, IsLinear) {
  for (std::string_view unit :
       {"\\", "\\ ", "/*", "\"", "'", "R\"(", "#", "<", "a\\\n", "\\\n", "/"}) {
    std::string text;
    while (text.size() < 200'000) text += unit;
    expect_cover(text);
  }
}

}  // namespace
}  // namespace sprue
