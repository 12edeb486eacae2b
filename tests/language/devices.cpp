#include "language/devices.h"

#include <map>
#include <mutex>

#include "compile/compiler.h"
#include "compile/nvrtc/nvrtc_library.h"
#include "dialect/generator.h"
#include "kernel/cast_kernel.h"
#include "kernel/compile_kernel.h"

namespace sprue::language {

namespace {

// The architecture that every kernel is compiled for, and those that each fiftieth one is compiled for, too.
constexpr std::string_view kArchitecture = "sm_90a";
constexpr std::string_view kSampled[] = {"sm_80", "sm_100"};

Target target_of(std::string_view architecture) {
  return {TargetKind::cuda, std::string(architecture), ""};
}

void compile(const KernelDefinition& definition, const GeneratedSource& source,
             std::string_view architecture) {
  (void)value_or_throw(nvrtc_compiler().compile(
      make_compile_request(definition, source, target_of(architecture), Optimization::standard)));
}

std::optional<Arrays> compile_for_cuda(const KernelOptions& options, const KernelCall& call) {
  // Rows that share a kernel compile it once.
  static std::mutex mutex;
  static std::map<Digest, bool> done;
  const KernelDefinition definition = value_or_throw(make_definition(options, "metal_kernel"));
  const Specialization specialization = specialization_of(call);
  const GeneratedSource source = value_or_throw(generate_cuda(definition, specialization));
  size_t count;
  {
    std::lock_guard lock(mutex);
    if (!done.emplace(source.digest, true).second) return std::nullopt;
    count = done.size();
  }
  compile(definition, source, kArchitecture);
  if (count % 50 == 0)
    for (std::string_view architecture : kSampled) compile(definition, source, architecture);
  return std::nullopt;
}

std::optional<Arrays> check_and_compile_for_cuda(const KernelOptions& options,
                                                 const KernelCall& call) {
  const KernelDefinition definition = value_or_throw(make_definition(options, "metal_kernel"));
  const Specialization specialization = specialization_of(call);
  const GeneratedSource source = value_or_throw(generate_cuda(definition, specialization));
  (void)value_or_throw(compile_kernel(definition, specialization, source, target_of(kArchitecture),
                                      Optimization::standard));
  return std::nullopt;
}

std::optional<Arrays> run_on_cpu(const KernelOptions& options, const KernelCall& call) {
  return metal_kernel(options)(call);
}

std::string nvrtc_missing() {
  static const std::string reason = [] {
    const auto library = nvrtc_library();
    return library ? std::string() : library.error().message();
  }();
  return reason;
}

}  // namespace

const std::vector<Device>& devices() {
  static const std::vector<Device> list = {
      {"cpu", run_on_cpu, [] { return std::string(); }},
      {"nvrtc", compile_for_cuda, nvrtc_missing, check_and_compile_for_cuda},
  };
  return list;
}

}  // namespace sprue::language
