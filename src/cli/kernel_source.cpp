#include "cli/kernel_source.h"

#include "cli/command.h"

namespace sprue::cli {

Result<Kernel> jit_kernel(const KernelFile& file) {
  return catching([&] { return metal_kernel(file.options); });
}

Result<Kernel> casting_kernel(const KernelFile& file, const std::string& casting_path) {
  const KernelOptions& options = file.options;
  return catching([&] {
    return precompiled_metal_kernel({.name = options.name,
                                     .input_names = options.input_names,
                                     .output_names = options.output_names,
                                     .casting_path = casting_path,
                                     .source = options.source,
                                     .header = options.header,
                                     .ensure_row_contiguous = options.ensure_row_contiguous,
                                     .atomic_outputs = options.atomic_outputs,
                                     .mutable_inputs = options.mutable_inputs,
                                     .math = options.math});
  });
}

Result<std::vector<const CallSpec*>> select_calls(const KernelFile& file, const std::string& name) {
  std::vector<const CallSpec*> calls;
  if (!name.empty()) {
    SPRUE_ASSIGN(const CallSpec* call, find_call(file, name));
    calls.push_back(call);
    return calls;
  }
  for (const CallSpec& call : file.calls) calls.push_back(&call);
  return calls;
}

Status check_device(const std::string& name) {
  if (name == "cpu") return {};
  return fail(ErrorCode::not_found, "device", "expected a device of this machine (cpu), got '{}'",
              name);
}

}  // namespace sprue::cli
