#include "dialect/cuda/generate_cuda_cpu.h"

#include "dialect/cuda/cuda_lowering.h"
#include "dialect/cuda/cuda_parts.h"
#include "dialect/cuda/cuda_signature.h"
#include "dialect/mangle.h"
#include "dialect/name_scan.h"
#include "dialect/text_writer.h"

namespace sprue {

namespace {

// What a body may ask of its place, with the member of sprue_cuda::Position that answers.
struct PositionName {
  std::string name;
  std::string_view type, member;
};
const PositionName kPositions[] = {{"threadIdx", "uint3", "thread"},
                                   {"blockIdx", "uint3", "block"},
                                   {"blockDim", "dim3", "block_size"},
                                   {"gridDim", "dim3", "grid_size"}};

struct CudaKernel {
  GeneratedSource source;  // without its text
  LoweredCuda header, body;
  std::vector<const PositionName*> positions;  // that the body names
  std::string parts;
  bool asks_for_grid = false;  // elsewhere than by its own gridDim
};

bool names(const Code& code, std::string_view word) {
  for (size_t i = 0; i < code.size(); ++i)
    if (code.text(i) == word) return true;
  return false;
}

Result<CudaKernel> lower_kernel(const KernelDefinition& definition,
                                const Specialization& specialization) {
  CudaKernel kernel;
  SPRUE_ASSIGN(kernel.source.signature, make_cuda_signature(definition, specialization));
  kernel.source.entry_name = entry_name(definition, specialization);
  const TokenList header_tokens = lex(definition.header), body_tokens = lex(definition.source);
  const Code header(header_tokens), body(body_tokens);
  auto lowered = lower_cuda(header, definition.header, definition.shared_memory);
  if (!lowered)
    return tl::unexpected(
        to_error(lowered.error(), definition.name, definition.header_file, kCudaOrigin));
  kernel.header = std::move(*lowered);
  lowered = lower_cuda(body, definition.source, definition.shared_memory);
  if (!lowered)
    return tl::unexpected(
        to_error(lowered.error(), definition.name, definition.source_file, kCudaOrigin));
  kernel.body = std::move(*lowered);

  std::vector<std::string> candidates;
  for (const PositionName& position : kPositions) candidates.push_back(position.name);
  const std::vector<bool> used = scan_names(body, candidates);
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i]) kernel.positions.push_back(&kPositions[i]);
  const Code* const codes[] = {&header, &body};
  kernel.parts = cuda_parts(codes, specialization);
  kernel.asks_for_grid = names(header, "gridDim") || names(header, "this_grid") ||
                         names(body, "this_grid") || names(header, "##") || names(body, "##");
  return kernel;
}

void write_kernel(TextWriter& writer, const CudaKernel& kernel, const KernelDefinition& definition,
                  const Specialization& specialization) {
  writer.write(
      "namespace mlx::core::cu {{\nnamespace cg = cooperative_groups;\nSPRUE_KERNEL void {}(\n",
      kernel.source.entry_name);
  std::string_view separator = "";
  for (const Parameter& parameter : kernel.source.signature.parameters) {
    writer.write("{}    {} {}", separator, cuda_parameter_type(parameter), parameter.name);
    separator = ",\n";
  }
  for (const PositionName* position : kernel.positions)
    writer.write(",\n    const {} {}", position->type, position->name);
  writer.append(") {\n");
  writer.append(cuda_template_lines(specialization));
  writer.user_text(kernel.body.text, definition.source_file);
  writer.append("}\n}  // namespace mlx::core::cu\n");
}

// The wrapper's local for parameter i.
std::string binding(const Parameter& parameter, const Specialization& specialization) {
  switch (parameter.kind) {
    case ParameterKind::shape:
      return "extents<mlx::core::cu::Shape, int32_t>";
    case ParameterKind::strides:
      return "extents<mlx::core::cu::Strides, int64_t>";
    case ParameterKind::ndim:
      return "ndim";
    case ParameterKind::input:
    case ParameterKind::output:
      break;
  }
  const bool is_scalar =
      parameter.kind == ParameterKind::input && specialization.inputs[parameter.index].is_scalar;
  std::string type(cuda_type(parameter.dtype));
  if (parameter.dtype == Dtype::complex64) type = "mlx::core::cu::" + type;
  const bool is_read_only = parameter.kind == ParameterKind::input && !parameter.is_mutable;
  return fmt::format("{}<{}{}>", is_scalar ? "scalar" : "buffer", is_read_only ? "const " : "",
                     type);
}

