#include "user_text.h"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringSwitch.h>

using namespace llvm;

namespace sprue_clang {

namespace {

Space space_of_word(StringRef word) {
  return StringSwitch<Space>(word)
      .Case("thread", kThread)
      .Case("device", kDevice)
      .Case("constant", kConstant)
      .Case("threadgroup", kThreadgroup)
      .Default(0);
}

bool is_specifier(StringRef word) {
  return space_of_word(word) || word == "const" || word == "volatile" || word == "static" ||
         word == "inline" || word == "constexpr";
}

// Without the line continuations in it.
std::string cleaned(StringRef token) {
  std::string text;
  for (size_t i = 0; i < token.size(); ++i) {
    const size_t behind = token[i] == '\\' ? token.find_first_not_of(" \t\r\f\v", i + 1) : i;
    if (behind != i && behind != StringRef::npos && token[behind] == '\n')
      i = behind;
    else
      text += token[i];
  }
  return text;
}

// The brackets around a place. One `>>` may close two lists of template arguments, or be a shift inside of
// parentheses.
class Brackets {
 public:
  void pass(StringRef token) {
    if (token == "(" || token == "[" || token == "{" || token == "<") open_ += token.front();
    if (token == ")") close('(');
    if (token == "]") close('[');
    if (token == "}") close('{');
    if (token == ">" || token == ">>")
      for (size_t i = 0; i < token.size() && !open_.empty() && open_.back() == '<'; ++i)
        open_.pop_back();
  }
  bool inside() const { return !open_.empty(); }

 private:
  // With the comparisons that were taken for brackets in it.
  void close(char bracket) { open_.resize(std::min(open_.size(), open_.rfind(bracket))); }

  std::string open_;
};

}  // namespace

std::string space_name(Space space) {
  std::string name;
  const std::pair<Space, const char*> words[] = {{kThread, "thread"},
                                                 {kDevice, "device"},
                                                 {kConstant, "constant"},
                                                 {kThreadgroup, "threadgroup"}};
  for (const auto& [bit, word] : words)
    if (space & bit) name += (name.empty() ? "" : " or ") + std::string(word);
  return name;
}

UserTexts::UserTexts(const sprue_clang_request& request, const clang::LangOptions& language) {
  const StringRef prefix = SPRUE_CLANG_USER_TEXT;
  for (size_t i = 1; i < request.file_count; ++i) {
    const StringRef name = request.files[i].name;
    if (name.starts_with(prefix))
      add(name.drop_front(prefix.size()), StringRef(request.files[i].text, request.files[i].size),
          language);
  }
}

void UserTexts::add(StringRef name, StringRef bytes, const clang::LangOptions& language) {
  Text& text = texts_[name];
  // The lexer wants a zero behind the text.
  const std::string copy = bytes.str();
  clang::Lexer lexer(clang::SourceLocation(), language, copy.data(), copy.data(),
                     copy.data() + copy.size());
  unsigned line = 1;
  const char* at = copy.data();
  const char* line_start = at;
  for (clang::Token token;;) {
    const bool is_end = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    const char* start = lexer.getBufferLocation() - token.getLength();
    for (; at < start; ++at)
      if (*at == '\n') {
        ++line;
        line_start = at + 1;
      }
    text.places[{line, static_cast<unsigned>(start - line_start) + 1}] = text.tokens.size();
    text.tokens.push_back(cleaned(StringRef(start, token.getLength())));
    const size_t count = text.tokens.size();
    if (count > 2 && text.tokens[count - 2] == "define" && text.tokens[count - 3] == "#")
      macros_.insert(text.tokens.back());
    if (is_end) break;
  }
}

UserTexts::Place UserTexts::find(const clang::SourceManager& sources,
                                 clang::SourceLocation location) const {
  if (location.isInvalid()) return {};
  const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (presumed.isInvalid()) return {};
  const auto text = texts_.find(presumed.getFilename());
  if (text == texts_.end()) return {};
  const auto place = text->second.places.find({presumed.getLine(), presumed.getColumn()});
  if (place == text->second.places.end()) return {};
  return {&text->second, place->second};
}

bool UserTexts::is_in_user_file(const clang::SourceManager& sources,
                                clang::SourceLocation location) const {
  if (!is_in_kernel_text(sources, location)) return false;
  const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return presumed.isValid() && texts_.count(presumed.getFilename());
}

Space UserTexts::words(const Text& text, size_t begin, size_t end) const {
  Space space = 0;
  Brackets brackets;
  for (size_t i = begin; i < end; ++i) {
    const StringRef token = text.tokens[i];
    if (macros_.contains(token)) return kAnySpace;
    if (token == "(" && !brackets.inside() && i + 1 < end &&
        (text.tokens[i + 1] == "*" || text.tokens[i + 1] == "&"))
      break;
    brackets.pass(token);
    if (brackets.inside()) continue;
    if (token == "*" || token == "&" || token == "&&") break;
    const Space word = space_of_word(token);
    if (word && space && word != space) return kAnySpace;
    space |= word;
  }
  return space;
}

Space UserTexts::declared(const clang::SourceManager& sources, clang::SourceLocation begin,
                          clang::SourceLocation name, StringRef spelling) const {
  const Place first = find(sources, begin), last = find(sources, name);
  if (!first.text || first.text != last.text || first.token > last.token) return kAnySpace;
  if (last.text->tokens[last.token] != spelling) return kAnySpace;
  size_t start = first.token;  // words that were blanked stand in front of what clang saw
  while (start > 0 && (is_specifier(first.text->tokens[start - 1]) ||
                       macros_.contains(first.text->tokens[start - 1])))
    --start;
  return words(*first.text, start, last.token);
}

Space UserTexts::between(const clang::SourceManager& sources, clang::SourceLocation open,
                         clang::SourceLocation close) const {
  const Place first = find(sources, open), last = find(sources, close);
  if (!first.text || first.text != last.text || first.token >= last.token) return kAnySpace;
  if (open.isMacroID() || close.isMacroID()) return kAnySpace;
  return words(*first.text, first.token + 1, last.token);
}

}  // namespace sprue_clang
