#include "dialect/spelling.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace sprue {

std::string_view metal_type(Dtype dtype) {
  constexpr std::array<std::string_view, kDtypeCount> kTypes = {
      "bool",    "uint8_t", "uint16_t",  "uint32_t",   "uint64_t", "int8_t", "int16_t",
      "int32_t", "int64_t", "float16_t", "bfloat16_t", "float",    "double", "complex64_t"};
  return kTypes[static_cast<size_t>(dtype)];
}

std::string_view template_parameter_type(const TemplateValue& value) {
  if (std::holds_alternative<int>(value)) return "int";
  return std::holds_alternative<bool>(value) ? "bool" : "typename";
}

std::string template_label(const TemplateValue& value) {
  if (const int* number = std::get_if<int>(&value)) return fmt::format("{}", *number);
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  return std::string(metal_type(std::get<Dtype>(value)));
}

std::string template_expression(const TemplateValue& value, bool bool_words) {
  const int* number = std::get_if<int>(&value);
  if (number && *number == std::numeric_limits<int>::min())
    return fmt::format("({} - 1)", *number + 1);
  const bool* flag = std::get_if<bool>(&value);
  if (flag && bool_words) return *flag ? "true" : "false";
  return template_label(value);
}

bool is_constant_input(const KernelDefinition& definition, const Specialization& specialization,
                       size_t input) {
  return specialization.inputs[input].is_small && !definition.is_mutable(input);
}

}  // namespace sprue
