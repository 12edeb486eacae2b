// sprue cast: the specialisations of a kernel file's calls, compiled into one casting.
#include <algorithm>

#include "base/sys.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/progress.h"
#include "kernel/cast_kernel.h"
#include "kernel_file/open_kernel.h"

namespace sprue::cli {

namespace {

struct CastOptions {
  std::string file;
  std::string output;
  std::vector<std::string> targets = {"cpu"};
  std::vector<std::string> optimizations = {"default"};
  bool json = false;
};

Result<int> cast(const CastOptions& options) {
  SPRUE_ASSIGN(const KernelFile file, read_kernel_file(options.file));
  SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
  std::vector<Target> targets;
  for (const std::string& name : options.targets) {
    SPRUE_ASSIGN(Target target, Target::from_name(name));
    targets.push_back(std::move(target));
  }
  std::vector<Optimization> optimizations;
  for (const std::string& name : options.optimizations) {
    SPRUE_ASSIGN(const Optimization optimization, parse_optimization(name));
    if (std::find(optimizations.begin(), optimizations.end(), optimization) == optimizations.end())
      optimizations.push_back(optimization);
  }
  std::vector<Specialization> specializations;
  for (const CallSpec& spec : file.calls) {
    SPRUE_ASSIGN(const KernelCall call, make_call(file, spec));
    specializations.push_back(specialization_of(call));
  }
  Progress progress(fmt::format("casting {}", file.options.name));
  SPRUE_ASSIGN(auto entries,
               cast_kernel(kernel.state().definition(), specializations, targets, optimizations));
  progress.finish();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CastingEntry& entry : entries)
    list.push_back({{"entry", entry.record.entry_name},
                    {"target", entry.record.target.name()},
                    {"opt", optimization_name(entry.record.optimization)},
                    {"bytes", entry.binary_bytes.size()},
                    {"digest", entry.record.binary_digest.hex()}});
  const size_t count = entries.size();
  SPRUE_ASSIGN(const std::string bytes, write_casting(std::move(entries)));
  SPRUE_CHECK(write_file_atomically(options.output, bytes));
  if (options.json) {
    print_json({{"casting", options.output}, {"bytes", bytes.size()}, {"entries", list}});
    return kSuccess;
  }
  for (const auto& entry : list)
    fmt::print("  {} for {}, {}: {} bytes, {}\n", entry["entry"].get<std::string>(),
               entry["target"].get<std::string>(), entry["opt"].get<std::string>(),
               entry["bytes"].get<size_t>(), entry["digest"].get<std::string>());
  fmt::print("{}: {} {}, {} bytes\n", options.output, count, count == 1 ? "entry" : "entries",
             bytes.size());
  return kSuccess;
}

}  // namespace

void add_cast(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("cast", "compile a kernel file's specialisations into a casting");
  static CastOptions options;
  command->add_option("file", options.file, "kernel file (.toml)")->required();
  command->add_option("-o,--output", options.output, "the casting to write")->required();
  command
      ->add_option(
          "--target", options.targets,
          "what to compile for: cpu (x86-64-v3), cpu:x86-64-v3, cpu:x86-64-v4; several with commas")
      ->delimiter(',');
  command
      ->add_option("--opt", options.optimizations,
                   "the optimiser's effort: default, fast, or both with a comma")
      ->delimiter(',')
      ->check(CLI::IsMember({"default", "fast"}));
  add_output_options(*command, options.json);
  command->callback([&action] {
    error_style().json = options.json;
    action = [] { return cast(options); };
  });
}

}  // namespace sprue::cli
