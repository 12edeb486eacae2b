#include "dialect/generator.h"
#include "dialect/mangle.h"
#include "dialect/metal_library.h"
#include "dialect/parameter_text.h"
#include "dialect/text_writer.h"

namespace sprue {

namespace {

void write_parameters(TextWriter& writer, const Signature& signature) {
  std::string_view separator = "";
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    writer.write("{}  {}{} {}{} {} [[buffer({})]]", separator,
                 is_read_only(parameter) ? "const " : "",
                 parameter.is_constant ? "constant" : "device", element_type(parameter),
                 parameter.is_scalar ? "&" : "*", parameter.name, i);
    separator = ",\n";
  }
  for (Attribute attribute : used_attributes(signature)) {
    const AttributeTraits& traits = attribute_traits(attribute);
    writer.write(",\n  {} {} [[{}]]", traits.type, traits.name, traits.name);
  }
}

}  // namespace

Result<MetalText> generate_metal_text(const KernelDefinition& definition,
                                      const Specialization& specialization) {
  if (definition.dialect != Dialect::metal)
    return fail(ErrorCode::invalid_argument, "emit",
                "expected a Metal kernel to write as Metal text, got '{}', which is CUDA text; no "
                "CUDA body is translated",
                definition.name);
  MetalText result;
  SPRUE_ASSIGN(result.signature, make_signature(definition, specialization));
  result.entry_name = entry_name(definition, specialization);
  TextWriter writer;
  if (!definition.header.empty()) writer.user_text(definition.header, definition.header_file);
  const size_t header_bytes = writer.text().size();
  writer.append(template_line(specialization));
  writer.write("[[kernel]] void {}(\n", result.entry_name);
  write_parameters(writer, result.signature);
  writer.append(") {\n");
  writer.user_text(definition.source, definition.source_file);
  writer.append("}\n");
  if (!specialization.template_arguments.empty()) {
    const std::string instance = result.entry_name + template_argument_list(specialization, false);
    writer.write("\ntemplate [[host_name(\"{}\")]] [[kernel]] decltype({}) {};\n",
                 result.entry_name, instance, instance);
  }
  result.header = writer.text().substr(0, header_bytes);
  result.kernel = writer.text().substr(header_bytes);
  return result;
}

Result<GeneratedSource> generate_metal(const KernelDefinition& definition,
                                       const Specialization& specialization) {
  SPRUE_ASSIGN(MetalText parts, generate_metal_text(definition, specialization));
  GeneratedSource source;
  source.text = parts.text();
  source.entry_name = std::move(parts.entry_name);
  source.signature = std::move(parts.signature);
  source.digest = digest_bytes(source.text);
  return source;
}

}  // namespace sprue
