#include "kernel/compile_kernel.h"

#include "base/embedded_text.h"
#include "compile/compiler.h"
#include "dialect/generator.h"

namespace sprue {

namespace {

// What CUDA text may include: all that a kernel uses of them is in the prelude already.
constexpr std::string_view kCudaHeaders[] = {
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cuda/std/array",
    "cuda/std/cstdint",
    "cuda/std/limits",
    "cuda/std/type_traits",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_runtime.h",
    "float.h",
    "limits.h",
    "math_constants.h",
    "mlx/backend/cuda/device/utils.cuh",
    "stdint.h",
};

}  // namespace

CompileRequest make_compile_request(const KernelDefinition& definition,
                                    const GeneratedSource& source, const Target& target,
                                    Optimization optimization) {
  CompileRequest request;
  request.text = source.text;
  request.file_name = "<generated>";
  request.kernel_name = definition.name;
  request.entry_name = source.entry_name;
  request.signature = source.signature;
  request.dialect = definition.dialect;
  for (const EmbeddedText& text : prelude_texts())
    request.headers.emplace(std::string(text.name), std::string(text.text));
  if (definition.dialect == Dialect::cuda)
    for (std::string_view name : kCudaHeaders) request.headers.emplace(std::string(name), "");
  request.user_headers = source.headers;
  for (const IncludedText& included : definition.includes)
    request.user_files.emplace(included.file, included.text);
  request.user_files.emplace(definition.source_file, definition.source);
  request.user_files.emplace(definition.header_file, definition.header);
  request.target = target;
  request.math = definition.math;
  request.optimization = optimization;
  return request;
}

Status check_metal_rules(const KernelDefinition& definition, const Specialization& specialization) {
  if (definition.dialect != Dialect::metal) return {};
  SPRUE_ASSIGN(const GeneratedSource source, generate_cpu(definition, specialization));
  const Status checked =
      check_language(make_compile_request(definition, source, {}, Optimization::standard));
  if (!checked && checked.error().code() == ErrorCode::unavailable) return {};
  return checked;
}

Result<Binary> compile_kernel(const KernelDefinition& definition,
                              const Specialization& specialization, const GeneratedSource& source,
                              const Target& target, Optimization optimization) {
  if (target.kind != TargetKind::cpu) SPRUE_CHECK(check_metal_rules(definition, specialization));
  return compiler_for(target.kind)
      .compile(make_compile_request(definition, source, target, optimization));
}

}  // namespace sprue
