#include <algorithm>

#include "benchmark/built_arm.h"
#include "benchmark/offline_arm.h"
#include "benchmark/temporary_casting.h"
#include "device/cpu/cpu_pipeline.h"
#include "kernel/cast_kernel.h"
#include "kernel_file/open_kernel.h"
#include "ops/implementation.h"

namespace sprue {

namespace {

std::string_view optimization_text(Optimization optimization) {
  return optimization == Optimization::fast ? "fast" : "default";
}

// Arms of one text are promised equal bits: nothing that they differ in may change a result.
std::string exact_group(const KernelFile& file, const Kernel& kernel) {
  const bool exact = file.options.math == MathMode::safe && !file.options.atomic_outputs;
  return exact ? kernel.state().definition().digest().hex() : "";
}

// Runs the call once, so that it is compiled and loaded, and reads its binary off the table.
Status identify(ArmIdentity& identity, const Kernel& kernel, const KernelCall& call) {
  SPRUE_CHECK(call_kernel(kernel, call));
  const SpecializationKey key = specialization_of(call).key();
  const auto entry = kernel.state().table().find_or_add({key.data(), key.size()});
  const auto ready = entry->ready();
  if (!ready) return {};  // SPRUE_TABLE=0
  const Binary& binary = ready->binary;
  identity.target = binary.target.name();
  identity.compiler = binary.compiler;
  identity.options = binary.options;
  identity.digest = binary.digest.hex();
  identity.code_bytes = static_cast<int64_t>(binary.bytes.size());
  if (const auto* pipeline = dynamic_cast<const CpuPipeline*>(ready->pipeline.get())) {
    identity.form = pipeline->is_coroutine() ? "coroutine" : "loop";
    identity.frame_bytes = static_cast<int64_t>(pipeline->info().frame_bytes);
  }
  return {};
}

Result<BuiltArm> native_arm(const KernelFile& file) {
  if (file.native.empty())
    return fail(ErrorCode::not_found, "bench",
                "expected native = \"...\" in {}, got a file that names no operation", file.path);
  SPRUE_ASSIGN(const NativeCall native,
               bind_native(file.native, file.options.input_names, file.options.output_names));
  BuiltArm arm;
  arm.identity.name = arm.identity.route = "native";
  arm.identity.optimization = "default";
  arm.identity.source = "native " + file.native;
  arm.identity.target = "cpu:x86-64-v3";
#ifdef __clang__
  arm.identity.compiler = __VERSION__;
#else
  arm.identity.compiler = "GCC " __VERSION__;
#endif
  arm.identity.options = "-O3 -march=x86-64-v3 -ffp-contract=off";
  arm.run = [native](const KernelCall& call) -> Result<Arrays> {
    Arrays outputs;
    for (size_t i = 0; i < call.output_shapes.size(); ++i)
      outputs.push_back(Array::empty(call.output_shapes[i], call.output_dtypes[i]));
    SPRUE_CHECK(native(call.inputs, outputs));
    return outputs;
  };
  return arm;
}

Result<Kernel> cast_and_open(const KernelFile& file, const KernelCall& call,
                             Optimization optimization, const std::string& casting) {
  if (!casting.empty()) return casting_kernel(file, casting, optimization);
  SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
  SPRUE_ASSIGN(const Target target, Target::from_name("cpu"));
  const Specialization specialization = specialization_of(call);
  SPRUE_ASSIGN(auto entries, cast_kernel(kernel.state().definition(), {&specialization, 1},
                                         {&target, 1}, {&optimization, 1}));
  return open_temporary_casting(file, std::move(entries), optimization);
}

Result<BuiltArm> build_arm(const KernelFile& file, const KernelCall& call, const std::string& name,
                           const std::string& casting) {
  if (name == "native") return native_arm(file);
  if (name == "c++") return build_offline_arm(file, call);
  const Optimization optimization =
      name.ends_with("-fast") ? Optimization::fast : Optimization::standard;
  if (name.starts_with("jit")) return build_jit_arm(file, call, name, optimization);
  SPRUE_ASSIGN(const Kernel kernel, cast_and_open(file, call, optimization, casting));
  return build_kernel_arm(file, kernel, call, name, "cast", optimization);
}

}  // namespace

Result<BuiltArm> build_kernel_arm(const KernelFile& file, const Kernel& kernel,
                                  const KernelCall& call, std::string name, std::string route,
                                  Optimization optimization) {
  BuiltArm arm;
  arm.identity.name = std::move(name);
  arm.identity.route = std::move(route);
  arm.identity.optimization = optimization_text(optimization);
  arm.identity.source = file.path;
  SPRUE_CHECK(identify(arm.identity, kernel, call));
  arm.exact_group = exact_group(file, kernel);
  arm.run = [kernel](const KernelCall& one) { return call_kernel(kernel, one); };
  return arm;
}

Result<BuiltArm> build_jit_arm(const KernelFile& file, const KernelCall& call, std::string name,
                               Optimization optimization) {
  SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file, optimization));
  return build_kernel_arm(file, kernel, call, std::move(name), "jit", optimization);
}

Result<ArmList> build_arms(const KernelFile& file, const KernelCall& call,
                           const ArmChoice& choice) {
  ArmList list;
  for (const char* name : kArmNames) {
    if (std::find(choice.names.begin(), choice.names.end(), name) == choice.names.end()) continue;
    auto arm = build_arm(file, call, name, choice.casting);
    if (arm) {
      list.arms.push_back(std::move(*arm));
    } else {
      // A text that doesn't compile is the user's to hear of, whatever was asked for.
      if (choice.required || arm.error().code() == ErrorCode::compile_failed)
        return tl::unexpected(std::move(arm).error());
      // Nobody misses a native arm where none is named.
      if (file.native.empty() && std::string_view(name) == "native") continue;
      const std::string& message = arm.error().message();
      const size_t origin = message.find("] ");
      list.left_out.push_back(fmt::format(
          "{}: {}", name, origin == message.npos ? message : message.substr(origin + 2)));
    }
  }
  if (list.arms.empty())
    return fail(ErrorCode::unavailable, "bench", "expected an arm to measure, got none; {}",
                fmt::join(list.left_out, "; "));
  return list;
}

}  // namespace sprue
