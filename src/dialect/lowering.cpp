#include "dialect/lowering.h"

#include <algorithm>

#include "dialect/conditionals.h"
#include "dialect/declaration.h"
#include "dialect/prelude_parts.h"
#include "dialect/specifiers.h"

namespace sprue {

namespace {

constexpr std::string_view kStorage = "SPRUE_TG";

// Length of the UTF-8 sequence at the text's begin; 0 if there is none. Overlong ones count: they swallow
// nothing.
size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xc2 ? 0
                        : lead < 0xe0 ? 2
                        : lead < 0xf0 ? 3
                        : lead < 0xf5 ? 4
                                      : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

void blank_odd_bytes(std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(std::string_view(text).substr(i));
    if (length == 0 || text[i] == '\x1a') text[i] = ' ';
    i += std::max<size_t>(length, 1);
  }
}

class Lowerer {
 public:
  Lowerer(const Code& code, std::string_view source, TextRole role, const OwnMembers& members,
          const LoweringOptions& options)
      : code_(code),
        role_(role),
        members_(members),
        options_(options),
        result_{std::string(source)},
        behind_(code.size()) {}

  tl::expected<LoweredText, SourceError> run() {
    if (code_.error()) return tl::unexpected(*code_.error());
    if (result_.text.starts_with(kByteOrderMark))
      result_.text.replace(0, kByteOrderMark.size(), kByteOrderMark.size(), ' ');
    for (size_t i = 0; i < code_.size() && !error_; ++i) {
      if (code_.is_directive(i))
        first_ = code_.is_define(i) ? code_.macro_body(i) : i + 1;
      else if (i > 0 && code_[i - 1].in_directive && !code_[i].in_directive)
        first_ = i;
      if (const size_t close = attribute_end(code_, i); close != Code::kNone) {
        i = check_attribute(i, close);
        continue;
      }
      if (code_[i].kind == TokenKind::number) number(i);
      if (!code_.is_identifier(i)) continue;
      if (is_member(i))
        member(i);
      else if (!is_qualified(i))
        word(i);
    }
    if (error_) return tl::unexpected(*error_);
    if (options_.plain_bytes) blank_odd_bytes(result_.text);
    if (options_.half_is_class) insert_conversions(code_, result_.text, behind_);
    insert();
    return std::move(result_);
  }

 private:
  void fail(size_t i, std::string expected, std::string got, std::string hint) {
    if (error_) return;
    error_ = SourceError{code_[i].line, code_[i].column, std::move(expected), std::move(got),
                         std::move(hint)};
  }

  // --- the text ---

  // Puts `word` in place of token i, padded with blanks; line continuations inside it stay.
  void replace(size_t i, std::string_view word) {
    const Token& token = code_[i];
    const std::string_view name = token.text;
    size_t at = token.offset;
    for (size_t k = 0; k < name.size(); ++at) {
      if (result_.text[at] != name[k]) continue;  // of a continuation: no backslash in a word
      result_.text[at] = k < word.size() ? word[k] : ' ';
      ++k;
    }
  }

  // --- the tokens around ---

  size_t check_attribute(size_t i, size_t close) {
    for (size_t k = i; k < close; ++k)
      if (code_.text(k) == "kernel") kernel_function(k);
    return close;
  }

  bool is_qualified(size_t i) const {
    const std::string_view before = i > 0 ? code_.text(i - 1) : std::string_view();
    // `p->thread` is a member; `-> thread T*` is a return type, so a name follows.
    if (before == "->") return !code_.is_identifier(i + 1);
    return before == "." || before == "::" || before == "##" || code_.text(i + 1) == "##";
  }

  // `.xy`, `->xy`, that no macro joins to something else and that isn't called.
  bool is_member(size_t i) const {
    const std::string_view before = i > 0 ? code_.text(i - 1) : std::string_view();
    const std::string_view behind = code_.text(i + 1);
    return (before == "." || before == "->") && is_swizzle(code_.text(i)) && behind != "##" &&
           behind != "(";
  }

  size_t parent(size_t i) const { return code_.parent(i); }
  bool in_parentheses(size_t i) const {
    return parent(i) != Code::kNone && code_.text(parent(i)) != "{";
  }

