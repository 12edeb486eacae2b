#include "dialect/lexer.h"

#include <array>
#include <utility>

namespace sprue {

namespace {

bool is_newline(char c) { return c == '\n' || c == '\r'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

struct Spelling {
  std::string_view written;
  std::string_view text;
};

// Longest first. Operators that begin with '>' are left out on purpose.
constexpr auto kPunctuation = std::to_array<Spelling>({
    {"%:%:", "##"}, {"...", "..."}, {"<<=", "<<="}, {"->*", "->*"}, {"::", "::"}, {"->", "->"},
    {"==", "=="},   {"!=", "!="},   {"<=", "<="},   {"&&", "&&"},   {"||", "||"}, {"++", "++"},
    {"--", "--"},   {"+=", "+="},   {"-=", "-="},   {"*=", "*="},   {"/=", "/="}, {"%=", "%="},
    {"^=", "^="},   {"&=", "&="},   {"|=", "|="},   {"<<", "<<"},   {"##", "##"}, {"<:", "["},
    {":>", "]"},    {"<%", "{"},    {"%>", "}"},    {"%:", "#"},    {".*", ".*"},
});

constexpr std::string_view kStringPrefixes[] = {"u8", "u", "U", "L"};

}  // namespace

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text), list_(text) {}

  TokenList run() {
    while (position_ < text_.size()) next();
    return std::move(list_);
  }

 private:
  // One character of the text as the language sees it: continuations before it are skipped.
  struct Step {
    char c;      // 0 at the end of the text
    size_t end;  // offset behind the character
    bool valid;  // false at the end of the text
  };

  // Offset behind the line break at `at`, or `at` if there is none.
  size_t skip_newline(size_t at) const {
    if (at >= text_.size() || !is_newline(text_[at])) return at;
    const bool pair = text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n';
    return at + (pair ? 2 : 1);
  }

  // Offset behind the line continuation at `at`, or `at` if there is none.
  size_t skip_continuation(size_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return at;
    size_t end = at + 1;
    while (end < text_.size() && is_blank(text_[end])) ++end;
    const size_t behind = skip_newline(end);
    return behind == end ? at : behind;
  }

  Step look(size_t at) const {
    for (size_t behind; (behind = skip_continuation(at)) != at;) at = behind;
    return at < text_.size() ? Step{text_[at], at + 1, true} : Step{0, text_.size(), false};
  }

  bool looking_at(size_t at, std::string_view expected, size_t& end) const {
    for (char c : expected) {
      const Step step = look(at);
      if (!step.valid || step.c != c) return false;
      at = step.end;
    }
    end = at;
    return true;
  }

  void emit(TokenKind kind, size_t end, std::string_view text = {}, bool terminated = true) {
    Token token;
    token.kind = kind;
    token.terminated = terminated;
    token.in_directive = in_directive_;
    token.offset = static_cast<uint32_t>(position_);
    token.size = static_cast<uint32_t>(end - position_);
    token.line = line_;
    token.column = static_cast<uint32_t>(position_ - line_begin_ + 1);
    token.text = text.empty() ? spelling(kind, end) : text;
    list_.tokens_.push_back(token);
    while (position_ < end) {
      const size_t behind = skip_newline(position_);
      if (behind == position_) {
        ++position_;
      } else {
        ++line_;
        position_ = line_begin_ = behind;
      }
    }
  }

  std::string_view spelling(TokenKind kind, size_t end) {
    const std::string_view written = text_.substr(position_, end - position_);
    const bool joins =
        kind == TokenKind::identifier || kind == TokenKind::directive || kind == TokenKind::number;
    if (!joins || written.find_first_of("\r\n") == std::string_view::npos) return written;
    std::string& joined = list_.joined_.emplace_back();
    for (size_t at = position_; at < end;) {
      const Step step = look(at);
      if (!step.valid || step.end > end) break;
      joined += step.c;
      at = step.end;
    }
    return joined;
  }

  void next() {
    const size_t begin = position_;
    if (begin == 0 && text_.starts_with(kByteOrderMark))
      return emit(TokenKind::space, kByteOrderMark.size());
    const Step first = look(begin);
    if (first.end != begin + 1 || is_blank(first.c)) return space();
    if (is_newline(first.c)) {
      in_directive_ = false;
      emit(TokenKind::newline, skip_newline(begin));
      at_line_start_ = true;
      return;
    }
    size_t end;
    if (looking_at(begin, "//", end)) return emit(TokenKind::comment, line_end(end));
    if (looking_at(begin, "/*", end)) {
      bool terminated = true;
      end = comment_end(end, terminated);
      return emit(TokenKind::comment, end, {}, terminated);
    }
    const bool line_start = std::exchange(at_line_start_, false);
    const bool hash = first.c == '#' || looking_at(begin, "%:", end);
    const bool pasting = looking_at(begin, "##", end) || looking_at(begin, "%:%:", end);
    if (line_start && hash && !pasting) return directive();
    if (first.c == '"' || first.c == '\'') return quoted(begin);
    if (is_digit(first.c) || (first.c == '.' && is_digit(look(first.end).c))) return number();
    if (is_word(first.c)) return word();
    punctuation();
  }

  void space() {
    size_t end = position_;
    for (;;) {
      const size_t behind = skip_continuation(end);
      if (behind != end)
        end = behind;
      else if (end < text_.size() && is_blank(text_[end]))
        ++end;
      else
        break;
    }
    emit(TokenKind::space, end);
  }

  // Offset of the line break that ends the logical line at `at`.
  size_t line_end(size_t at) const {
    for (Step step = look(at); step.valid; step = look(step.end))
      if (is_newline(step.c)) return step.end - 1;
    return text_.size();
  }

