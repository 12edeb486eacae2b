#include "dialect/specifiers.h"

#include <algorithm>

#include "dialect/declaration.h"

namespace sprue {

namespace {

bool takes_parentheses(std::string_view word) {
  return word == "alignas" || word == "__attribute__" || word == "decltype";
}

// The '<' of the '>' at `close`, not before `stop`; or kNone.
size_t template_open(const Code& code, size_t close, size_t stop) {
  size_t depth = 0;
  for (size_t k = close + 1; k-- > stop;) {
    const std::string_view text = code.text(k);
    if (text == ">") ++depth;
    if (text == "<" && --depth == 0) return k;
    if (text == ")" || text == "]") {
      if (code.match(k) == Code::kNone) return Code::kNone;
      k = code.match(k);
    } else if (text == ";" || text == "{" || text == "}" || text == "(" || text == "[") {
      return Code::kNone;
    }
  }
  return Code::kNone;
}

// "(...)" of alignas and its like, or "[[...]]": part of the specifiers, if it opens at `open`.
bool is_specifier_group(const Code& code, size_t open) {
  if (code.text(open) == "[") return attribute_end(code, open) != Code::kNone;
  return open > 0 && takes_parentheses(code.text(open - 1));
}

}  // namespace

size_t attribute_end(const Code& code, size_t open) {
  return code.text(open) == "[" && code.text(open + 1) == "[" ? code.match(open) : Code::kNone;
}

SpecifiersBefore specifiers_before(const Code& code, size_t word, size_t first) {
  SpecifiersBefore before;
  const size_t stop = std::max(first, word > kLookahead ? word - kLookahead : 0);
  size_t k = word;  // the specifiers are [k, word)
  while (k > stop) {
    const size_t i = k - 1;
    const std::string_view text = code.text(i);
    if (code.is_directive(i)) break;
    if (is_qualifier_word(text) || text == "::") {
      before.has_const |= text == "const";
      before.has_typedef |= text == "typedef";
      k = i;
    } else if (code.is_identifier(i) && !is_statement_word(text)) {
      before.has_type |= !takes_parentheses(text);
      k = i;
    } else if (text == ">") {
      const size_t open = template_open(code, i, stop);
      if (open == Code::kNone) break;
      before.has_type = true;
      k = open;
    } else if ((text == ")" || text == "]") && code.match(i) != Code::kNone &&
               code.match(i) > stop && is_specifier_group(code, code.match(i))) {
      before.has_type |= code.text(code.match(i) - 1) == "decltype";
      k = code.match(i);
    } else {
      break;
    }
  }
  if (k > first) before.boundary = k - 1;
  // using X = threadgroup float*;
  if (code.text(before.boundary) == "=" && before.boundary >= 2 &&
      code.text(before.boundary - 2) == "using")
    before.has_typedef = true;
  return before;
}

SpecifiersBehind specifiers_behind(const Code& code, size_t word) {
  SpecifiersBehind behind;
  const size_t run_end = code.run_end(word);
  size_t k = word + 1;
  for (; k < run_end && k - word < kLookahead; ++k) {
    const std::string_view text = code.text(k);
    if (is_qualifier_word(text) || text == "::") {
      behind.has_const |= text == "const";
    } else if (text == "struct" || text == "class" || text == "union" || text == "enum") {
      // struct { float a[4]; } shared;
      ++behind.words;
      if (code.is_identifier(k + 1)) ++k;
      if (code.text(k + 1) == "{" && code.match(k + 1) != Code::kNone) k = code.match(k + 1);
    } else if (takes_parentheses(text)) {
      if (code.match(k + 1) == Code::kNone) break;
      if (text == "decltype") ++behind.words;
      k = code.match(k + 1);
    } else if (attribute_end(code, k) != Code::kNone) {
      k = attribute_end(code, k);
    } else if (code.is_identifier(k) && !is_statement_word(text)) {
      if (behind.words == 0 || code.text(k - 1) != "::") ++behind.words;
      behind.last_word = k;
    } else if (text == "<") {
      const size_t end = skip_template_arguments(code, k);
      if (end == Code::kNone) break;
      k = end - 1;
    } else {
      break;
    }
  }
  behind.end = std::min(k, run_end);
  return behind;
}

}  // namespace sprue
