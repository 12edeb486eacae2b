#include "dialect/swizzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dialect/declaration.h"

namespace sprue {

namespace {

constexpr std::string_view kSets[] = {"xyzw", "rgba"};
// Sixteen digits for the names of what is read, and sixteen for what is written to.
constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

constexpr auto kAssignments = std::to_array<std::string_view>(
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", "++", "--"});

bool is_member_access(std::string_view text) { return text == "." || text == "->"; }

// Whether '{' at `open` begins the members of a struct: from it leftwards, past names, bases and
// alignas(...), stands the keyword.
bool opens_struct(const Code& code, size_t open) {
  for (size_t k = open; k-- > 0 && open - k < kLookahead;) {
    const std::string_view text = code.text(k);
    if (text == "struct" || text == "class" || text == "union") return code.text(k - 1) != "enum";
    if (text == ")") {
      const size_t begin = code.match(k);
      if (begin == Code::kNone || begin == 0) return false;
      const std::string_view before = code.text(begin - 1);
      if (before != "alignas" && before != "__attribute__") return false;
      k = begin;
    } else if (text == "]" && code.match(k) != Code::kNone) {
      k = code.match(k);  // an attribute
    } else if (text == ";" || text == "{" || text == "}" || text == "=" || code.is_directive(k)) {
      return false;
    }
  }
  return false;
}

// The first token of the expression that the member access at `dot` applies to: names, calls and
// indices, joined by '.', '->' and '::'.
size_t operand_begin(const Code& code, size_t dot) {
  size_t begin = dot;
  for (size_t step = 0; begin > 0 && step < kLookahead; ++step) {
    const size_t last = begin - 1;
    const std::string_view text = code.text(last);
    if ((text == ")" || text == "]") && code.match(last) != Code::kNone) {
      begin = code.match(last);
      if (begin == 0) return begin;
      const std::string_view before = code.text(begin - 1);
      if (!code.is_identifier(begin - 1) && before != ")" && before != "]") return begin;
      if (is_statement_word(before)) return begin;
      continue;
    }
    if (!code.is_identifier(last)) return begin;
    begin = last;
    const std::string_view before = begin > 0 ? code.text(begin - 1) : std::string_view();
    if (!is_member_access(before) && before != "::") return begin;
    --begin;
  }
  return begin;
}

}  // namespace

void OwnMembers::add(const Code& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    if (!code.is_identifier(i) || !is_swizzle(code.text(i))) continue;
    const bool is_macro = i > 0 && code.is_define(i - 1);
    if (!is_macro) {
      const size_t open = code.parent(i);
      if (open == Code::kNone || code.text(open) != "{" || is_member_access(code.text(i - 1)) ||
          !opens_struct(code, open))
        continue;
    }
    names_.emplace(code.text(i));
  }
}

bool is_swizzle(std::string_view name) {
  if (name.empty() || name.size() > 4) return false;
  return std::any_of(std::begin(kSets), std::end(kSets), [&](std::string_view set) {
    return name.find_first_not_of(set) == std::string_view::npos;
  });
}

std::string swizzle_name(std::string_view swizzle, bool is_assigned) {
  const std::string_view set = kSets[kSets[0].find(swizzle[0]) == std::string_view::npos];
  if (swizzle.size() == 1) return std::string(1, kSets[0][set.find(swizzle[0])]);
  size_t value = 0;
  for (char letter : swizzle) value = 4 * value + set.find(letter);
  std::string name(swizzle.size() == 4 ? 2 : 1, '_');
  if (swizzle.size() == 2) return name + kDigits[value + 16 * is_assigned];
  return name + kDigits[value / 16 + 16 * is_assigned] + kDigits[value % 16];
}

bool is_assignable_swizzle(std::string_view name) {
  return kDigits.find(name[name.find_first_not_of('_')]) >= 16;
}

std::string swizzle_definition(std::string_view name) {
  size_t value = 0;
  for (char c : name.substr(name.find_first_not_of('_'))) value = 16 * value + kDigits.find(c) % 16;
  std::string indices;
  for (size_t shift = 2 * name.size(); shift > 0; shift -= 2)
    indices += fmt::format("{}{}", indices.empty() ? "" : ", ", value >> (shift - 2) & 3);
  return fmt::format("template {}<{}>()", is_assignable_swizzle(name) ? "place" : "swizzle",
                     indices);
}

std::optional<SourceError> find_clash(const Code& code, const std::set<std::string>& names) {
  if (names.empty()) return std::nullopt;
  for (size_t i = 0; i < code.size(); ++i)
    if (code.is_identifier(i) && names.contains(std::string(code.text(i))))
      return SourceError{code[i].line, code[i].column, "another name",
                         fmt::format("'{}'", code.text(i)),
                         "the generated text has it for a swizzle of this kernel"};
  return std::nullopt;
}

bool is_assigned(const Code& code, size_t i) {
  const size_t end = code.run_end(i);
  size_t k = i + 1;
  for (size_t step = 0; step < kLookahead; ++step) {
    if (k + 1 < end && code.text(k) == "." && code.is_identifier(k + 1))
      k += 2;
    else if (k < end && code.text(k) == "[" && code.match(k) != Code::kNone)
      k = code.match(k) + 1;
    else
      break;
  }
  if (k < end) {
    const std::string_view text = code.text(k);
    if (std::find(kAssignments.begin(), kAssignments.end(), text) != kAssignments.end())
      return true;
    // The lexer leaves every '>' by itself.
    if (text == ">" && k + 2 < end && code.text(k + 1) == ">" && code.text(k + 2) == "=" &&
        code[k + 2].offset == code[k].offset + 2)
      return true;
  }
  const size_t begin = i > 0 ? operand_begin(code, i - 1) : i;
  const std::string_view before = begin > 0 ? code.text(begin - 1) : std::string_view();
  return before == "++" || before == "--";
}

}  // namespace sprue
