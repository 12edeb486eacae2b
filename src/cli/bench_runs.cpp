// --runs: the same benchmark in processes of their own.
#include "base/process.h"
#include "cli/bench_options.h"
#include "measure/report/report_json.h"
#include "measure/runs.h"

namespace sprue::cli {

namespace {

std::vector<std::string> child_command(const BenchOptions& options) {
  std::vector<std::string> words = {"/proc/self/exe",
                                    "bench",
                                    "--json",
                                    "--trials",
                                    std::to_string(options.trials),
                                    "--seconds",
                                    fmt::format("{}", options.seconds)};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  add("--preset", options.preset);
  add("--call", options.call);
  add("--casting", options.casting);
  add("--device", options.device);
  if (!options.arms.empty()) add("--arms", fmt::format("{}", fmt::join(options.arms, ",")));
  for (const std::string& axis : options.sweep) add("--sweep", axis);
  add("--vs", options.vs);
  add("--vs-git", options.vs_git);
  if (options.parity >= 0) add("--parity", fmt::format("{}", options.parity));
  // Behind a word that ends the options: a file may be called --json.
  if (!options.file.empty()) words.insert(words.end(), {"--", options.file});
  return words;
}

}  // namespace

Result<BenchReport> bench_in_fresh_processes(
    const BenchOptions& options, const std::function<void(const std::string&)>& progress) {
  std::vector<BenchReport> reports;
  for (int run = 1; run <= options.runs; ++run) {
    progress(fmt::format("bench: run {} of {}", run, options.runs));
    SPRUE_ASSIGN(const ProcessResult result, run_process(child_command(options)));
    const auto json =
        nlohmann::ordered_json::parse(result.output, nullptr, /*allow_exceptions=*/false);
    if (!json.is_discarded() && json.contains("error"))
      return tl::unexpected(Error(ErrorCode::invalid_argument, json["error"].value("message", "")));
    if (result.exit_code > 1 || json.is_discarded())
      return fail(ErrorCode::internal, "bench", "expected run {} to end well, got exit code {}: {}",
                  run, result.exit_code, result.errors);
    SPRUE_ASSIGN(BenchReport report, report_from_json(json, fmt::format("run {}", run)));
    reports.push_back(std::move(report));
  }
  return combine_runs(std::move(reports));
}

}  // namespace sprue::cli
