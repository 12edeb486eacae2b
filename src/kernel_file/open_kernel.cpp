#include "kernel_file/open_kernel.h"

namespace sprue {

namespace {

template <typename Body>
auto catching(Body&& body) -> Result<decltype(body())> {
  try {
    return body();
  } catch (const Error& error) {
    return tl::unexpected(error);
  }
}

}  // namespace

Result<Kernel> jit_kernel(const KernelFile& file, Optimization optimization) {
  KernelOptions options = file.options;
  options.optimization = optimization;
  return catching(
      [&] { return file.dialect == Dialect::cuda ? cuda_kernel(options) : metal_kernel(options); });
}

Result<Kernel> casting_kernel(const KernelFile& file, const std::string& casting_path,
                              Optimization optimization) {
  const KernelOptions& options = file.options;
  return catching([&] {
    const PrecompiledOptions precompiled{.name = options.name,
                                         .input_names = options.input_names,
                                         .output_names = options.output_names,
                                         .casting_path = casting_path,
                                         .source = options.source,
                                         .header = options.header,
                                         .include_dirs = options.include_dirs,
                                         .ensure_row_contiguous = options.ensure_row_contiguous,
                                         .atomic_outputs = options.atomic_outputs,
                                         .mutable_inputs = options.mutable_inputs,
                                         .shared_memory = options.shared_memory,
                                         .math = options.math,
                                         .optimization = optimization};
    return file.dialect == Dialect::cuda ? precompiled_cuda_kernel(precompiled)
                                         : precompiled_metal_kernel(precompiled);
  });
}

Result<Arrays> call_kernel(const Kernel& kernel, const KernelCall& call) {
  return catching([&] { return kernel(call); });
}

}  // namespace sprue
