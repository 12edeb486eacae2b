// sprue emit: the texts between a kernel file and its code, for people and for other tools.
#include <filesystem>
#include <map>
#include <optional>

#include "base/sys.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/progress.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "dialect/mangle.h"
#include "dialect/metal_library.h"
#include "kernel/cast_kernel.h"
#include "kernel/compile_kernel.h"

namespace sprue::cli {

namespace {

struct EmitOptions {
  std::string file;
  std::string form;
  std::string call;
  std::string target;        // empty: native
  std::string optimization;  // empty: default
  std::string output;
  bool json = false;
};

// A specialisation and the calls that ask for it.
struct Wanted {
  Specialization specialization;
  std::vector<std::string> calls;
};

struct Emission {
  std::string text;
  std::string target;   // "" if the text depends on none
  std::string command;  // "" but for Metal
};

Result<std::vector<Wanted>> wanted_specializations(const KernelFile& file,
                                                   const std::string& call_name) {
  SPRUE_ASSIGN(const auto specs, select_calls(file, call_name));
  std::vector<Wanted> all;
  std::map<std::vector<uint8_t>, size_t> by_key;
  for (const CallSpec* spec : specs) {
    SPRUE_ASSIGN(const KernelCall call, make_call(file, *spec));
    Specialization specialization = specialization_of(call);
    const SpecializationKey key = specialization.key();
    const auto [at, fresh] = by_key.emplace(std::vector(key.begin(), key.end()), all.size());
    if (fresh) all.push_back({std::move(specialization), {}});
    all[at->second].calls.push_back(spec->name);
  }
  return all;
}

// A text that is made specialisation by specialisation.
struct Form {
  std::string_view name, comment, what;
  TargetKind kind;
  std::optional<EmitKind> compiled;  // what a compiler makes of the generated text; none: that text
  std::string_view default_target = "";
};
constexpr Form kForms[] = {
    {"cpu", "//", "C++ text for the CPU", TargetKind::cpu, std::nullopt},
    {"llvm", ";", "optimised LLVM IR", TargetKind::cpu, EmitKind::llvm, "native"},
    {"asm", "#", "assembler text", TargetKind::cpu, EmitKind::assembly, "native"},
    {"cuda", "//", "C++ text for NVRTC", TargetKind::cuda, std::nullopt},
    {"ptx", "//", "PTX", TargetKind::cuda, EmitKind::ptx, "cuda:sm_90a"},
};

const Form* find_form(std::string_view name) {
  for (const Form& form : kForms)
    if (form.name == name) return &form;
  return nullptr;
}

Result<Target> parse_target(const Form& form, std::string_view name) {
  if (name.empty()) name = form.default_target;
  if (name == "native") return cpu_device().jit_target();
  SPRUE_ASSIGN(Target target, Target::from_name(name));
  if (target.kind == form.kind) return target;
  return fail(ErrorCode::invalid_argument, "emit", "expected a target of {} for --as {}, got {}",
              form.kind == TargetKind::cpu ? "the CPU" : "CUDA", form.name, name);
}

Result<Emission> emit_metal(const KernelDefinition& definition, const std::vector<Wanted>& wanted,
                            const std::string& output) {
  // A path's last part without ".metal", or the kernel's own name for the standard output.
  const std::string stem =
      output.empty() ? definition.name : std::filesystem::path(output).stem().string();
  std::vector<Specialization> specializations;
  for (const Wanted& item : wanted) specializations.push_back(item.specialization);
  SPRUE_ASSIGN(MetalLibrary library, generate_metal_library(definition, specializations, stem));
  return Emission{std::move(library.text), "", std::move(library.command)};
}

// One specialisation after the other, each under a line that names it.
Result<Emission> emit_form(const Form& form, const KernelDefinition& definition,
                           const std::vector<Wanted>& wanted, const EmitOptions& options) {
  SPRUE_ASSIGN(const Optimization optimization,
               parse_optimization(options.optimization.empty() ? "default" : options.optimization));
  Target target;
  Emission emission;
  if (form.compiled) {
    SPRUE_ASSIGN(target, parse_target(form, options.target));
    emission.target = target.name();
  }
  emission.text = fmt::format(
      "{} Written by Sprue: {} of a custom kernel, {} specialisation{}, math mode {}{}\n",
      form.comment, form.what, wanted.size(), wanted.size() == 1 ? "" : "s",
      math_mode_name(definition.math),
      form.compiled ? fmt::format(", target {}, optimisation {}", target.name(),
                                  optimization_name(optimization))
                    : "");
  Progress progress(fmt::format("emitting {}", definition.name));
  for (const Wanted& item : wanted) {
    SPRUE_ASSIGN(const GeneratedSource source,
                 generate_for(form.kind, definition, item.specialization));
    emission.text += fmt::format("\n{} ---- {}: {}\n", form.comment, source.entry_name,
                                 item.specialization.describe(definition));
    if (!form.compiled) {
      emission.text += source.text;
      continue;
    }
    if (form.kind != TargetKind::cpu)
      SPRUE_CHECK(check_metal_rules(definition, item.specialization));
    SPRUE_ASSIGN(
        const std::string text,
        compiler_for(form.kind).emit(make_compile_request(definition, source, target, optimization),
                                     *form.compiled));
    emission.text += text;
  }
  progress.finish();
  return emission;
}

nlohmann::ordered_json describe(const KernelDefinition& definition, const EmitOptions& options,
                                const std::vector<Wanted>& wanted, const Emission& emission) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Wanted& item : wanted)
    list.push_back({{"entry", entry_name(definition, item.specialization)},
                    {"specialization", item.specialization.describe(definition)},
                    {"calls", item.calls}});
  nlohmann::ordered_json fields = {
      {"kernel", definition.name}, {"as", options.form}, {"math", math_mode_name(definition.math)}};
  if (!emission.target.empty()) {
    fields["target"] = emission.target;
    fields["opt"] = options.optimization.empty() ? "default" : options.optimization;
  }
  fields["specializations"] = std::move(list);
  if (!emission.command.empty()) fields["command"] = emission.command;
  if (options.output.empty())
    fields["text"] = emission.text;
  else
    fields["output"] = options.output;
  return fields;
}

