#include "dialect/declaration.h"

#include <algorithm>
#include <array>

namespace sprue {

namespace {

constexpr auto kBuiltinTypes = std::to_array<std::string_view>({
    "auto",
    "bool",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "double",
    "float",
    "int",
    "long",
    "short",
    "signed",
    "unsigned",
    "void",
    "wchar_t",
});

constexpr auto kQualifiers = std::to_array<std::string_view>({
    "const",
    "constant",
    "constexpr",
    "device",
    "extern",
    "inline",
    "mutable",
    "register",
    "static",
    "thread",
    "threadgroup",
    "typedef",
    "typename",
    "volatile",
});

constexpr auto kStatementWords = std::to_array<std::string_view>({
    "alignof",      "and",
    "asm",          "bitand",
    "bitor",        "break",
    "case",         "catch",
    "co_await",     "co_return",
    "co_yield",     "const_cast",
    "continue",     "default",
    "delete",       "do",
    "dynamic_cast", "else",
    "false",        "for",
    "friend",       "goto",
    "if",           "namespace",
    "new",          "noexcept",
    "not",          "nullptr",
    "operator",     "or",
    "private",      "protected",
    "public",       "reinterpret_cast",
    "requires",     "return",
    "sizeof",       "static_assert",
    "static_cast",  "switch",
    "template",     "this",
    "throw",        "true",
    "try",          "typeid",
    "using",        "while",
    "xor",
});

bool contains(auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_elaborated(std::string_view word) {
  return word == "struct" || word == "class" || word == "union" || word == "enum";
}

bool takes_parentheses(std::string_view word) {
  return word == "alignas" || word == "__attribute__" || word == "decltype" || word == "__typeof__";
}

size_t skip_pointer_operators(const Code& code, size_t i) {
  while (code.text(i) == "*" || code.text(i) == "&" || code.text(i) == "&&" ||
         is_qualifier_word(code.text(i)))
    ++i;
  return i;
}

// The name of "(*name)" or "(&name)" at `open`.
size_t parenthesised_name(const Code& code, size_t open) {
  const size_t i = skip_pointer_operators(code, open + 1);
  return i > open + 1 && code.is_identifier(i) ? i : Code::kNone;
}

// The names in the brackets of a structured binding.
std::vector<size_t> binding_names(const Code& code, size_t open) {
  std::vector<size_t> names;
  const size_t close = code.match(open);
  if (close == Code::kNone) return names;
  for (size_t i = open + 1; i < close; ++i)
    if (code.is_identifier(i)) names.push_back(i);
  return names;
}

}  // namespace

bool is_builtin_type_word(std::string_view word) { return contains(kBuiltinTypes, word); }
bool is_qualifier_word(std::string_view word) { return contains(kQualifiers, word); }
bool is_statement_word(std::string_view word) { return contains(kStatementWords, word); }

size_t skip_template_arguments(const Code& code, size_t open) {
  size_t depth = 0;
  const size_t end = std::min(code.size(), open + kLookahead);
  for (size_t i = open; i < end; ++i) {
    const std::string_view text = code.text(i);
    if (text == "<") ++depth;
    if (text == ">" && --depth == 0) return i + 1;
    if (text == ";" || text == "{" || text == "}" || text == ")" || text == "]" ||
        code.is_directive(i))
      return Code::kNone;
    if (text == "(" || text == "[") {
      if (code.match(i) == Code::kNone) return Code::kNone;
      i = code.match(i);
    }
  }
  return Code::kNone;
}

std::vector<size_t> declared_names(const Code& code, size_t begin) {
  std::vector<size_t> names;  // tags of types that are defined on the way
  bool has_type = false;
  bool has_pointer = false;
  bool is_auto = false;
  const size_t end = std::min(code.size(), begin + kLookahead);
  for (size_t i = begin; i < end; ++i) {
    const std::string_view text = code.text(i);
    if (text == "using") {  // an alias: using name = ...;
      if (code.is_identifier(i + 1) && code.text(i + 2) == "=") return {i + 1};
      return {};
    }
    if (takes_parentheses(text)) {
      if (code.match(i + 1) == Code::kNone) return {};
      has_type |= text == "decltype" || text == "__typeof__";
      i = code.match(i + 1);
    } else if (is_qualifier_word(text)) {
      continue;
    } else if (is_elaborated(text)) {
      // struct S s; struct { float a; } s; struct S { float a; } s;
      has_type = true;
      if (is_elaborated(code.text(i + 1))) ++i;
      if (code.is_identifier(i + 1)) ++i;
      const std::string_view after = code.text(i + 1);
      if (code.is_identifier(i) && (after == "{" || after == ":" || after == ";"))
        names.push_back(i);
      while (i + 1 < end && code.text(i + 1) != "{" && code.text(i + 1) != ";" && after == ":") ++i;
      if (code.text(i + 1) == "{" && code.match(i + 1) != Code::kNone) i = code.match(i + 1);
    } else if (is_builtin_type_word(text)) {
      if (has_pointer) return {};
      has_type = true;
      is_auto |= text == "auto";
    } else if (text == "::" && !has_type) {
      continue;
    } else if (code.is_identifier(i)) {
      if (is_statement_word(text)) return {};
      if (has_type) {
        names.push_back(i);
        return names;
      }
      has_type = true;
      for (;;) {  // template arguments and qualified names
        if (code.text(i + 1) == "<") {
          const size_t behind = skip_template_arguments(code, i + 1);
          if (behind == Code::kNone) return {};
          i = behind - 1;
        } else if (code.text(i + 1) == "::" && code.is_identifier(i + 2)) {
          i += 2;
        } else {
          break;
        }
      }
    } else if (has_type && (text == "*" || text == "&" || text == "&&")) {
      has_pointer = true;
    } else if (has_type && text == "(") {
      const size_t name = parenthesised_name(code, i);
      if (name == Code::kNone) return {};
      return {name};
    } else if (text == "[") {
      if (code.text(i + 1) == "[" && code.match(i) != Code::kNone) {
        i = code.match(i);  // [[attribute]]
        continue;
      }
      return is_auto ? binding_names(code, i) : std::vector<size_t>();
    } else {
      return names;
    }
  }
  return names;
}

size_t next_declarator(const Code& code, size_t begin) {
  size_t i = skip_pointer_operators(code, begin);
  if (code.text(i) == "(") return parenthesised_name(code, i);
  return code.is_identifier(i) ? i : Code::kNone;
}

}  // namespace sprue
