#include "dialect/name_scan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dialect/declaration.h"

namespace sprue {

namespace {

// Walks the tokens with a stack of scopes, one for each open bracket, and counts for each name how
// many of them declare it.
class NameScanner {
 public:
  NameScanner(const Code& code, std::span<const std::string> names)
      : code_(code),
        used_(names.size()),
        excluded_(names.size()),
        shadows_(names.size()),
        own_(code.size()) {
    for (size_t i = 0; i < names.size(); ++i) names_.emplace(names[i], i);
    scopes_.push_back({});
    scopes_.back().may_declare = true;
  }

  std::vector<bool> run() {
    for (size_t i = 0; i < code_.size(); ++i) {
      if (code_.is_directive(i)) {
        leave_macro();
        if (code_.is_define(i)) i = enter_macro(i);
        continue;
      }
      if (macro_base_ > 0 && !code_[i].in_directive) leave_macro();
      token(i);
    }
    for (size_t i = 0; i < used_.size(); ++i)
      if (excluded_[i]) used_[i] = false;
    return used_;
  }

 private:
  enum class Kind { block, parameters, control, other };
  struct Scope {
    Kind kind = Kind::block;
    bool may_declare = false;      // the next token may begin a declaration
    bool declaring = false;        // inside a declaration: a ',' begins its next declarator
    bool in_label = false;         // between `case` and ':'
    bool captures = false;         // the brackets of a lambda
    std::vector<size_t> declared;  // names that end with this scope
    std::vector<size_t> pending;   // names that end with the statement or block that comes next
  };

  // --- names ---

  const size_t* find(size_t token) const {
    if (!code_.is_identifier(token)) return nullptr;
    const auto found = names_.find(code_.text(token));
    return found == names_.end() ? nullptr : &found->second;
  }

  void declare(size_t token) {
    if (token == Code::kNone) return;
    own_[token] = true;
    const size_t* name = find(token);
    if (!name) return;
    // Outermost block of the body, or of a macro that is likely to stand there.
    if (scopes_.size() == macro_base_ + 1) excluded_[*name] = true;
    shadow(scopes_.back().declared, *name);
  }
  void shadow(std::vector<size_t>& list, size_t name) {
    ++shadows_[name];
    list.push_back(name);
  }
  void release(std::vector<size_t>& list) {
    for (size_t name : list) --shadows_[name];
    list.clear();
  }

  void use(size_t token) {
    const size_t* name = find(token);
    if (!name || shadows_[*name] > 0) return;
    const std::string_view before = token > 0 ? code_.text(token - 1) : std::string_view();
    if (before == "." || before == "->" || before == "::" || before == "goto") return;
    used_[*name] = true;
  }

  // --- scopes ---

  void push(Kind kind) {
    scopes_.push_back({});
    scopes_.back().kind = kind;
  }
  void pop() {
    release(scopes_.back().declared);
    release(scopes_.back().pending);
    scopes_.pop_back();
  }
  // Branches of a conditional may open a bracket twice or close one twice.
  void set_depth(size_t depth) {
    while (scopes_.size() > macro_base_ + 1 + depth) pop();
    while (scopes_.size() < macro_base_ + 1 + depth) push(Kind::other);
  }

  // #define NAME body, #define NAME(parameters) body. Returns the last token before the body.
  size_t enter_macro(size_t define) {
    const size_t body = code_.macro_body(define);
    // A macro ends at no brace.
    if (const size_t* name = find(define + 1)) shadow(scopes_.front().declared, *name);
    macro_base_ = scopes_.size();
    push(Kind::block);
    scopes_.back().may_declare = true;
    for (size_t i = define + 2; i < body; ++i)
      if (const size_t* name = find(i)) shadow(scopes_.back().declared, *name);
    return std::max(define, body - 1);
  }
  void leave_macro() {
    if (macro_base_ == 0) return;
    while (scopes_.size() > macro_base_) pop();
    macro_base_ = 0;
  }

  // --- tokens ---