  size_t comment_end(size_t at, bool& terminated) const {
    while (at < text_.size()) {
      size_t end;
      if (looking_at(at, "*/", end)) return end;
      at = look(at).end;
    }
    terminated = false;
    return text_.size();
  }

  void directive() {
    in_directive_ = true;
    bool terminated = true;
    size_t at = look(position_).c == '#' ? look(position_).end : look(look(position_).end).end;
    for (;;) {  // blanks and comments between '#' and the word
      const Step step = look(at);
      size_t end;
      if (is_blank(step.c))
        at = step.end;
      else if (looking_at(at, "/*", end))
        at = comment_end(end, terminated);
      else
        break;
    }
    size_t end = at;
    if (looking_at(at, "define", end) && !is_word(look(end).c))
      return emit(TokenKind::directive, end, "#define");
    end = directive_end(at, terminated);
    emit(TokenKind::directive, end, {}, terminated);
  }

  // The end of a directive's line. A block comment in it may hold line breaks.
  size_t directive_end(size_t at, bool& terminated) const {
    bool in_string = false;
    for (;;) {
      const Step step = look(at);
      if (!step.valid) return text_.size();
      if (is_newline(step.c)) return step.end - 1;
      size_t end;
      if (!in_string && looking_at(at, "//", end)) return line_end(end);
      if (!in_string && looking_at(at, "/*", end)) {
        at = comment_end(end, terminated);
        continue;
      }
      if (step.c == '"') in_string = !in_string;
      at = step.end;
    }
  }

  // A string or character whose opening quote is at `quote`; the token begins at position_.
  void quoted(size_t quote) {
    const Step open = look(quote);
    const TokenKind kind = open.c == '"' ? TokenKind::string : TokenKind::character;
    size_t at = open.end;
    for (;;) {
      const Step step = look(at);
      if (!step.valid) return emit(kind, text_.size(), {}, false);
      if (is_newline(step.c)) return emit(kind, step.end - 1, {}, false);
      at = step.end;
      if (step.c == open.c) return emit(kind, at);
      if (step.c != '\\') continue;
      const Step escaped = look(at);
      if (escaped.valid && !is_newline(escaped.c)) at = escaped.end;
    }
  }

  // A raw string whose opening quote ends at `at`.
  void raw_string(size_t at) {
    constexpr size_t kMaximumDelimiter = 16;
    size_t open = at;
    while (open < text_.size() && open - at <= kMaximumDelimiter && text_[open] != '(' &&
           text_[open] != ')' && text_[open] != '\\' && text_[open] != '"' &&
           !is_blank(text_[open]) && !is_newline(text_[open]))
      ++open;
    if (open >= text_.size() || text_[open] != '(' || open - at > kMaximumDelimiter)
      return emit(TokenKind::string, line_end(at), {}, false);
    const std::string close = ")" + std::string(text_.substr(at, open - at)) + "\"";
    const size_t end = text_.find(close, open + 1);
    if (end == std::string_view::npos) return emit(TokenKind::string, text_.size(), {}, false);
    emit(TokenKind::string, end + close.size());
  }

  size_t word_end(size_t at) const {
    for (;;) {
      const Step step = look(at);
      if (!step.valid || !is_word(step.c)) return at;
      at = step.end;
    }
  }

  void word() {
    const size_t end = word_end(position_);
    const Step behind = look(end);
    if (behind.c == '"' || behind.c == '\'') {
      const std::string word(spelling(TokenKind::identifier, end));
      const bool raw = word.ends_with('R') && behind.c == '"';
      const std::string prefix = raw ? word.substr(0, word.size() - 1) : word;
      bool known = raw && prefix.empty();
      for (std::string_view candidate : kStringPrefixes) known |= prefix == candidate;
      if (known && raw) return raw_string(behind.end);
      if (known) return quoted(end);
    }
    emit(TokenKind::identifier, end);
  }

  void number() {
    size_t at = look(position_).end;
    char last = look(position_).c;
    for (;;) {
      const Step step = look(at);
      if (!step.valid) break;
      const bool exponent = last == 'e' || last == 'E' || last == 'p' || last == 'P';
      const bool separator = step.c == '\'' && is_word(look(step.end).c);
      if (!is_word(step.c) && step.c != '.' && !separator &&
          !(exponent && (step.c == '+' || step.c == '-')))
        break;
      last = step.c;
      at = step.end;
    }
    emit(TokenKind::number, at);
  }

  void punctuation() {
    size_t end;
    // "<::" is '<' and '::', unless ':' or '>' follows.
    if (looking_at(position_, "<::", end) && look(end).c != ':' && look(end).c != '>')
      return emit(TokenKind::punctuation, look(position_).end);
    for (const Spelling& spelling : kPunctuation)
      if (spelling.written[0] == text_[position_] && looking_at(position_, spelling.written, end))
        return emit(TokenKind::punctuation, end, spelling.text);
    emit(TokenKind::punctuation, position_ + 1);
  }

  std::string_view text_;
  TokenList list_;
  size_t position_ = 0;
  size_t line_begin_ = 0;
  uint32_t line_ = 1;
  bool at_line_start_ = true;
  bool in_directive_ = false;
};

TokenList lex(std::string_view text) { return Lexer(text).run(); }

std::string_view directive_name(const Token& directive) {
  std::string_view text = directive.text;
  text.remove_prefix(text.starts_with("%:") ? 2 : 1);
  for (;;) {
    if (!text.empty() && is_blank(text[0])) {
      text.remove_prefix(1);
    } else if (text.starts_with("/*") && text.find("*/", 2) != std::string_view::npos) {
      text.remove_prefix(text.find("*/", 2) + 2);
    } else {
      break;
    }
  }
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace sprue