void write_entry(TextWriter& writer, const CudaKernel& kernel, const Specialization& specialization,
                 bool is_thread) {
  const auto& parameters = kernel.source.signature.parameters;
  writer.write("\nextern \"C\" SPRUE_EXPORT void {}(const SprueLaunch* sprue_launch, {}) {{\n",
               is_thread ? "sprue_run_thread" : "sprue_run_groups",
               is_thread ? "SprueThread* sprue_thread" : "SprueWorker* sprue_worker");
  for (size_t i = 0; i < parameters.size(); ++i)
    writer.write("  const auto sprue_argument_{} = sprue_cuda::{}(sprue_launch->arguments[{}]);\n",
                 i, binding(parameters[i], specialization), i);
  if (is_thread)
    writer.append(
        "  const sprue_cuda::Position sprue_at = sprue_cuda::position_of(sprue_launch, "
        "sprue_thread);\n");
  else
    writer.append(
        "  sprue_cuda::for_each_thread(sprue_launch, sprue_worker, [=](const sprue_cuda::Position& "
        "sprue_at) SPRUE_INLINE_LAMBDA {\n");
  if (kernel.asks_for_grid) writer.append("  sprue_cuda::launch_of_block = sprue_launch;\n");
  writer.write("  mlx::core::cu::{}(", kernel.source.entry_name);
  std::string_view separator = "";
  for (size_t i = 0; i < parameters.size(); ++i) {
    writer.write("{}sprue_argument_{}", separator, i);
    separator = ", ";
  }
  for (const PositionName* position : kernel.positions)
    writer.write(", sprue_at.{}", position->member);
  writer.append(is_thread ? ");\n}\n" : ");\n  });\n}\n");
}

GeneratedSource finish(GeneratedSource source, TextWriter& writer) {
  source.text = writer.take();
  source.digest = digest_bytes(source.text);
  return source;
}

}  // namespace

Result<GeneratedSource> generate_cuda_cpu(const KernelDefinition& definition,
                                          const Specialization& specialization) {
  SPRUE_ASSIGN(const CudaKernel kernel, lower_kernel(definition, specialization));
  TextWriter writer;
  if (kernel.asks_for_grid) writer.append("#define SPRUE_WITH_GRID\n");
  writer.append(kernel.parts);
  writer.append("#include \"cuda_cpu.h\"\n");
  if (definition.shared_memory > 0)
    writer.write("extern \"C\" {{\nSPRUE_DYN char sprue_dynamic_shared[{}];\n}}\n",
                 definition.shared_memory);
  if (!definition.header.empty()) writer.user_text(kernel.header.text, definition.header_file);
  write_kernel(writer, kernel, definition, specialization);
  write_entry(writer, kernel, specialization, false);
  write_entry(writer, kernel, specialization, true);
  return finish(kernel.source, writer);
}

Result<GeneratedSource> generate_mlx_cuda(const KernelDefinition& definition,
                                          const Specialization& specialization) {
  GeneratedSource source;
  SPRUE_ASSIGN(source.signature, make_cuda_signature(definition, specialization));
  source.entry_name = entry_name(definition, specialization);
  TextWriter writer;
  writer.append(
      "#include \"mlx/backend/cuda/device/utils.cuh\"\n\n#include <cooperative_groups.h>\n\n");
  if (!definition.header.empty()) writer.user_text(definition.header, definition.header_file);
  writer.write(
      "namespace mlx::core::cu {{\n\nnamespace cg = cooperative_groups;\n\n__global__ void {}(\n",
      source.entry_name);
  std::string_view separator = "";
  for (const Parameter& parameter : source.signature.parameters) {
    std::string type = cuda_parameter_type(parameter);
    if (!type.ends_with('*')) type.insert(type.find(' '), " __grid_constant__");
    writer.write("{}    {} {}", separator, type, parameter.name);
    separator = ",\n";
  }
  writer.append(") {\n");
  writer.append(cuda_template_lines(specialization));
  writer.user_text(definition.source, definition.source_file);
  writer.append("}\n\n}  // namespace mlx::core::cu\n");
  return finish(std::move(source), writer);
}

}  // namespace sprue
