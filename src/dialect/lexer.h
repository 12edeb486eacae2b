// Splits Metal or C++ text into tokens, each with its place in the text.
//
//   TokenList list = lex("x[i] = 1;  // set");
//   list.tokens()[0].text     // "x"; offset 0, line 1
//
// Tokens cover the text without gaps: sizes add up to the text's size. What the preprocessor would
// join, the lexer joins: a token may run over a line continuation, and `text` is then its spelling
// without it. Digraphs have the text of the character that they stand for. A `#define` line is a
// directive token (`#define`) and then ordinary tokens; any other directive is one token up to the
// end of its line. `>` is always a token of its own, so that closing template brackets can be
// counted.
//
// Not a preprocessor and not a parser: macros aren't expanded and brackets needn't match. Never
// fails: what has no end is a token with `terminated` false, and any byte is some token. Linear in
// the text's size. A TokenList refers to the text, which must outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sprue {

// What some editors put in front of a UTF-8 text. The lexer takes it there for a space; no compiler does
// behind other text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class TokenKind : uint8_t {
  identifier,  // keywords too; bytes from 0x80 count as letters
  number,      // with suffix and digit separators
  string,      // with prefix; raw strings too
  character,
  comment,
  directive,  // "#define", or all of another directive's line
  punctuation,
  space,    // blanks, line continuations and a mark of byte order
  newline,  // \n, \r\n or \r
};

struct Token {
  TokenKind kind = TokenKind::space;
  bool terminated = true;  // false: a comment, string or character (a directive's too) without end
  bool in_directive = false;  // part of a directive's line, its head included
  uint32_t offset = 0;        // in bytes
  uint32_t size = 0;          // in bytes, line continuations included
  uint32_t line = 1;          // 1-based, of its first byte
  uint32_t column = 1;        // 1-based, in bytes
  std::string_view text;      // spelling
};

class TokenList {
 public:
  explicit TokenList(std::string_view text) : source_(text) {}
  std::string_view source() const { return source_; }
  const std::vector<Token>& tokens() const { return tokens_; }

 private:
  friend class Lexer;
  std::string_view source_;
  std::vector<Token> tokens_;
  std::deque<std::string> joined_;  // spellings of tokens that run over a line continuation
};

TokenList lex(std::string_view text);

// The word of a directive token: "define", "if", ...; empty for a lone '#'.
std::string_view directive_name(const Token& directive);

}  // namespace sprue
