#include "cli/command.h"

#include <cstdio>

namespace sprue::cli {

namespace {

// GitHub's annotation: newlines and percent signs are escaped.
std::string github_line(const Error& error) {
  std::string message;
  for (char c : error.message()) {
    if (c == '%')
      message += "%25";
    else if (c == '\n')
      message += "%0A";
    else
      message += c;
  }
  const ErrorDetails& details = error.details();
  std::string place;
  if (!details.user_file.empty())
    place = fmt::format(" file={},line={},col={}", details.user_file, details.line, details.column);
  return fmt::format("::error{}::{}\n", place, message);
}

}  // namespace

std::string& command_line() {
  static std::string words;
  return words;
}

ErrorStyle& error_style() {
  static ErrorStyle style;
  return style;
}

void add_output_options(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "print the result as JSON on standard output");
  command
      .add_option_function<std::string>(
          "--format", [](const std::string& format) { error_style().github = format == "github"; },
          "how compile errors are printed: gcc or github")
      ->check(CLI::IsMember({"gcc", "github"}));
}

int report_error(const Error& error) {
  if (error_style().github)
    std::fputs(github_line(error).c_str(), stderr);
  else
    fmt::print(stderr, "{}\n", error.message());
  if (!error.details().compile_log.empty()) std::fputs(error.details().compile_log.c_str(), stderr);
  if (error_style().json) {
    const ErrorDetails& details = error.details();
    nlohmann::ordered_json fields = {{"code", error_code_name(error.code())},
                                     {"message", error.message()}};
    if (!details.user_file.empty())
      fields.update(
          {{"file", details.user_file}, {"line", details.line}, {"column", details.column}});
    if (!details.compile_log.empty()) fields["compile_log"] = details.compile_log;
    print_json({{"error", fields}});
  }
  return kInputError;
}

void print_json(const nlohmann::ordered_json& value) {
  // Text from files may be no UTF-8: replaced rather than refused.
  const std::string text = value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  fmt::print("{}\n", text);
}

}  // namespace sprue::cli