  void token(size_t i) {
    const std::string_view text = code_.text(i);
    const bool closes = text == ")" || text == "]" || text == "}";
    set_depth(code_.depth(i) + (closes ? 1 : 0));
    if (closes) return close(text);
    Scope& scope = scopes_.back();
    const bool starts = std::exchange(scope.may_declare, false);
    if (starts) begin_statement(i);
    if (text == "(" || text == "[" || text == "{") return open(i, text);
    if (text == ";") return end_statement();
    if (text == "," && scope.kind == Kind::parameters) scope.may_declare = true;
    if (text == "," && scope.declaring) {
      const size_t next = next_declarator(code_, i + 1);
      if (next != Code::kNone && may_follow_name(code_.text(next + 1))) declare(next);
    }
    if (text == ":" && scope.in_label) scope.in_label = false, scope.may_declare = true;
    if (text == "else" || text == "do") scope.may_declare = true;
    if (code_.is_identifier(i)) name(i, starts);
  }

  void name(size_t i, bool starts_statement) {
    Scope& scope = scopes_.back();
    if (own_[i]) return;
    const std::string_view before = i > 0 ? code_.text(i - 1) : std::string_view();
    if (scope.captures && code_.text(i + 1) == "=" &&
        (before == "[" || before == "," || before == "&"))
      return declare(i);
    if (starts_statement && scope.kind == Kind::block && code_.text(i + 1) == ":" &&
        !scope.in_label) {
      scope.in_label = true;  // label: statement
      return;
    }
    use(i);
  }

  void begin_statement(size_t i) {
    Scope& scope = scopes_.back();
    const std::string_view text = code_.text(i);
    if (text == "case" || text == "default" || text == "public" || text == "private" ||
        text == "protected") {
      scope.in_label = true;
      return;
    }
    const std::vector<size_t> names = declared_names(code_, i);
    scope.declaring = false;
    if (names.empty()) return;
    // What may follow a declared name tells a declaration from an expression such as `(a * b)`.
    const std::string_view after = code_.text(names.back() + 1);
    bool fits = after.empty() || code_.is_directive(names.back() + 1) || after == "]" ||
                after == ")" || may_follow_name(after);
    if (scope.kind == Kind::control)
      fits = after == "=" || after == "{" || after == ":" || after == "," || after == "]" ||
             (after == ";" && names.size() == 1);
    if (!fits) return;
    scope.declaring = scope.kind != Kind::parameters;
    for (size_t declared : names) declare(declared);
  }

  static bool may_follow_name(std::string_view text) {
    return text == "=" || text == "{" || text == ":" || text == "," || text == "[" || text == ";" ||
           text == "(";
  }

  void end_statement() {
    Scope& scope = scopes_.back();
    release(scope.pending);
    scope.declaring = false;
    scope.may_declare = scope.kind == Kind::block;
  }

  void open(size_t i, std::string_view text) {
    const std::string_view before = i > 0 ? code_.text(i - 1) : std::string_view();
    if (text == "{") {
      if (!opens_block(i)) return push(Kind::other);
      Scope& outer = scopes_.back();
      // A function's body ends its declaration; a type's or a lambda's doesn't.
      if (before == ")" && code_.match(i - 1) != Code::kNone &&
          is_parameter_list(code_.match(i - 1)) && code_.is_identifier(code_.match(i - 1) - 1))
        outer.declaring = false;
      std::vector<size_t> pending = std::exchange(outer.pending, {});
      push(Kind::block);
      scopes_.back().declared = std::move(pending);
      scopes_.back().may_declare = true;
      return;
    }
    if (text == "[") {
      push(Kind::other);
      scopes_.back().captures = opens_lambda(i);
      return;
    }
    if (before == "for" || before == "if" || before == "while" || before == "switch" ||
        before == "constexpr")
      push(Kind::control);
    else if (is_parameter_list(i))
      push(Kind::parameters);
    else
      return push(Kind::other);
    scopes_.back().may_declare = true;
  }

