#include "dialect/parameter_text.h"

#include <fmt/format.h>

#include "dialect/spelling.h"

namespace sprue {

std::string element_type(const Parameter& parameter) {
  // MLX's spelling of the slots; int is int32_t on every target.
  if (parameter.kind == ParameterKind::shape || parameter.kind == ParameterKind::ndim) return "int";
  std::string type(metal_type(parameter.dtype));
  return parameter.is_atomic ? "atomic<" + type + ">" : type;
}

bool is_read_only(const Parameter& parameter) {
  return parameter.kind != ParameterKind::output && !parameter.is_mutable;
}

std::string template_line(const Specialization& specialization) {
  if (specialization.template_arguments.empty()) return "";
  std::string line;
  for (const TemplateArgument& argument : specialization.template_arguments)
    line += fmt::format("{}{} {}", line.empty() ? "template <" : ", ",
                        template_parameter_type(argument.value), argument.name);
  return line + ">\n";
}

std::string template_argument_list(const Specialization& specialization, bool bool_words) {
  if (specialization.template_arguments.empty()) return "";
  std::string list;
  for (const TemplateArgument& argument : specialization.template_arguments) {
    list += list.empty() ? "<" : ", ";
    list += template_expression(argument.value, bool_words);
  }
  return list + ">";
}

std::vector<Attribute> used_attributes(const Signature& signature) {
  std::vector<Attribute> attributes;
  for (int i = 0; i < kAttributeCount; ++i)
    if (signature.uses(static_cast<Attribute>(i))) attributes.push_back(static_cast<Attribute>(i));
  return attributes;
}

}  // namespace sprue
