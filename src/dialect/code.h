// The tokens of a text that a compiler would look at, with their brackets matched.
//
//   TokenList list = lex(body);
//   Code code(list);
//   if (code.error()) ...                       // an unclosed bracket, string, comment or #if
//   code.match(i)                               // the token that closes or opens bracket i
//
// Spaces, comments and `#if 0` groups are left out. Where a conditional has several branches, each
// one starts from the brackets that are open at its `#if`, and the first branch tells what is open
// behind the `#endif`. The brackets of a macro's body are matched within that body and never
// reported, so a body that opens a brace by a macro and closes it in the open is reported as
// unbalanced.
//
// Never fails: with an error(), brackets without a partner match nothing. Linear in the text's
// size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dialect/lexer.h"
#include "dialect/source_error.h"

namespace sprue {

class Code {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  explicit Code(const TokenList& list);

  size_t size() const { return tokens_.size(); }
  const Token& operator[](size_t i) const { return *tokens_[i].token; }
  // Spelling of token i; empty for kNone and beyond the ends, and for strings and characters.
  std::string_view text(size_t i) const;
  bool is_identifier(size_t i) const {
    return i < size() && (*this)[i].kind == TokenKind::identifier;
  }
  bool is_define(size_t i) const { return text(i) == "#define"; }
  bool is_directive(size_t i) const {
    return i < size() && (*this)[i].kind == TokenKind::directive;
  }
  // The partner of bracket i, or kNone.
  size_t match(size_t i) const { return i < size() ? tokens_[i].match : kNone; }
  // The innermost open bracket around token i (for a bracket: around the pair), or kNone. Brackets
  // around a directive don't count inside it.
  size_t parent(size_t i) const { return tokens_[i].parent; }
  uint32_t depth(size_t i) const { return tokens_[i].depth; }  // how many brackets that makes
  // One past the last token that stands with token i: of the same directive line, or of the text up
  // to the next directive.
  size_t run_end(size_t i) const { return tokens_[i].run_end; }
  // For the head of a #define: the first token of the macro's body.
  size_t macro_body(size_t define) const;

  const std::optional<SourceError>& error() const { return error_; }

 private:
  friend class CodeBuilder;
  struct Entry {
    const Token* token;
    size_t match = kNone;
    size_t parent = kNone;
    size_t run_end = 0;
    uint32_t depth = 0;
  };
  std::vector<Entry> tokens_;
  std::optional<SourceError> error_;
};

}  // namespace sprue
