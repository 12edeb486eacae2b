#include "dialect/generator.h"
#include "dialect/kernel_function.h"
#include "dialect/parameter_text.h"

namespace sprue {

namespace {

// How one parameter of the kernel is declared, and how the wrapper hands it to the function.
struct Binding {
  std::string declaration, argument;
};

Binding bind(const Parameter& parameter) {
  const std::string &name = parameter.name, type = element_type(parameter);
  switch (parameter.kind) {
    case ParameterKind::shape:
      return {fmt::format("const __grid_constant__ SprueCudaShape {}", name), name + ".at"};
    case ParameterKind::strides:
      return {fmt::format("const __grid_constant__ SprueCudaStrides {}", name), name + ".at"};
    case ParameterKind::ndim:
      return {fmt::format("int {}", name), name};
    case ParameterKind::input:
    case ParameterKind::output:
      break;
  }
  if (!parameter.is_scalar)
    return {fmt::format("{}{}* {}", is_read_only(parameter) ? "const " : "", type, name), name};
  if (parameter.is_mutable) return {fmt::format("{}* {}", type, name), "*" + name};
  return {fmt::format("const __grid_constant__ SprueCudaScalar<{}> {}", type, name),
          fmt::format("sprue_cuda::value({})", name)};
}

void write_wrapper(TextWriter& writer, const KernelFunction& kernel) {
  std::string declarations, arguments;
  for (const Parameter& parameter : kernel.signature.parameters) {
    const Binding binding = bind(parameter);
    declarations += fmt::format("    {},\n", binding.declaration);
    arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", binding.argument);
  }
  for (Attribute attribute : used_attributes(kernel.signature))
    arguments += fmt::format("{}sprue_at.{}()", arguments.empty() ? "" : ", ",
                             attribute_traits(attribute).name);
  // In a namespace of its own, so that it isn't an overload of the function.
  writer.write(
      "\nnamespace sprue_entry {{\nextern \"C\" __global__ void {}(\n{}"
      "    const __grid_constant__ SprueCudaLaunch sprue_launch) {{\n"
      "  const sprue_cuda::Positions sprue_at(sprue_launch);\n"
      "  if (sprue_at.is_outside()) return;\n"
      "  metal::{}{}({});\n}}\n}}  // namespace sprue_entry\n",
      kernel.entry_name, declarations, kernel.entry_name, kernel.template_arguments, arguments);
}

}  // namespace

Result<GeneratedSource> generate_cuda(const KernelDefinition& definition,
                                      const Specialization& specialization) {
  if (definition.dialect == Dialect::cuda)
    return fail(
        ErrorCode::unavailable, "cuda_kernel",
        "expected a Metal body to compile for CUDA, got CUDA C++ in kernel '{}'; it runs on "
        "the CPU so far",
        definition.name);
  SPRUE_ASSIGN(const KernelFunction kernel,
               lower_kernel(definition, specialization,
                            {.suffix_literals = true, .plain_bytes = true, .half_is_class = true}));
  TextWriter writer;
  kernel.write_prelude(writer, "metal_cuda.h");
  // Inside the namespace names of Metal hide those that every CUDA text has: float4, exp, min.
  writer.append("namespace metal {\n");
  kernel.write_declaration(writer);
  write_wrapper(writer, kernel);
  kernel.write_header(writer);
  kernel.write_function(writer);
  writer.append("}  // namespace metal\n");
  return kernel.source(writer.take());
}

Result<GeneratedSource> generate_for(TargetKind target, const KernelDefinition& definition,
                                     const Specialization& specialization) {
  switch (target) {
    case TargetKind::cpu:
      return generate_cpu(definition, specialization);
    case TargetKind::cuda:
      return generate_cuda(definition, specialization);
  }
  return fail(ErrorCode::internal, "generate", "expected a known target");
}

}  // namespace sprue
