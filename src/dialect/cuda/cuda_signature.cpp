#include "dialect/cuda/cuda_signature.h"

#include <fmt/format.h>

#include <array>

#include "dialect/name_scan.h"
#include "dialect/parameter_text.h"
#include "dialect/signature_parts.h"
#include "dialect/spelling.h"

namespace sprue {

Result<Signature> make_cuda_signature(const KernelDefinition& definition,
                                      const Specialization& specialization) {
  SPRUE_CHECK(check_counts(definition, specialization, kCudaOrigin));
  SPRUE_CHECK(check_template_names(definition, specialization, kCudaOrigin));
  const TokenList tokens = lex(definition.source);
  const std::vector<bool> used = scan_names(Code(tokens), slot_names(definition));

  Signature signature;
  for (size_t i = 0; i < specialization.inputs.size(); ++i) {
    Parameter input;
    input.kind = ParameterKind::input;
    input.name = definition.input_names[i];
    input.index = static_cast<uint32_t>(i);
    input.dtype = specialization.inputs[i].dtype;
    input.is_mutable = definition.is_mutable(i);
    signature.parameters.push_back(input);
    SPRUE_CHECK(
        append_slots(definition, specialization, i, used, kCudaOrigin, signature.parameters));
  }
  for (size_t i = 0; i < specialization.outputs.size(); ++i) {
    Parameter output;
    output.kind = ParameterKind::output;
    output.name = definition.output_names[i];
    output.index = static_cast<uint32_t>(i);
    output.dtype = specialization.outputs[i];
    signature.parameters.push_back(output);
  }
  SPRUE_CHECK(check_parameter_count(definition, signature, kCudaOrigin));
  return signature;
}

std::string_view cuda_type(Dtype dtype) {
  constexpr std::array<std::string_view, kDtypeCount> kTypes = {
      "bool",    "uint8_t", "uint16_t", "uint32_t",      "uint64_t", "int8_t", "int16_t",
      "int32_t", "int64_t", "__half",   "__nv_bfloat16", "float",    "double", "complex64_t"};
  return kTypes[static_cast<size_t>(dtype)];
}

std::string cuda_parameter_type(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::shape:
      return "const Shape";
    case ParameterKind::strides:
      return "const Strides";
    case ParameterKind::ndim:
      return "const int";
    case ParameterKind::input:
    case ParameterKind::output:
      break;
  }
  return fmt::format("{}{}*", is_read_only(parameter) ? "const " : "", cuda_type(parameter.dtype));
}

std::string cuda_template_lines(const Specialization& specialization) {
  std::string lines;
  for (const TemplateArgument& argument : specialization.template_arguments) {
    if (const Dtype* dtype = std::get_if<Dtype>(&argument.value))
      lines += fmt::format("  using {} = {};\n", argument.name, cuda_type(*dtype));
    else
      lines += fmt::format("  constexpr {} {} = {};\n", template_parameter_type(argument.value),
                           argument.name, template_expression(argument.value, true));
  }
  return lines;
}

}  // namespace sprue
