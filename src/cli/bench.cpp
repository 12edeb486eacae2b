// sprue bench: the builds of one kernel beside each other, outputs compared before anything is timed.
#include <algorithm>
#include <optional>

#include "base/sys.h"
#include "benchmark/presets.h"
#include "cli/bench_options.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/progress.h"
#include "measure/bar.h"
#include "measure/report/report_html.h"
#include "measure/report/report_json.h"
#include "measure/report/report_text.h"

namespace sprue::cli {

namespace {

constexpr uint64_t kMostReportBytes = uint64_t{256} << 20;

Status check_options(const BenchOptions& options) {
  const int sources = !options.file.empty() + !options.preset.empty() + !options.read.empty();
  const auto expected = [](std::string_view what, std::string_view got) {
    return fail(ErrorCode::invalid_argument, "bench", "expected {}, got {}", what, got);
  };
  if (sources != 1)
    return expected("one of a kernel file, --preset and --read", sources == 0 ? "none" : "several");
  const bool versions = !options.vs.empty() || !options.vs_git.empty();
  if (!options.vs.empty() && !options.vs_git.empty())
    return expected("one of --vs and --vs-git", "both");
  if (versions && options.file.empty())
    return expected("a kernel file beside --vs or --vs-git", "none");
  if (versions && !options.arms.empty())
    return expected("--vs or --vs-git without --arms", "both; two texts are compared just-in-time");
  if (versions && !options.casting.empty())
    return expected("--vs or --vs-git without --casting", "both");
  if (!options.read.empty() && (options.runs > 1 || !options.sweep.empty() ||
                                !options.arms.empty() || !options.call.empty()))
    return expected("--read alone (with --bar, --report or --json)", "options of a measurement");
  return {};
}

Result<BenchmarkOptions> benchmark_options(const BenchOptions& options) {
  BenchmarkOptions result;
  if (!options.arms.empty()) result.arms = {.names = options.arms, .required = true};
  result.arms.casting = options.casting;
  result.call = options.call;
  result.most_trials = options.trials;
  result.seconds = options.seconds;
  if (options.parity >= 0) result.parity_bar = options.parity;
  for (const std::string& text : options.sweep) {
    SPRUE_ASSIGN(SweepAxis axis, parse_sweep(text));
    result.sweep.push_back(std::move(axis));
  }
  return result;
}

// What is swept by hand replaces the preset's values of that size.
void add_preset_axes(std::vector<SweepAxis>& sweep, const Preset& preset) {
  std::vector<SweepAxis> axes = preset.sweep;
  for (const SweepAxis& given : sweep) {
    const auto same = std::find_if(axes.begin(), axes.end(),
                                   [&](const SweepAxis& axis) { return axis.name == given.name; });
    if (same != axes.end())
      *same = given;
    else
      axes.push_back(given);
  }
  sweep = std::move(axes);
}

Result<BenchReport> make_report(const BenchOptions& options) {
  if (!options.read.empty()) {
    SPRUE_ASSIGN(const std::string text, read_file(options.read, kMostReportBytes));
    return parse_report(text, options.read);
  }
  SPRUE_CHECK(check_device(options.device));
  SPRUE_ASSIGN(BenchmarkOptions how, benchmark_options(options));
  Progress progress("bench");
  how.progress = [&](const std::string& what) { progress.update("bench: " + what); };
  if (options.runs > 1)
    return bench_in_fresh_processes(options,
                                    [&](const std::string& what) { progress.update(what); });
  if (!options.vs.empty())
    return compare_versions({.path = options.file}, {.path = options.vs}, how);
  if (!options.vs_git.empty()) {
    SPRUE_ASSIGN(const KernelFileSource reference, at_git_revision(options.file, options.vs_git));
    return compare_versions({.path = options.file}, reference, how);
  }
  if (options.preset.empty()) return run_benchmark({.path = options.file}, how);
  SPRUE_ASSIGN(const Preset preset, find_preset(options.preset));
  add_preset_axes(how.sweep, preset);
  return run_benchmark(preset.source, how);
}

bool outputs_agree(const BenchReport& report) {
  for (const BenchRow& row : report.rows)
    for (const ArmParity& parity : row.parity)
      if (!parity.holds()) return false;
  return true;
}

Result<int> bench(const BenchOptions& options) {
  SPRUE_CHECK(check_options(options));
  std::optional<double> bar;
  if (!options.bar.empty()) {
    SPRUE_ASSIGN(bar, parse_share(options.bar));
  }
  SPRUE_ASSIGN(BenchReport report, make_report(options));
  if (options.read.empty()) report.command = command_line();
  BarResult judged;
  if (bar) judged = check_bar(report, *bar);
  if (!options.report.empty())
    SPRUE_CHECK(write_file_atomically(options.report, report_html(report)));
  if (options.json) {
    nlohmann::ordered_json json = report_json(report);
    if (bar)
      json["bar"] = {
          {"at_most_slower", *bar}, {"met", judged.met}, {"sentences", judged.sentences}};
    print_json(json);
  } else {
    fmt::print("{}", report_text(report));
    if (bar) fmt::print("\nbar\n");
    for (const std::string& sentence : judged.sentences) fmt::print("  {}\n", sentence);
  }
  return outputs_agree(report) && judged.met ? kSuccess : kExpectationFailed;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "bench", "compare the builds of a kernel, or two versions of it, in paired trials");
  static BenchOptions options;
  command->add_option("file", options.file, "kernel file (.toml)");
  command->add_option(
      "--preset", options.preset,
      fmt::format("a benchmark that Sprue ships: {}", fmt::join(preset_names(), ", ")));
  command->add_option("--read", options.read,
                      "measure nothing: judge this JSON of an earlier run, or a table typed in");
  command->add_option("--call", options.call, "only the call of this name");
  command
      ->add_option("--arms", options.arms,
                   "of native, c++, jit, jit-fast, cast, cast-fast; with commas; default: all that "
                   "there are")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kArmNames), std::end(kArmNames))));
  command->add_option("--casting", options.casting,
                      "the casting of the cast arms; default: a temporary one");
  command
      ->add_option("--sweep", options.sweep,
                   "NAME=VALUE,VALUE,...: a row for each value of a size; again for another size")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--vs", options.vs, "compare with this kernel file, on the same inputs");
  command->add_option("--vs-git", options.vs_git,
                      "compare with the file as it was at this revision");
  command
      ->add_option("--runs", options.runs,
                   "fresh processes to measure in; shows the spread between them")
      ->check(CLI::Range(1, 100));
  command
      ->add_option("--trials", options.trials,
                   "where to stop, resolved or not: 31, 62 or 124 trials")
      ->check(CLI::IsMember({31, 62, 124}));
  command
      ->add_option("--seconds", options.seconds,
                   "in all, beyond which no row is extended past its first 31 trials")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option(
      "--bar", options.bar,
      "exit with 1 unless every arm is shown to be at most this much slower than the first: 5%");
  command
      ->add_option("--parity", options.parity,
                   "how far outputs may be apart, of the largest magnitude; default: by dtype")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--report", options.report, "write a page with pictures to this HTML file");
  command->add_option("--device", options.device, "where to run: cpu");
  add_output_options(*command, options.json);
  command->callback([&action] {
    error_style().json = options.json;
    action = [] { return bench(options); };
  });
}

}  // namespace sprue::cli