  void close(std::string_view text) {
    Scope& inner = scopes_.back();
    const Kind kind = inner.kind;
    // Names of a head (for, if, a parameter list, captures) live on in the statement behind it.
    std::vector<size_t> kept;
    if (kind == Kind::control || kind == Kind::parameters || inner.captures)
      kept = std::exchange(inner.declared, {});
    if (scopes_.size() > macro_base_ + 1) pop();
    Scope& outer = scopes_.back();
    outer.pending.insert(outer.pending.end(), kept.begin(), kept.end());
    if (kind == Kind::control && text == ")") outer.may_declare = true;
    if (kind == Kind::block && text == "}")
      outer.may_declare = outer.kind == Kind::block && !outer.declaring;
  }

  // '{' begins a block, a type or a function, rather than the values of an initialiser.
  bool opens_block(size_t i) const {
    if (i == 0) return true;
    if (code_.is_directive(i - 1)) return scopes_.back().kind == Kind::block;
    const std::string_view before = code_.text(i - 1);
    if (before == ")" || before == ";" || before == ":" || before == "else" || before == "do" ||
        before == "mutable" || before == "noexcept" || before == "const")
      return true;
    if (before == "{" || before == "}") return scopes_.back().kind == Kind::block;
    if (before == "]") return code_.match(i - 1) != Code::kNone && opens_lambda(code_.match(i - 1));
    if (before != ">" && !code_.is_identifier(i - 1)) return false;
    // struct S {, struct S : B {, [](...) -> float {
    constexpr size_t kHead = 64;
    for (size_t j = i; j-- > 0 && i - j < kHead;) {
      const std::string_view text = code_.text(j);
      if (text == "struct" || text == "class" || text == "union" || text == "enum" ||
          text == "namespace")
        return true;
      if (text == "->") return j > 0 && code_.text(j - 1) == ")";
      if (text == ";" || text == "{" || text == "}" || text == "(" || text == ")" || text == "=" ||
          text == "[" || text == "]" || code_.is_directive(j))
        return false;
    }
    return false;
  }

  // '[' begins a lambda unless it indexes something.
  bool opens_lambda(size_t i) const {
    if (i == 0) return true;
    const std::string_view before = code_.text(i - 1);
    if (before == ")" || before == "]" || before == "[" || before == "}") return false;
    const Token& token = code_[i - 1];
    if (token.kind == TokenKind::identifier) return is_statement_word(before);
    return token.kind == TokenKind::punctuation;
  }

  // Of a lambda, or of a member function: "(...)" and then its body.
  bool is_parameter_list(size_t i) const {
    if (i == 0) return false;
    if (code_.text(i - 1) == "]")
      return code_.match(i - 1) != Code::kNone && opens_lambda(code_.match(i - 1));
    if (i < 2 || !code_.is_identifier(i - 1) || code_.match(i) == Code::kNone) return false;
    // A function's name stands behind its type.
    const std::string_view type = code_.text(i - 2);
    if (type != ">" && type != "*" && type != "&" &&
        (!code_.is_identifier(i - 2) || is_statement_word(type)))
      return false;
    size_t behind = code_.match(i) + 1;
    while (code_.text(behind) == "const" || code_.text(behind) == "noexcept" ||
           is_qualifier_word(code_.text(behind)))
      ++behind;
    return code_.text(behind) == "{" && !is_statement_word(code_.text(i - 1));
  }

  const Code& code_;
  std::unordered_map<std::string_view, size_t> names_;
  std::vector<bool> used_;
  std::vector<bool> excluded_;     // declared in the outermost block
  std::vector<uint32_t> shadows_;  // how many open scopes declare the name
  std::vector<Scope> scopes_;      // the body's outermost block first
  std::vector<bool> own_;          // by token: it is the body's own name where it is declared
  size_t macro_base_ = 0;          // scopes outside the macro at hand; 0 outside macros
};

}  // namespace

std::vector<bool> scan_names(const Code& code, std::span<const std::string> names) {
  return NameScanner(code, names).run();
}

}  // namespace sprue
