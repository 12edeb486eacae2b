// sprue run: the calls of a kernel file, their outputs, and whether they are as expected.
#include <filesystem>
#include <optional>

#include "array/npy.h"
#include "cli/array_summary.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/mismatch_json.h"
#include "cli/mismatch_table.h"
#include "cli/watchdog.h"
#include "kernel/settings.h"
#include "kernel_file/expectation.h"
#include "kernel_file/open_kernel.h"

namespace sprue::cli {

namespace {

struct RunOptions {
  std::string file;
  std::string call;
  std::string casting;
  std::string policy = "jit";
  std::string optimization = "default";
  std::string device = "cpu";
  std::string save;
  double timeout = 0;  // seconds a call, its compile included; 0: none
  bool verbose = false;
  bool json = false;
};

// One output, or one mutable input after the call.
struct Checked {
  const OutputSpec* spec;
  const Array* array;
};

Result<bool> report_array(const RunOptions& options, const std::string& call, const Checked& item,
                          nlohmann::ordered_json& list) {
  const Array& array = *item.array;
  const std::string name = item.spec->name;
  SPRUE_ASSIGN(const auto mismatch, check_expectation(*item.spec, array));
  const ArraySummary summary = summarize(array);
  nlohmann::ordered_json fields = {
      {"name", name},
      {"shape", std::vector<int64_t>(array.shape().begin(), array.shape().end())},
      {"dtype", dtype_name(array.dtype())},
      {"digest", digest(array)},
      {"summary", summary.json()}};
  if (!item.spec->expect.empty()) {
    fields["as_expected"] = !mismatch;
    if (mismatch) fields["mismatch"] = mismatch_json(*mismatch);
  }
  if (!options.json) {
    fmt::print("  {} {} {} {}\n    {}\n", name, dtype_name(array.dtype()), to_string(array.shape()),
               digest(array), summary.text());
    if (mismatch)
      fmt::print("    NOT AS EXPECTED: {}\n", fmt::join(mismatch_table(*mismatch), "\n      "));
    else if (!item.spec->expect.empty())
      fmt::print("    as expected\n");
  }
  if (!options.save.empty()) {
    const auto path = std::filesystem::path(options.save) / fmt::format("{}.{}.npy", call, name);
    SPRUE_CHECK(write_npy(path.string(), array));
  }
  list.push_back(std::move(fields));
  return !mismatch;
}

Result<Kernel> open_kernel(const RunOptions& options, const KernelFile& file) {
  SPRUE_ASSIGN(const Optimization optimization, parse_optimization(options.optimization));
  if (!options.casting.empty()) return casting_kernel(file, options.casting, optimization);
  if (options.policy == "precompiled")
    return fail(
        ErrorCode::invalid_argument, "run",
        "expected --casting FILE beside --policy precompiled, got none; make one with sprue cast");
  return jit_kernel(file, optimization);
}

Result<bool> run_call(const RunOptions& options, const KernelFile& file, const Kernel& kernel,
                      const CallSpec& spec, nlohmann::ordered_json& list) {
  SPRUE_ASSIGN(KernelCall call, make_call(file, spec));
  call.verbose = options.verbose;
  if (options.policy == "precompiled") call.policy = CompilePolicy::precompiled;
  std::optional<Watchdog> watchdog(std::in_place, options.timeout,
                                   fmt::format("kernel '{}'", file.options.name));
  SPRUE_ASSIGN(const Arrays outputs, call_kernel(kernel, call));
  watchdog.reset();
  if (!options.json) fmt::print("{} [{}]\n", file.options.name, spec.name);
  nlohmann::ordered_json arrays = nlohmann::ordered_json::array();
  bool as_expected = true;
  for (size_t i = 0; i < outputs.size(); ++i) {
    SPRUE_ASSIGN(const bool fine,
                 report_array(options, spec.name, {&spec.outputs[i], &outputs[i]}, arrays));
    as_expected &= fine;
  }
  for (const OutputSpec& mutated : spec.mutated)
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      if (file.options.input_names[i] != mutated.name) continue;
      SPRUE_ASSIGN(const bool fine,
                   report_array(options, spec.name, {&mutated, &call.inputs[i]}, arrays));
      as_expected &= fine;
    }
  list.push_back({{"name", spec.name}, {"outputs", std::move(arrays)}});
  return as_expected;
}

Result<int> run(const RunOptions& options) {
  SPRUE_CHECK(check_device(options.device));
  SPRUE_ASSIGN(const KernelFile file, read_kernel_file(options.file));
  SPRUE_ASSIGN(const auto specs, select_calls(file, options.call));
  SPRUE_ASSIGN(const Kernel kernel, open_kernel(options, file));
  if (!options.save.empty()) {
    std::error_code reason;
    std::filesystem::create_directories(options.save, reason);
    if (reason)
      return fail(ErrorCode::io, "run", "expected a folder to save to, got {}: {}", options.save,
                  reason.message());
  }
  kernel_settings().poison_outputs = true;  // an element that no thread writes must show
  nlohmann::ordered_json calls = nlohmann::ordered_json::array();
  bool as_expected = true;
  for (const CallSpec* spec : specs) {
    SPRUE_ASSIGN(const bool fine, run_call(options, file, kernel, *spec, calls));
    as_expected &= fine;
  }
  if (options.json)
    print_json({{"kernel", file.options.name},
                {"device", options.device},
                {"build", options.casting.empty() ? "jit" : "casting"},
                {"opt", options.optimization},
                {"as_expected", as_expected},
                {"calls", std::move(calls)}});
  return as_expected ? kSuccess : kExpectationFailed;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("run", "run the calls of a kernel file and check their outputs");
  static RunOptions options;
  command->add_option("file", options.file, "kernel file (.toml)")->required();
  command->add_option("--call", options.call, "only the call of this name");
  command->add_option("--casting", options.casting,
                      "take the binaries from this casting, compile nothing");
  command->add_option("--policy", options.policy, "jit, or precompiled: never run a compiler")
      ->check(CLI::IsMember({"jit", "precompiled"}));
  command
      ->add_option("--opt", options.optimization,
                   "the optimiser's effort: default or fast; with --casting, which entry to take")
      ->check(CLI::IsMember({"default", "fast"}));
  command->add_option("--device", options.device, "where to run: cpu");
  command->add_option("--save", options.save, "write each output to FOLDER/CALL.NAME.npy");
  command
      ->add_option("--timeout", options.timeout,
                   "end with exit code 1 when a call, its compile included, takes longer: seconds")
      ->check([](const std::string& text) -> std::string {  // in this form NaN is none either
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds >= 0.001 && seconds <= 1e6
                   ? ""
                   : "expected seconds from 0.001 to 1000000, got " + text;
      });
  command->add_flag("--verbose", options.verbose, "print the generated Metal text");
  add_output_options(*command, options.json);
  command->callback([&action] {
    error_style().json = options.json;
    action = [] { return run(options); };
  });
}

}  // namespace sprue::cli
