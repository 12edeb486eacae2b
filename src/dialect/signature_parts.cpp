#include "dialect/signature_parts.h"

#include <algorithm>
#include <set>

#include "program/identifier.h"

namespace sprue {

namespace {

constexpr size_t kMaximumSlots = 31;  // Metal's buffer table; a launch has no more
constexpr std::string_view kSlotSuffixes[] = {"_shape", "_strides", "_ndim"};
constexpr ParameterKind kSlotKinds[] = {ParameterKind::shape, ParameterKind::strides,
                                        ParameterKind::ndim};
constexpr Dtype kSlotDtypes[] = {Dtype::int32, Dtype::int64, Dtype::int32};

// An input called `x_shape` beside an input `x` is the user's own name for the slot's place.
Status check_slot_name(const KernelDefinition& definition, const Specialization& specialization,
                       const std::string& slot, const std::string& input, std::string_view origin) {
  std::string_view taken;
  for (const std::string& name : definition.input_names)
    if (name == slot) taken = "an input";
  for (const std::string& name : definition.output_names)
    if (name == slot) taken = "an output";
  for (const TemplateArgument& argument : specialization.template_arguments)
    if (argument.name == slot) taken = "a template argument";
  if (taken.empty()) return {};
  return fail(
      ErrorCode::invalid_argument, origin,
      "expected '{}' to name one thing, got {} of that name and a slot of input '{}'; rename "
      "one of them; kernel '{}'",
      slot, taken, input, definition.name);
}

}  // namespace

Status check_counts(const KernelDefinition& definition, const Specialization& specialization,
                    std::string_view origin) {
  const size_t inputs = definition.input_names.size();
  const size_t outputs = definition.output_names.size();
  if (specialization.inputs.size() != inputs)
    return fail(ErrorCode::invalid_argument, origin, "expected {} inputs, got {}; kernel '{}'",
                inputs, specialization.inputs.size(), definition.name);
  if (specialization.outputs.size() != outputs)
    return fail(ErrorCode::invalid_argument, origin,
                "expected {} output dtypes, got {}; kernel '{}'", outputs,
                specialization.outputs.size(), definition.name);
  return {};
}

Status check_template_names(const KernelDefinition& definition,
                            const Specialization& specialization, std::string_view origin) {
  auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool is_cuda = definition.dialect == Dialect::cuda;
  std::set<std::string_view> seen;
  for (const TemplateArgument& argument : specialization.template_arguments) {
    const std::string& name = argument.name;
    std::string_view reason;
    if (!is_identifier(name))
      reason = "letters, digits and underscores, no digit first";
    else if (is_reserved_word(name))
      reason = "that word is reserved in C++, Metal or Sprue";
    else if (!is_cuda && is_attribute_name(name))
      reason = "Metal has a thread attribute of that name";
    else if (is_cuda && is_cuda_word(name))
      reason = "that word is CUDA's own";
    else if (contains(definition.input_names, name))
      reason = "an input has that name";
    else if (contains(definition.output_names, name))
      reason = "an output has that name";
    else if (!seen.insert(name).second)
      reason = "it stands twice among the template arguments";
    if (!reason.empty())
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a free identifier as template name, got {}; {}; kernel '{}'",
                  shown_name(name), reason, definition.name);
  }
  return {};
}

std::vector<std::string> slot_names(const KernelDefinition& definition) {
  std::vector<std::string> names;
  for (const std::string& input : definition.input_names)
    for (std::string_view suffix : kSlotSuffixes) names.push_back(input + std::string(suffix));
  return names;
}

Status append_slots(const KernelDefinition& definition, const Specialization& specialization,
                    size_t i, const std::vector<bool>& used, std::string_view origin,
                    std::vector<Parameter>& parameters) {
  if (specialization.inputs[i].is_scalar) return {};
  for (size_t slot = 0; slot < std::size(kSlotSuffixes); ++slot) {
    if (!used[i * std::size(kSlotSuffixes) + slot]) continue;
    const std::string& input = definition.input_names[i];
    Parameter parameter;
    parameter.kind = kSlotKinds[slot];
    parameter.name = input + std::string(kSlotSuffixes[slot]);
    parameter.index = static_cast<uint32_t>(i);
    parameter.dtype = kSlotDtypes[slot];
    parameter.is_scalar = parameter.kind == ParameterKind::ndim;
    parameter.is_constant = definition.dialect == Dialect::metal;
    SPRUE_CHECK(check_slot_name(definition, specialization, parameter.name, input, origin));
    parameters.push_back(parameter);
  }
  return {};
}

Status check_parameter_count(const KernelDefinition& definition, const Signature& signature,
                             std::string_view origin) {
  if (signature.parameters.size() <= kMaximumSlots) return {};
  return fail(ErrorCode::invalid_argument, origin,
              "expected at most {} parameters, got {}; inputs, outputs and the shapes, strides and "
              "ndims that the body names take one each; kernel '{}'",
              kMaximumSlots, signature.parameters.size(), definition.name);
}

}  // namespace sprue
