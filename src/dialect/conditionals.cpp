#include "dialect/conditionals.h"

#include <fmt/format.h>

namespace sprue {

namespace {

// Of an operand's text: a chain of conditionals writes it again and again.
constexpr size_t kLengthLimit = 2000;

class Converter {
 public:
  Converter(const Code& code, std::string_view lowered, std::vector<std::string>& behind)
      : code_(code), lowered_(lowered), behind_(behind) {}

  // The operands of a conditional that begins within another's lie to its right.
  void run() {
    for (size_t i = code_.size(); i-- > 0;)
      if (code_.text(i) == "?") convert(i);
  }

 private:
  void convert(size_t question) {
    const size_t colon = find_colon(question);
    if (colon == Code::kNone) return;
    const size_t end = find_end(colon);
    if (!is_plain(question + 1, colon) || !is_plain(colon + 1, end)) return;
    if (code_.text(end) == "," && has_angle(colon + 1, end)) return;  // of `f<a, b>(x)`, perhaps
    const std::string chosen = spell(question + 1, colon), other = spell(colon + 1, end);
    if (chosen.size() > kLengthLimit || other.size() > kLengthLimit) return;
    behind_[question] += fmt::format(" sprue_types::either<decltype({})>(", other);
    behind_[colon - 1] += ")";
    behind_[colon] += fmt::format(" sprue_types::either<decltype({})>(", chosen);
    behind_[end - 1] += ")";
  }

  // Past the bracket that opens at k, or the next token.
  size_t next(size_t k) const {
    const size_t match = code_.match(k);
    return match != Code::kNone && match > k ? match + 1 : k + 1;
  }

  size_t find_colon(size_t question) const {
    size_t open = 0;
    for (size_t k = question + 1; k < code_.run_end(question); k = next(k)) {
      const std::string_view text = code_.text(k);
      if (text == "?") ++open;
      if (text == ":" && open-- == 0) return k;
      if (is_closing(text) || text == ";") return Code::kNone;
    }
    return Code::kNone;
  }

  // One past the last token of the operand behind the colon.
  size_t find_end(size_t colon) const {
    size_t open = 0, k = colon + 1;
    for (; k < code_.run_end(colon); k = next(k)) {
      const std::string_view text = code_.text(k);
      if (is_closing(text) || text == ";" || text == ",") break;
      if (text == "?") ++open;
      if (text == ":" && open-- == 0) break;
    }
    return k;
  }

  static bool is_closing(std::string_view text) {
    return text == ")" || text == "]" || text == "}";
  }

  bool is_plain(size_t begin, size_t end) const {
    if (begin >= end) return false;
    size_t angles = 0;
    for (size_t k = begin; k < end; ++k) {
      const std::string_view text = code_.text(k);
      if (code_.is_directive(k) || text == "{" || text == "throw" || text == "#" || text == "##")
        return false;
      if (text == "<") ++angles;
      if (text == ">" && angles-- == 0) return false;
    }
    return true;
  }

  bool has_angle(size_t begin, size_t end) const {
    for (size_t k = begin; k < end; ++k)
      if (code_.text(k) == "<") return true;
    return false;
  }

  // On one line, without comments.
  std::string spell(size_t begin, size_t end) const {
    std::string text;
    for (size_t k = begin; k < end && text.size() <= kLengthLimit; ++k) {
      if (!text.empty() && code_[k].offset != code_[k - 1].offset + code_[k - 1].size) text += ' ';
      text += lowered_.substr(code_[k].offset, code_[k].size);
      text += behind_[k];
    }
    return text;
  }

  const Code& code_;
  std::string_view lowered_;
  std::vector<std::string>& behind_;
};

}  // namespace

void insert_conversions(const Code& code, std::string_view lowered,
                        std::vector<std::string>& behind) {
  Converter(code, lowered, behind).run();
}

}  // namespace sprue
