#include "dialect/cuda/generate_cuda_cpu.h"
#include "dialect/generator.h"
#include "dialect/kernel_function.h"
#include "dialect/parameter_text.h"

namespace sprue {

namespace {

// Attributes that say nothing about a thread's group: a kernel with no others may run whole rows of
// threads, across groups, in one loop.
constexpr Attribute kGroupless[] = {
    Attribute::thread_position_in_grid,
    Attribute::threads_per_grid,
    Attribute::grid_size,
    Attribute::grid_origin,
    Attribute::threads_per_simdgroup,
    Attribute::thread_execution_width,
};

bool may_fuse_groups(const Signature& signature) {
  uint32_t others = signature.attributes;
  for (Attribute attribute : kGroupless) others &= ~(1u << static_cast<int>(attribute));
  return others == 0;
}

// A value that the wrapper reads before the loop; all else is a pointer.
bool is_bound_by_value(const Parameter& parameter) {
  return parameter.is_scalar && !parameter.is_mutable;
}

// Locals of the wrappers: one for each parameter, under names that no user text has.
void write_bindings(TextWriter& writer, const Signature& signature) {
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    const std::string type = element_type(parameter);
    if (is_bound_by_value(parameter))
      writer.write(
          "  const {} sprue_argument_{} = sprue_cpu::value<{}>(sprue_launch->arguments[{}]);\n",
          type, i, type, i);
    else
      writer.write(
          "  auto* const sprue_argument_{} = "
          "sprue_cpu::buffer<{}{}>(sprue_launch->arguments[{}]);\n",
          i, is_read_only(parameter) ? "const " : "", type, i);
  }
}

void write_call(TextWriter& writer, const KernelFunction& kernel, std::string_view indent) {
  writer.write("{}{}{}(", indent, kernel.entry_name, kernel.template_arguments);
  std::string_view separator = "";
  for (size_t i = 0; i < kernel.signature.parameters.size(); ++i) {
    const Parameter& parameter = kernel.signature.parameters[i];
    const bool dereference = parameter.is_scalar && !is_bound_by_value(parameter);
    writer.write("{}{}sprue_argument_{}", separator, dereference ? "*" : "", i);
    separator = ", ";
  }
  for (Attribute attribute : used_attributes(kernel.signature))
    writer.write(", sprue_at.{}()", attribute_traits(attribute).name);
  writer.append(");\n");
}

void write_run_groups(TextWriter& writer, const KernelFunction& kernel, bool fused) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, "
      "SprueWorker* sprue_worker) {\n");
  write_bindings(writer, kernel.signature);
  writer.write(
      "  sprue_cpu::for_each_thread<{}>(sprue_launch, sprue_worker, [=](const auto& sprue_at) "
      "SPRUE_INLINE_LAMBDA {{\n",
      fused);
  write_call(writer, kernel, "    ");
  writer.append("  });\n}\n");
}

void write_run_thread(TextWriter& writer, const KernelFunction& kernel) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, "
      "SprueThread* sprue_thread) {\n");
  write_bindings(writer, kernel.signature);
  writer.append("  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);\n");
  write_call(writer, kernel, "  ");
  writer.append("}\n");
}

}  // namespace

Result<GeneratedSource> generate_cpu(const KernelDefinition& definition,
                                     const Specialization& specialization) {
  if (definition.dialect == Dialect::cuda) return generate_cuda_cpu(definition, specialization);
  SPRUE_ASSIGN(const KernelFunction kernel, lower_kernel(definition, specialization));
  // Fused threads of different groups would share one group's memory.
  const bool fused = may_fuse_groups(kernel.signature) && !kernel.has_threadgroup_storage();

  TextWriter writer;
  kernel.write_prelude(writer, "metal_cpu.h");
  kernel.write_declaration(writer);
  write_run_groups(writer, kernel, fused);
  write_run_thread(writer, kernel);
  kernel.write_header(writer);
  kernel.write_function(writer);
  return kernel.source(writer.take());
}

}  // namespace sprue