  // --- members and literals ---

  void member(size_t i) {
    const std::string_view letters = code_.text(i);
    if (members_.contains(letters)) return;
    const std::string name = swizzle_name(letters, is_assigned(code_, i));
    replace(i, name);
    if (letters.size() > 1) result_.swizzles.insert(name);
  }

  // C++ knows only the suffixes of its own library without an underscore: `h` is among them, and `ms`
  // stands in for `bf`.
  void number(size_t i) {
    const std::string_view text = code_.text(i);
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool is_floating = is_hexadecimal ? text.find_first_of("pP") != std::string_view::npos
                                            : text.find_first_of(".eE") != std::string_view::npos;
    if (!is_floating) return;
    if (text.ends_with("bf") || text.ends_with("BF"))
      replace(i, std::string(text.substr(0, text.size() - 2)) + "ms");
    else if (text.ends_with("H"))
      replace(i, std::string(text.substr(0, text.size() - 1)) + "h");
    else if (options_.suffix_literals && (is_digit(text.back()) || text.back() == '.'))
      behind_[i] += 'f';
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // Last of all, for it moves what stands behind.
  void insert() {
    std::string text;
    size_t done = 0;
    for (size_t i = 0; i < code_.size(); ++i) {
      if (behind_[i].empty()) continue;
      const size_t end = code_[i].offset + code_[i].size;
      text.append(result_.text, done, end - done).append(behind_[i]);
      done = end;
    }
    result_.text = text.append(result_.text, done);
  }

  // `(float4)(a, b, c, d)` would take the last one only.
  void check_vector_cast(size_t i) {
    const size_t close = code_.match(i + 2);
    const std::string_view before = i > 1 ? code_.text(i - 2) : std::string_view();
    const bool is_call = i > 1 && code_.is_identifier(i - 2) && !is_statement_word(before);
    if (code_.text(i - 1) != "(" || code_.text(i + 1) != ")" || code_.text(i + 2) != "(" ||
        close == Code::kNone || is_call)
      return;
    for (size_t k = i + 3; k < close; ++k) {
      const size_t behind = code_.text(k) == "<" ? skip_template_arguments(code_, k) : Code::kNone;
      if (behind != Code::kNone)
        k = behind - 1;
      else if (code_.match(k) != Code::kNone && code_.match(k) > k)
        k = code_.match(k);
      else if (code_.text(k) == ",")
        return fail(i, fmt::format("'{}(...)' to make a vector", code_.text(i)),
                    fmt::format("a cast '({})(...)' of several values", code_.text(i)),
                    "write the type without parentheses");
    }
  }

  // --- the words ---

  void word(size_t i) {
    const std::string_view text = code_.text(i);
    if (text == "device" || text == "thread") return replace(i, "");
    if (text == "constant") return constant(i);
    if (text == "threadgroup") return threadgroup(i);
    if (text == "kernel") return kernel_function(i);
    if (i > 0 && is_vector_type_name(text)) check_vector_cast(i);
  }

  void kernel_function(size_t i) {
    fail(i, "helpers and statements", "the word 'kernel'",
         "the kernel function is generated around the body, and neither text can hold another");
  }

  void constant(size_t i) {
    const bool has_const =
        specifiers_before(code_, i, first_).has_const || specifiers_behind(code_, i).has_const;
    replace(i, has_const ? "" : "const");
  }

  void threadgroup(size_t i) {
    const SpecifiersBefore left = specifiers_before(code_, i, first_);
    const SpecifiersBehind right = specifiers_behind(code_, i);
    const std::string_view next = right.end < code_.run_end(i) ? code_.text(right.end) : "";
    const bool points =
        next == "*" || next == "&" || next == "&&" ||
        (next == "(" && (code_.text(right.end + 1) == "*" || code_.text(right.end + 1) == "&"));
    if (is_storage_of_pointer(i, left, points)) return;
    if (is_of_method(left, right, next)) return replace(i, "");
    if (points) return pointee(i, left, right.end);
    if (in_parentheses(i)) return in_list(i, right, next);
    if (left.has_typedef)
      return fail(i, "an alias of a pointer or reference", "one of a threadgroup object",
                  "write 'threadgroup' where the variable is declared");
    const std::string_view boundary = code_.text(left.boundary);
    if (boundary == "<" || boundary == "," || next == ">") return replace(i, "");
    const size_t words = right.words + (left.has_type ? 1 : 0);
    const bool has_name = words >= 2 && right.last_word != Code::kNone &&
                          !is_builtin_type_word(code_.text(right.last_word));
    const bool ends = next.empty() || next == "[" || next == ";" || next == "," || next == "=" ||
                      next == "{" || next == "(";
    if (!has_name || !ends)
      return fail(i, "a type and a name after 'threadgroup'",
                  next.empty() ? "the end of the line" : fmt::format("'{}'", next),
                  "declare the variable in full where it stands");
    storage(i, right);
  }

  // `void set(float v) threadgroup {`: of the object that the method is called on.
  bool is_of_method(const SpecifiersBefore& left, const SpecifiersBehind& right,
                    std::string_view next) const {
    return !left.has_type && right.words == 0 && code_.text(left.boundary) == ")" &&
           (next == "{" || next == ";");
  }

  // `device float* threadgroup p;`: the pointer itself is shared.
  bool is_storage_of_pointer(size_t i, const SpecifiersBefore& left, bool points) {
    const std::string_view before = code_.text(left.boundary);
    const bool behind_pointer = !left.has_type && (before == "*" || before == "&");
    if (!behind_pointer || points || in_parentheses(i)) return false;
    fail(i, "a threadgroup variable of a plain type", "a pointer in threadgroup memory",
         "Sprue can't lower it; share an index instead");
    return true;
  }

  // The word qualifies what a pointer points to. Further declarators must be pointers, too: a plain
  // one would be threadgroup storage of the same declaration.
  void pointee(size_t i, const SpecifiersBefore& left, size_t declarator) {
    replace(i, "");
    if (in_parentheses(i) || left.has_typedef) return;
    const std::string_view boundary = code_.text(left.boundary);
    if (boundary == "<" || boundary == "," || boundary == "=" || boundary == "->") return;
    for (size_t k = declarator; k < code_.run_end(i); ++k) {
      if (k - declarator > kLookahead)
        return fail(i, "a short declaration behind 'threadgroup'", "a very long one", "split it");
      const std::string_view text = code_.text(k);
      if (text == ";" || text == "{" || text == "}") return;
      if (text == "(" || text == "[") {
        if (code_.match(k) == Code::kNone) return;
        k = code_.match(k);
      } else if (text == "<") {
        const size_t behind = skip_template_arguments(code_, k);
        if (behind == Code::kNone) continue;
        k = behind - 1;
      } else if (text == "," && code_.is_identifier(k + 1)) {
        return mixed(k + 1);
      }
    }
  }

  void mixed(size_t i) {
    fail(i, "threadgroup variables and pointers to them in separate declarations",
         fmt::format("both, at '{}'", code_.text(i)), "split the declaration");
  }

  // Inside (...) or [...]: a parameter, a cast, or an argument of a macro.
  void in_list(size_t i, const SpecifiersBehind& right, std::string_view next) {
    const size_t open = parent(i);
    const std::string_view callee = open > 0 ? code_.text(open - 1) : std::string_view();
    if (callee == "sizeof" || callee == "alignof" || callee == "decltype" || next == ">")
      return replace(i, "");
    const bool names_array = next == "[" && right.words >= 2;
    const bool in_header = role_ == TextRole::header && !code_[i].in_directive;
    if (names_array && (in_header || is_function_head(open))) return replace(i, "");
    // The whole declaration is a macro's argument.
    if (names_array) return storage(i, right);
    if (skips_to_template(i)) return replace(i, "");
    fail(i, "a pointer, a reference or an array after 'threadgroup'",
         next.empty() ? "nothing" : fmt::format("'{}'", next),
         "an address space can't be handed on by itself");
  }

  // `f<threadgroup float>(x)` inside parentheses: the word stands behind '<' or in its list.
  bool skips_to_template(size_t i) const {
    for (size_t k = i; k-- > 0 && i - k < kLookahead && code_.parent(k) == code_.parent(i);) {
      if (code_.text(k) == "<") return true;
      if (code_.text(k) == ";" || code_.text(k) == ">") return false;
    }
    return false;
  }

  // "(...)" of a function or lambda: a body, a qualifier or a return type follows.
  bool is_function_head(size_t open) const {
    const std::string_view before = open > 0 ? code_.text(open - 1) : std::string_view();
    if (before == "]") return true;
    const size_t close = code_.match(open);
    if (close == Code::kNone) return false;
    const std::string_view behind = code_.text(close + 1);
    return behind == "{" || behind == "->" || behind == "noexcept" || is_qualifier_word(behind);
  }

  void storage(size_t i, const SpecifiersBehind& right) {
    const bool in_macro = code_[i].in_directive;
    if (role_ == TextRole::header && !in_macro)
      return fail(i, "threadgroup variables in the kernel's body only",
                  fmt::format("'{}' in the header", code_.text(right.last_word)),
                  "hand helpers a pointer to it");
    if (!check_declarators(i, right)) return;
    result_.has_threadgroup_storage = true;
    const size_t alignment_end = alignment_behind(i);
    if (alignment_end == i)
      replace(i, kStorage);
    else
      swap_with_alignment(i, alignment_end);
  }

  // Every declarator is a name with or without extents, and none has an initialiser.
  bool check_declarators(size_t i, const SpecifiersBehind& right) {
    size_t name = right.last_word;
    for (;;) {
      size_t k = name + 1;
      while (code_.text(k) == "[" && code_.match(k) != Code::kNone) k = code_.match(k) + 1;
      const std::string_view next = k < code_.run_end(i) ? code_.text(k) : "";
      if (next == "=" || next == "{" || next == "(") {
        fail(name, "a threadgroup variable without initialiser",
             fmt::format("one for '{}'", code_.text(name)),
             "threadgroup variables can't have initialisers: let one thread store, then wait");
        return false;
      }
      if (next.empty() || next == ";" || in_parentheses(i)) return true;
      if (next != ",") {
        fail(k, "',' or ';' after a threadgroup variable", fmt::format("'{}'", next),
             "declare the variable in full where it stands");
        return false;
      }
      if (!code_.is_identifier(k + 1)) {
        if (k + 1 < code_.size()) mixed(k + 1);
        return false;
      }
      name = k + 1;
    }
  }

  // The last token of the alignas(...) groups right behind token i, or i.
  size_t alignment_behind(size_t i) const {
    size_t end = i;
    while (code_.text(end + 1) == "alignas" && code_.match(end + 2) != Code::kNone)
      end = code_.match(end + 2);
    return end;
  }

  // C++ takes alignas in front of `static` only, so the two change places.
  void swap_with_alignment(size_t i, size_t end) {
    const Token& word = code_[i];
    const Token& last = code_[end];
    const std::string group = result_.text.substr(
        word.offset + word.size, last.offset + last.size - word.offset - word.size);
    if (group.find_first_of("\r\n") != std::string::npos || word.size != word.text.size())
      return fail(i, "'alignas' before 'threadgroup' or on its line", "another line",
                  "write 'alignas(...) threadgroup'");
    std::string swapped = group.substr(code_[i + 1].offset - word.offset - word.size) +
                          std::string(code_[i + 1].offset - word.offset - word.size, ' ') +
                          std::string(kStorage);
    swapped.resize(word.size + group.size(), ' ');
    result_.text.replace(word.offset, swapped.size(), swapped);
  }

  const Code& code_;
  TextRole role_;
  const OwnMembers& members_;
  const LoweringOptions& options_;
  LoweredText result_;
  std::vector<std::string> behind_;  // to insert behind each token
  std::optional<SourceError> error_;
  size_t first_ = 0;  // first token that can belong to the declaration at hand
};

}  // namespace

tl::expected<LoweredText, SourceError> lower(const Code& code, std::string_view source,
                                             TextRole role, const OwnMembers& members,
                                             const LoweringOptions& options) {
  return Lowerer(code, source, role, members, options).run();
}

}  // namespace sprue
