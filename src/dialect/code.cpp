#include "dialect/code.h"

namespace sprue {

namespace {

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }
bool is_opening(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool is_closing(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

bool is_conditional(std::string_view name) {
  return name == "if" || name == "ifdef" || name == "ifndef";
}

// "#if 0", whatever its spacing.
bool is_never(const Token& directive) {
  const std::string_view name = directive_name(directive);
  if (name != "if") return false;
  std::string_view rest =
      directive.text.substr(static_cast<size_t>(name.data() + name.size() - directive.text.data()));
  const size_t begin = rest.find_first_not_of(" \t");
  if (begin == std::string_view::npos || rest[begin] != '0') return false;
  rest.remove_prefix(begin + 1);
  const size_t end = rest.find_first_not_of(" \t");
  return end == std::string_view::npos || rest.substr(end).starts_with("//") ||
         rest.substr(end).starts_with("/*");
}

}  // namespace

// Open brackets are a list linked from the innermost outwards. Nodes are never changed, so keeping
// and restoring the brackets of an `#if` costs nothing, however deep they are.
class CodeBuilder {
 public:
  explicit CodeBuilder(Code& code) : code_(code) {}

  void run(const TokenList& list) {
    for (const Token& token : list.tokens()) {
      if (token.kind == TokenKind::directive && token.text != "#define") conditional(token);
      if (dead_depth_ > 0) continue;
      if (!token.terminated) unterminated(token);
      if (token.kind == TokenKind::space || token.kind == TokenKind::newline ||
          token.kind == TokenKind::comment)
        continue;
      add(token);
    }
    if (!conditionals_.empty()) {
      const Token& open = *conditionals_.back().token;
      report(open, "an #endif", "the end of the text", "the conditional that begins here is open");
    }
    if (const size_t open = outer_; open != kOutside && code_.tokens_.size() > 0) {
      const Token& token = *code_.tokens_[nodes_[open].token].token;
      report(token, fmt::format("'{}' to close '{}'", closing(token.text[0]), token.text),
             "the end of the text", "the bracket that opens here is never closed");
    }
    finish_runs();
  }

 private:
  static constexpr size_t kOutside = SIZE_MAX;
  struct Node {
    size_t token;  // index of the opening bracket
    size_t outer;
    uint32_t depth;
  };
  struct Conditional {
    const Token* token;
    size_t at_begin;      // brackets open at the #if
    size_t after_branch;  // brackets open behind its first live branch
    bool has_branch;      // after_branch is known
    bool first_is_dead;   // "#if 0"
  };

  void report(const Token& token, std::string expected, std::string got, std::string hint) {
    if (code_.error_) return;
    code_.error_ =
        SourceError{token.line, token.column, std::move(expected), std::move(got), std::move(hint)};
  }

  void unterminated(const Token& token) {
    switch (token.kind) {
      case TokenKind::comment:
      case TokenKind::directive:
        return report(token, "'*/' to end the comment", "the end of the text",
                      "the comment begins here");
      case TokenKind::string:
        return report(token, "'\"' to end the string", "the end of the line",
                      "the string begins here");
      default:
        return report(token, "a quote to end the character", "the end of the line",
                      "the character begins here");
    }
  }

  // Follows #if, #else and #endif; tokens in a dead group aren't added.
  void conditional(const Token& token) {
    const std::string_view name = directive_name(token);
    if (dead_depth_ > 0) {
      if (is_conditional(name)) ++dead_depth_;
      if (name == "endif") --dead_depth_;
      if (dead_depth_ == 1 && (name == "else" || name.starts_with("elif"))) dead_depth_ = 0;
      if (dead_depth_ == 0 && name == "endif") conditionals_.pop_back();
      return;
    }
    if (is_conditional(name)) {
      conditionals_.push_back({&token, outer_, outer_, false, is_never(token)});
      if (is_never(token)) dead_depth_ = 1;
      return;
    }
    const bool ends = name == "endif";
    if (!ends && name != "else" && !name.starts_with("elif")) return;
    if (conditionals_.empty())
      return report(token, "an #if before it", fmt::format("#{}", name),
                    "every conditional begins with #if, #ifdef or #ifndef");
    Conditional& top = conditionals_.back();
    if (!top.has_branch) {
      top.has_branch = true;
      top.after_branch = outer_;
    }
    outer_ = ends ? top.after_branch : top.at_begin;
    if (ends) conditionals_.pop_back();
  }

  void add(const Token& token) {
    const size_t index = code_.tokens_.size();
    // A directive has brackets of its own.
    if (token.kind == TokenKind::directive) inner_ = kOutside;
    size_t& open = token.in_directive ? inner_ : outer_;
    Code::Entry entry{&token};
    const bool bracket = token.kind == TokenKind::punctuation;
    // A word blanked in front of it would make it a directive.
    if (bracket && !token.in_directive && token.text[0] == '#')
      report(token, "a directive at the start of a line", fmt::format("a stray '{}'", token.text),
             "move it to a line of its own or remove it");
    if (bracket && is_closing(token.text)) close(token, index, open, entry);
    entry.parent = open == kOutside ? Code::kNone : nodes_[open].token;
    entry.depth = open == kOutside ? 0 : nodes_[open].depth;
    code_.tokens_.push_back(entry);
    if (bracket && is_opening(token.text)) {
      nodes_.push_back({index, open, entry.depth + 1});
      open = nodes_.size() - 1;
    }
  }

  void close(const Token& token, size_t index, size_t& open, Code::Entry& entry) {
    if (open == kOutside) {
      if (!token.in_directive)
        report(token, fmt::format("an open bracket before '{}'", token.text), "none",
               token.text == "}" ? "this brace would close what stands around the text"
                                 : "remove it or open it");
      return;
    }
    const size_t opening = nodes_[open].token;
    const Token& partner = *code_.tokens_[opening].token;
    if (closing(partner.text[0]) != token.text[0]) {
      if (!token.in_directive)
        report(token,
               fmt::format("'{}' to close the '{}' of line {}", closing(partner.text[0]),
                           partner.text, partner.line),
               fmt::format("'{}'", token.text), "brackets must nest");
      return;
    }
    // In a second branch the bracket has a partner already; the first one stays.
    if (code_.tokens_[opening].match == Code::kNone) code_.tokens_[opening].match = index;
    entry.match = opening;
    open = nodes_[open].outer;
  }

  void finish_runs() {
    size_t end = code_.tokens_.size();
    for (size_t i = code_.tokens_.size(); i-- > 0;) {
      Code::Entry& entry = code_.tokens_[i];
      entry.run_end = end;
      const bool starts_run =
          i > 0 && (entry.token->kind == TokenKind::directive ||
                    entry.token->in_directive != code_.tokens_[i - 1].token->in_directive);
      if (starts_run) end = i;
    }
  }

  Code& code_;
  std::vector<Node> nodes_;
  std::vector<Conditional> conditionals_;
  size_t outer_ = kOutside;  // innermost open bracket of the text
  size_t inner_ = kOutside;  // and of the macro body at hand
  uint32_t dead_depth_ = 0;  // conditionals open inside a dead group, that group's own included
};

Code::Code(const TokenList& list) {
  tokens_.reserve(list.tokens().size());
  CodeBuilder(*this).run(list);
}

std::string_view Code::text(size_t i) const {
  if (i >= size()) return {};
  const Token& token = (*this)[i];
  const bool quoted = token.kind == TokenKind::string || token.kind == TokenKind::character;
  return quoted ? std::string_view() : token.text;
}

size_t Code::macro_body(size_t define) const {
  const size_t name = define + 1;
  const size_t end = run_end(define);
  if (name >= end) return end;
  const size_t open = name + 1;
  // Parameters follow the name without a blank.
  if (open < end && text(open) == "(" &&
      (*this)[open].offset == (*this)[name].offset + (*this)[name].size)
    return match(open) == kNone ? end : match(open) + 1;
  return open;
}

}  // namespace sprue
