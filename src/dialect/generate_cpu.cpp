#include "dialect/generator.h"
#include "dialect/lowering.h"
#include "dialect/mangle.h"
#include "dialect/parameter_text.h"
#include "dialect/text_writer.h"

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

Result<LoweredText> lower_user_text(const KernelDefinition& definition, TextRole role) {
  const bool is_body = role == TextRole::body;
  const std::string& text = is_body ? definition.source : definition.header;
  const TokenList tokens = lex(text);
  auto lowered = lower(Code(tokens), text, role);
  if (!lowered)
    return tl::unexpected(to_error(lowered.error(), definition.name,
                                   is_body ? definition.source_file : definition.header_file));
  return std::move(*lowered);
}

void write_function_head(TextWriter& writer, const GeneratedSource& source) {
  writer.write("SPRUE_KERNEL void {}(\n", source.entry_name);
  std::string_view separator = "";
  for (const Parameter& parameter : source.signature.parameters) {
    writer.write("{}    {}{}{} {}", separator, is_read_only(parameter) ? "const " : "",
                 element_type(parameter), parameter.is_scalar ? "&" : "*", parameter.name);
    separator = ",\n";
  }
  for (Attribute attribute : used_attributes(source.signature)) {
    const AttributeTraits& traits = attribute_traits(attribute);
    writer.write(",\n    {} {}", traits.type, traits.name);
  }
  writer.append(") {\n");
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

void write_call(TextWriter& writer, const GeneratedSource& source,
                const std::string& template_arguments, std::string_view indent) {
  writer.write("{}{}{}(", indent, source.entry_name, template_arguments);
  std::string_view separator = "";
  for (size_t i = 0; i < source.signature.parameters.size(); ++i) {
    const Parameter& parameter = source.signature.parameters[i];
    const bool dereference = parameter.is_scalar && !is_bound_by_value(parameter);
    writer.write("{}{}sprue_argument_{}", separator, dereference ? "*" : "", i);
    separator = ", ";
  }
  for (Attribute attribute : used_attributes(source.signature))
    writer.write(", sprue_at.{}()", attribute_traits(attribute).name);
  writer.append(");\n");
}

void write_run_groups(TextWriter& writer, const GeneratedSource& source,
                      const std::string& template_arguments, bool fused) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, "
      "SprueWorker* sprue_worker) {\n");
  write_bindings(writer, source.signature);
  writer.write(
      "  sprue_cpu::for_each_thread<{}>(sprue_launch, sprue_worker, [=](const auto& sprue_at) "
      "SPRUE_INLINE_LAMBDA {{\n",
      fused);
  write_call(writer, source, template_arguments, "    ");
  writer.append("  });\n}\n");
}

void write_run_thread(TextWriter& writer, const GeneratedSource& source,
                      const std::string& template_arguments) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, "
      "SprueThread* sprue_thread) {\n");
  write_bindings(writer, source.signature);
  writer.append("  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);\n");
  write_call(writer, source, template_arguments, "  ");
  writer.append("}\n");
}

}  // namespace

Result<GeneratedSource> generate_cpu(const KernelDefinition& definition,
                                     const Specialization& specialization) {
  GeneratedSource source;
  SPRUE_ASSIGN(source.signature, make_signature(definition, specialization));
  SPRUE_ASSIGN(const LoweredText header, lower_user_text(definition, TextRole::header));
  SPRUE_ASSIGN(const LoweredText body, lower_user_text(definition, TextRole::body));
  source.entry_name = entry_name(definition, specialization);
  // Fused threads of different groups would share one group's memory.
  const bool fused = may_fuse_groups(source.signature) && !header.has_threadgroup_storage &&
                     !body.has_threadgroup_storage;
  const std::string template_arguments = template_argument_list(specialization, true);

  TextWriter writer;
  writer.append("#include \"metal_cpu.h\"\n");
  if (!header.text.empty()) writer.user_text(header.text, definition.header_file);
  writer.append(template_line(specialization));
  write_function_head(writer, source);
  writer.user_text(body.text, definition.source_file);
  writer.append("}\n");
  write_run_groups(writer, source, template_arguments, fused);
  write_run_thread(writer, source, template_arguments);
  source.text = writer.take();
  source.digest = digest_bytes(source.text);
  return source;
}

}  // namespace sprue
