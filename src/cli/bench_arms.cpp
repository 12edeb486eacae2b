#include "cli/bench_arms.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/sys.h"
#include "cli/command.h"
#include "cli/deviation.h"
#include "cli/kernel_source.h"
#include "kernel/cast_kernel.h"
#include "ops/implementation.h"

namespace sprue::cli {

namespace {

// Runs the call once, so that it is compiled and loaded, and reads its binary off the table.
Status identify(BenchArm& arm, const Kernel& kernel, const KernelCall& call) {
  SPRUE_ASSIGN(const Arrays outputs, catching([&] { return kernel(call); }));
  const SpecializationKey key = specialization_of(call).key();
  const auto entry = kernel.state().table().find_or_add({key.data(), key.size()});
  if (const auto ready = entry->ready()) {
    arm.digest = ready->binary.digest.hex();
    arm.target = ready->binary.target.name();
    arm.options = ready->binary.options;
  }
  return {};
}

BenchArm kernel_arm(std::string name, const Kernel& kernel) {
  BenchArm arm;
  arm.name = std::move(name);
  arm.run = [kernel](const KernelCall& call) { return catching([&] { return kernel(call); }); };
  return arm;
}

Result<BenchArm> native_arm(const KernelFile& file) {
  SPRUE_ASSIGN(const NativeCall native,
               bind_native(file.native, file.options.input_names, file.options.output_names));
  BenchArm arm;
  arm.name = "native";
  arm.target = "cpu:x86-64-v3";
  arm.options = "GCC " __VERSION__ ", -O3 -march=x86-64-v3 -ffp-contract=off";
  arm.run = [native](const KernelCall& call) -> Result<Arrays> {
    Arrays outputs;
    for (size_t i = 0; i < call.output_shapes.size(); ++i)
      outputs.push_back(Array::empty(call.output_shapes[i], call.output_dtypes[i]));
    SPRUE_CHECK(native(call.inputs, outputs));
    return outputs;
  };
  return arm;
}

// A casting of this one call in a temporary file, open by the time the file is removed.
Result<Kernel> temporary_casting(const KernelFile& file, const KernelCall& call) {
  SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
  SPRUE_ASSIGN(const Target target, Target::from_name("cpu"));
  const Specialization specialization = specialization_of(call);
  SPRUE_ASSIGN(auto entries,
               cast_kernel(kernel.state().definition(), {&specialization, 1}, {&target, 1}));
  SPRUE_ASSIGN(const std::string bytes, write_casting(std::move(entries)));
  std::error_code ignored;
  const auto path = std::filesystem::temp_directory_path(ignored) /
                    fmt::format("sprue-bench-{}.casting", getpid());
  SPRUE_CHECK(write_file_atomically(path.string(), bytes));
  auto cast = casting_kernel(file, path.string());
  std::filesystem::remove(path, ignored);
  return cast;
}

double parity_limit(const Arrays& outputs) {
  double limit = 0;
  for (const Array& output : outputs) {
    const bool narrow = output.dtype() == Dtype::float16 || output.dtype() == Dtype::bfloat16;
    // Different orders of summation; integers must be equal.
    limit = std::max(limit, narrow ? 2e-2 : dtype_is_floating(output.dtype()) ? 1e-4 : 0.0);
  }
  return limit;
}

}  // namespace

Result<std::vector<BenchArm>> make_arms(const KernelFile& file, const KernelCall& call,
                                        const std::vector<std::string>& names,
                                        const std::string& casting) {
  auto wanted = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<BenchArm> arms;
  if (wanted("native") && !file.native.empty()) {
    SPRUE_ASSIGN(BenchArm arm, native_arm(file));
    arms.push_back(std::move(arm));
  }
  if (wanted("jit")) {
    SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
    arms.push_back(kernel_arm("jit", kernel));
    SPRUE_CHECK(identify(arms.back(), kernel, call));
  }
  if (wanted("cast")) {
    SPRUE_ASSIGN(const Kernel kernel,
                 casting.empty() ? temporary_casting(file, call) : casting_kernel(file, casting));
    arms.push_back(kernel_arm("cast", kernel));
    SPRUE_CHECK(identify(arms.back(), kernel, call));
  }
  if (arms.empty())
    return fail(
        ErrorCode::invalid_argument, "bench",
        "expected an arm to measure, got none; native needs a kernel file with native = \"...\"");
  return arms;
}

Result<std::vector<Parity>> compare_outputs(const KernelFile& file, const CallSpec& spec,
                                            const std::vector<BenchArm>& arms) {
  std::vector<Parity> parities;
  Arrays reference;
  for (const BenchArm& arm : arms) {
    SPRUE_ASSIGN(const KernelCall call, make_call(file, spec));  // its own: mutable inputs change
    SPRUE_ASSIGN(const Arrays outputs, arm.run(call));
    if (&arm == &arms.front()) {
      reference = outputs;
      continue;
    }
    Parity parity{.arm = arm.name, .identical = true, .limit = parity_limit(outputs)};
    for (size_t i = 0; i < outputs.size(); ++i) {
      parity.identical &= digest(outputs[i]) == digest(reference[i]);
      parity.deviation = std::max(parity.deviation, relative_deviation(outputs[i], reference[i]));
    }
    parities.push_back(std::move(parity));
  }
  return parities;
}

}  // namespace sprue::cli
