// What the subcommands share: how they are declared, how they answer, how they fail.
//
// A subcommand declares its options on a CLI::App and sets `action`; main runs the action and turns
// errors into one line on standard error and exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"

namespace sprue::cli {

// Exit codes of every subcommand.
inline constexpr int kSuccess = 0;
inline constexpr int kExpectationFailed = 1;  // an expectation or a bar wasn't met
inline constexpr int kInputError = 2;         // usage, input, or the machine

using Action = std::function<Result<int>()>;

// Each declares one subcommand on `app`; `action` is set when it is parsed.
void add_devices(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_cast(CLI::App& app, Action& action);
void add_emit(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

// The words that the program was started with, for reports: "sprue bench exp.toml". Set by main.
std::string& command_line();

// How errors are printed: set by the common options below.
struct ErrorStyle {
  bool github = false;  // ::error file=...:: lines for GitHub's annotations
  bool json = false;    // the error as JSON on standard output as well
};
ErrorStyle& error_style();

// --json and --format on a subcommand.
void add_output_options(CLI::App& command, bool& json);

// Prints the error on standard error (and as JSON on standard output); returns kInputError.
int report_error(const Error& error);

// Pretty-printed JSON and a newline on standard output.
void print_json(const nlohmann::ordered_json& value);

}  // namespace sprue::cli