Result<int> emit(const EmitOptions& options) {
  const Form* form = find_form(options.form);  // none: Metal
  if ((!form || !form->compiled) && (!options.target.empty() || !options.optimization.empty()))
    return fail(ErrorCode::invalid_argument, "emit",
                "expected --{} with --as llvm, asm or ptx only, got --as {}; that text is the same "
                "for all",
                options.target.empty() ? "opt" : "target", options.form);
  SPRUE_ASSIGN(const KernelFile file, read_kernel_file(options.file));
  SPRUE_ASSIGN(const KernelDefinition definition, definition_of(file));
  SPRUE_ASSIGN(const std::vector<Wanted> wanted, wanted_specializations(file, options.call));
  SPRUE_ASSIGN(const Emission emission, form ? emit_form(*form, definition, wanted, options)
                                             : emit_metal(definition, wanted, options.output));
  if (!options.output.empty())
    SPRUE_CHECK(write_file_atomically(options.output, emission.text));
  else if (!options.json)
    std::fwrite(emission.text.data(), 1, emission.text.size(), stdout);
  if (!emission.command.empty())
    fmt::print(stderr, "not run by Sprue's authors on Apple hardware; on a Mac:\n  {}\n",
               emission.command);
  if (options.json) print_json(describe(definition, options, wanted, emission));
  return kSuccess;
}

}  // namespace

void add_emit(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "emit",
      "print a kernel file's texts: Metal, C++ for the CPU and for CUDA, LLVM IR, assembler, PTX");
  static EmitOptions options;
  command->add_option("file", options.file, "kernel file (.toml)")->required();
  command
      ->add_option(
          "--as", options.form,
          "metal: a complete .metal file; cpu: the C++ that is compiled here; llvm, asm: "
          "what the compiler makes of it; cuda: the C++ for NVRTC; ptx: what NVRTC makes of it")
      ->required()
      ->check(CLI::IsMember({"metal", "cpu", "llvm", "asm", "cuda", "ptx"}));
  command->add_option("--call", options.call, "only the specialisation of this call");
  command->add_option(
      "--target", options.target,
      "of llvm and asm: native (default), cpu, cpu:x86-64-v3, cpu:x86-64-v4; of ptx: "
      "cuda:sm_90a (default) and other architectures");
  command
      ->add_option("--opt", options.optimization,
                   "of llvm and asm: the optimiser's effort, default or fast")
      ->check(CLI::IsMember({"default", "fast"}));
  command->add_option("-o,--output", options.output, "write the text to this file");
  add_output_options(*command, options.json);
  command->callback([&action] {
    error_style().json = options.json;
    action = [] { return emit(options); };
  });
}

}  // namespace sprue::cli
