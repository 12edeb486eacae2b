#include "compile/diagnostic_log.h"

#include <fmt/format.h>

#include <algorithm>

namespace sprue {

namespace {

std::string_view severity_name(CompilerDiagnostic::Severity severity) {
  switch (severity) {
    case CompilerDiagnostic::Severity::error:
      return "error";
    case CompilerDiagnostic::Severity::warning:
      return "warning";
    case CompilerDiagnostic::Severity::note:
      return "note";
  }
  return "note";
}

std::string place(const CompilerDiagnostic& diagnostic) {
  if (diagnostic.file.empty()) return "";
  if (diagnostic.column == 0) return fmt::format("{}:{}: ", diagnostic.file, diagnostic.line);
  return fmt::format("{}:{}:{}: ", diagnostic.file, diagnostic.line, diagnostic.column);
}

// The user's line and a caret under the column. Long lines (minified text) are left out.
std::string snippet(const CompilerDiagnostic& diagnostic, std::string_view text) {
  constexpr size_t kLongestLine = 200;  // bytes
  const std::string_view line = line_of(text, diagnostic.line);
  if (line.empty() || line.size() > kLongestLine) return "";
  if (diagnostic.column == 0) return fmt::format("{:5} | {}\n", diagnostic.line, line);
  // A tab stays a tab in front of the caret, so that both lines are indented alike.
  const auto before = static_cast<size_t>(std::max(diagnostic.column - 1, 0));
  std::string indent(line.substr(0, std::min(before, line.size())));
  for (char& c : indent)
    if (c != '\t') c = ' ';
  return fmt::format("{:5} | {}\n      | {}^\n", diagnostic.line, line, indent);
}

}  // namespace

std::string_view line_of(std::string_view text, int number) {
  if (number < 1) return {};
  for (; number > 1; --number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string format_log(const std::vector<CompilerDiagnostic>& diagnostics,
                       const std::map<std::string, std::string>& user_files) {
  std::string log;
  for (const auto& diagnostic : diagnostics) {
    log += fmt::format("{}{}: {}\n", place(diagnostic), severity_name(diagnostic.severity),
                       diagnostic.message);
    if (auto file = user_files.find(diagnostic.file); file != user_files.end())
      log += snippet(diagnostic, file->second);
  }
  return log;
}

Error compile_error(const std::vector<CompilerDiagnostic>& diagnostics,
                    const CompileRequest& request) {
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), [](const auto& d) {
    return d.severity == CompilerDiagnostic::Severity::error;
  });
  ErrorDetails details;
  details.compile_log = format_log(diagnostics, request.user_files);
  details.options = request.options();
  std::string what = "an unknown failure";
  if (first != diagnostics.end()) {
    details.user_file = first->file;
    details.line = first->line;
    details.column = first->column;
    what = fmt::format("{}error: {}", place(*first), first->message);
  }
  return Error(
      ErrorCode::compile_failed,
      fmt::format("[compile] expected kernel '{}' to compile, got {}", request.kernel_name, what),
      std::move(details));
}

}  // namespace sprue
