#include "dialect/generator.h"
#include "dialect/mangle.h"
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

Result<GeneratedSource> generate_metal(const KernelDefinition& definition,
                                       const Specialization& specialization) {
  GeneratedSource source;
  SPRUE_ASSIGN(source.signature, make_signature(definition, specialization));
  source.entry_name = entry_name(definition, specialization);
  TextWriter writer;
  if (!definition.header.empty()) writer.user_text(definition.header, definition.header_file);
  writer.append(template_line(specialization));
  writer.write("[[kernel]] void {}(\n", source.entry_name);
  write_parameters(writer, source.signature);
  writer.append(") {\n");
  writer.user_text(definition.source, definition.source_file);
  writer.append("}\n");
  if (!specialization.template_arguments.empty()) {
    const std::string instance = source.entry_name + template_argument_list(specialization, false);
    writer.write("\ntemplate [[host_name(\"{}\")]] [[kernel]] decltype({}) {};\n",
                 source.entry_name, instance, instance);
  }
  source.text = writer.take();
  source.digest = digest_bytes(source.text);
  return source;
}

}  // namespace sprue
