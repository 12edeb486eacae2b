#include "compile/nvrtc/nvrtc_log.h"

#include <algorithm>
#include <charconv>

namespace sprue {

namespace {

using Severity = CompilerDiagnostic::Severity;

// NVRTC indents the source line and its caret by two more.
constexpr size_t kIndent = 2;

bool parse_number(std::string_view digits, int& number) {
  const auto [end, reason] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return reason == std::errc() && end == digits.data() + digits.size();
}

// `FILE(LINE): KIND: text`, `KIND: text`; KIND may carry a number: "warning #177-D". False for any other
// line.
bool parse_head(std::string_view line, CompilerDiagnostic& diagnostic) {
  diagnostic = {};
  if (const size_t close = line.find("): "); close != line.npos) {
    const size_t open = line.rfind('(', close);
    if (open == line.npos ||
        !parse_number(line.substr(open + 1, close - open - 1), diagnostic.line))
      return false;
    diagnostic.file = line.substr(0, open);
    line.remove_prefix(close + 3);
  }
  constexpr std::pair<std::string_view, Severity> kKinds[] = {
      {"error", Severity::error},
      {"catastrophic error", Severity::error},
      {"warning", Severity::warning},
      {"remark", Severity::note},
      {"note", Severity::note}};
  for (const auto& [kind, severity] : kKinds) {
    if (!line.starts_with(kind)) continue;
    const size_t colon = line.find(": ", kind.size());
    if (colon == line.npos || (colon > kind.size() && line[kind.size()] != ' ')) return false;
    diagnostic.severity = severity;
    diagnostic.message = line.substr(colon + 2);
    return true;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view without_trailing_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// NVRTC saw the line with an `f` behind literals that have no suffix (dialect/lowering.h). The user's column
// (1-based) for one of its line (from 0), or 0 where the lines differ in more than that.
int users_column(std::string_view users, std::string_view seen, size_t column) {
  users = without_trailing_blanks(users);
  seen = without_trailing_blanks(seen);
  size_t inserted = 0, inserted_before = 0;
  for (size_t k = 0; k < seen.size(); ++k) {
    if (k == column) inserted_before = inserted;
    const size_t i = k - inserted;
    inserted += seen[k] == 'f' && (i >= users.size() || users[i] != 'f');
  }
  if (column >= seen.size()) inserted_before = inserted;
  if (users.size() + inserted != seen.size()) return 0;
  return static_cast<int>(column - inserted_before) + 1;
}

class LogParser {
 public:
  explicit LogParser(const std::map<std::string, std::string>& user_files)
      : user_files_(user_files) {}

  void take(std::string_view line) {
    CompilerDiagnostic head;
    if (parse_head(line, head)) {
      finish();
      current_ = std::move(head);
      seen_ = {};
      open_ = true;
    } else if (trimmed(line).empty()) {
      finish();
    } else if (open_) {
      detail(line);
    }
  }

  std::vector<CompilerDiagnostic> result() {
    finish();
    return std::move(diagnostics_);
  }

 private:
  void detail(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (seen_.empty()) seen_ = line.substr(std::min(line.size(), kIndent));
    if (text == "^") {
      place_column(std::max(line.find('^'), kIndent) - kIndent);
    } else if (text.starts_with("argument types are: ")) {
      current_.message += fmt::format("; {}", text);
    } else if (!user_files_.count(current_.file)) {
      led_from(text);
    }
  }

  void place_column(size_t column) {
    if (const auto file = user_files_.find(current_.file); file != user_files_.end())
      current_.column = users_column(line_of(file->second, current_.line), seen_, column);
  }

  // "detected during instantiation of ... at line 3 of scale.metal": the last user's line stands.
  void led_from(std::string_view text) {
    const size_t at = text.rfind(" at line "), of = text.rfind(" of ");
    if (at == text.npos || of == text.npos || of < at + 9) return;
    const std::string file(text.substr(of + 4));
    int number = 0;
    if (!user_files_.count(file) || !parse_number(text.substr(at + 9, of - at - 9), number)) return;
    current_.file = file;
    current_.line = number;
    current_.column = 0;
  }

  void finish() {
    if (!open_) return;
    open_ = false;
    if (current_.severity == Severity::note) return;
    if (!user_files_.count(current_.file)) {
      current_.file.clear();
      current_.line = current_.column = 0;
    }
    diagnostics_.push_back(std::move(current_));
  }

  const std::map<std::string, std::string>& user_files_;
  std::vector<CompilerDiagnostic> diagnostics_;
  CompilerDiagnostic current_;
  std::string_view seen_;  // the line that NVRTC shows for it
  bool open_ = false;
};

}  // namespace

std::vector<CompilerDiagnostic> parse_nvrtc_log(
    std::string_view log, const std::map<std::string, std::string>& user_files) {
  LogParser parser(user_files);
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    parser.take(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return parser.result();
}

}  // namespace sprue
