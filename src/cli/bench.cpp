// sprue bench: the builds of one kernel beside each other, outputs compared before anything is timed.
#include <algorithm>

#include "cli/bench_arms.h"
#include "cli/command.h"
#include "cli/kernel_source.h"
#include "cli/progress.h"
#include "measure/machine.h"
#include "measure/paired.h"
#include "measure/summary_json.h"

namespace sprue::cli {

namespace {

struct BenchOptions {
  std::string file;
  std::string call;
  std::string casting;
  std::string device = "cpu";
  std::vector<std::string> arms = {"native", "jit", "cast"};
  bool json = false;
};

// Copies of the inputs that operations take in turn, so that a matrix isn't read from a cache that it
// wouldn't be in. More copies than this bound would only cost memory.
constexpr int64_t kRotationBytes = int64_t{256} << 20;
constexpr int64_t kMostCopies = 16;

Result<std::vector<KernelCall>> rotated_calls(const KernelFile& file, const CallSpec& spec) {
  std::vector<KernelCall> calls;
  SPRUE_ASSIGN(KernelCall first, make_call(file, spec));
  int64_t bytes = 1;
  for (const Array& input : first.inputs) bytes += input.size_bytes();
  const int64_t copies = std::clamp<int64_t>(kRotationBytes / bytes, 1, kMostCopies);
  calls.push_back(std::move(first));
  while (static_cast<int64_t>(calls.size()) < copies) {
    SPRUE_ASSIGN(KernelCall call, make_call(file, spec));
    calls.push_back(std::move(call));
  }
  return calls;
}

int64_t working_set(const std::vector<KernelCall>& calls) {
  int64_t bytes = 0;
  for (const KernelCall& call : calls)
    for (const Array& input : call.inputs) bytes += input.size_bytes();
  return bytes;
}

PairedResult time_arms(const std::vector<BenchArm>& arms, const std::vector<KernelCall>& calls) {
  std::vector<Arm> timed;
  for (const BenchArm& arm : arms)
    timed.push_back({arm.name, [&arm, &calls, next = size_t{0}](int operations) mutable {
                       for (int i = 0; i < operations; ++i) {
                         auto outputs = arm.run(calls[next++ % calls.size()]);
                         if (!outputs) throw std::move(outputs).error();
                       }
                     }});
  return run_paired(timed);
}

nlohmann::ordered_json report_json(const std::string& name, const std::vector<BenchArm>& arms,
                                   const std::vector<Parity>& parities, const PairedResult& result,
                                   const std::vector<KernelCall>& calls) {
  nlohmann::ordered_json arm_list = nlohmann::ordered_json::array();
  for (size_t i = 0; i < arms.size(); ++i) {
    nlohmann::ordered_json fields = {{"name", arms[i].name},
                                     {"seconds", summary_to_json(result.arms[i].summary)},
                                     {"target", arms[i].target},
                                     {"options", arms[i].options}};
    if (!arms[i].digest.empty()) fields["digest"] = arms[i].digest;
    arm_list.push_back(std::move(fields));
  }
  nlohmann::ordered_json parity_list = nlohmann::ordered_json::array();
  for (const Parity& parity : parities)
    parity_list.push_back({{"arm", parity.arm},
                           {"reference", arms.front().name},
                           {"identical", parity.identical},
                           {"deviation", parity.deviation},
                           {"limit", parity.limit},
                           {"holds", parity.holds()}});
  nlohmann::ordered_json pair_list = nlohmann::ordered_json::array();
  for (const PairResult& pair : result.pairs)
    pair_list.push_back({{"arm", arms[pair.arm].name},
                         {"reference", arms[pair.reference].name},
                         {"ratio", summary_to_json(pair.summary)},
                         {"interval", {pair.interval.low, pair.interval.high}},
                         {"ratio_of_medians", pair.ratio_of_medians},
                         {"same_binary", !arms[pair.arm].digest.empty() &&
                                             arms[pair.arm].digest == arms[pair.reference].digest},
                         {"verdict", verdict_name(pair.verdict)},
                         {"sentence", pair.sentence}});
  return {{"call", name},
          {"trials", result.arms.front().seconds.size()},
          {"operations", result.operations},
          {"input_copies", calls.size()},
          {"working_set_bytes", working_set(calls)},
          {"arms", std::move(arm_list)},
          {"parity", std::move(parity_list)},
          {"pairs", std::move(pair_list)}};
}

void print_report(const std::string& kernel, const std::string& name,
                  const std::vector<BenchArm>& arms, const std::vector<Parity>& parities,
                  const PairedResult& result, const std::vector<KernelCall>& calls) {
  fmt::print("{} [{}]: {} trials of {} operations, {} sets of inputs, {:.1f} MB\n", kernel, name,
             result.arms.front().seconds.size(), result.operations, calls.size(),
             static_cast<double>(working_set(calls)) / 1e6);
  fmt::print("  {:<8} {:>12} {:>25}   {}\n", "arm", "median", "quartiles", "binary");
  for (size_t i = 0; i < arms.size(); ++i) {
    const Summary& summary = result.arms[i].summary;
    fmt::print("  {:<8} {:>9.2f} µs {:>11.2f} – {:>8.2f} µs   {} {}\n", arms[i].name,
               summary.median * 1e6, summary.lower_quartile * 1e6, summary.upper_quartile * 1e6,
               arms[i].target, arms[i].digest.substr(0, 12));
  }
  for (const Parity& parity : parities)
    fmt::print("  outputs: {} against {}: {}\n", parity.arm, arms.front().name,
               parity.identical
                   ? std::string("identical")
                   : fmt::format("largest deviation {:.2g} (limit {:.2g}){}", parity.deviation,
                                 parity.limit, parity.holds() ? "" : " TOO LARGE"));
  for (const PairResult& pair : result.pairs) {
    const bool same =
        !arms[pair.arm].digest.empty() && arms[pair.arm].digest == arms[pair.reference].digest;
    fmt::print("  {}{}\n", pair.sentence, same ? "; same binary" : "");
  }
}

Result<int> bench(const BenchOptions& options) {
  SPRUE_CHECK(check_device(options.device));
  SPRUE_ASSIGN(const KernelFile file, read_kernel_file(options.file));
  SPRUE_ASSIGN(const auto specs, select_calls(file, options.call));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  bool parity_holds = true;
  for (const CallSpec* spec : specs) {
    Progress progress(fmt::format("bench {}", spec->name));
    SPRUE_ASSIGN(const std::vector<KernelCall> calls, rotated_calls(file, *spec));
    SPRUE_ASSIGN(const std::vector<BenchArm> arms,
                 make_arms(file, calls.front(), options.arms, options.casting));
    SPRUE_ASSIGN(const std::vector<Parity> parities, compare_outputs(file, *spec, arms));
    for (const Parity& parity : parities) parity_holds &= parity.holds();
    SPRUE_ASSIGN(const PairedResult result, catching([&] { return time_arms(arms, calls); }));
    progress.finish();
    if (options.json)
      list.push_back(report_json(spec->name, arms, parities, result, calls));
    else
      print_report(file.options.name, spec->name, arms, parities, result, calls);
  }
  if (options.json)
    print_json({{"kernel", file.options.name},
                {"device", options.device},
                {"machine", this_machine().json()},
                {"calls", std::move(list)}});
  return parity_holds ? kSuccess : kExpectationFailed;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("bench", "compare the builds of a kernel: native, jit, cast");
  static BenchOptions options;
  command->add_option("file", options.file, "kernel file (.toml)")->required();
  command->add_option("--call", options.call, "only the call of this name");
  command->add_option("--casting", options.casting,
                      "the casting of the cast arm; default: a temporary one");
  command->add_option("--device", options.device, "where to run: cpu");
  command->add_option("--arms", options.arms, "of native, jit, cast; with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"native", "jit", "cast"}));
  add_output_options(*command, options.json);
  command->callback([&action] {
    error_style().json = options.json;
    action = [] { return bench(options); };
  });
}

}  // namespace sprue::cli
