#include <algorithm>
#include <set>

#include "dialect/generator.h"
#include "dialect/name_scan.h"
#include "dialect/spelling.h"
#include "program/identifier.h"

namespace sprue {

namespace {

constexpr std::string_view kOrigin = "metal_kernel";
constexpr size_t kMaximumSlots = 31;  // Metal's buffer table
constexpr std::string_view kSlotSuffixes[] = {"_shape", "_strides", "_ndim"};
constexpr ParameterKind kSlotKinds[] = {ParameterKind::shape, ParameterKind::strides,
                                        ParameterKind::ndim};
constexpr Dtype kSlotDtypes[] = {Dtype::int32, Dtype::int64, Dtype::int32};

Status check_counts(const KernelDefinition& definition, const Specialization& specialization) {
  const size_t inputs = definition.input_names.size();
  const size_t outputs = definition.output_names.size();
  if (specialization.inputs.size() != inputs)
    return fail(ErrorCode::invalid_argument, kOrigin, "expected {} inputs, got {}; kernel '{}'",
                inputs, specialization.inputs.size(), definition.name);
  if (specialization.outputs.size() != outputs)
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected {} output dtypes, got {}; kernel '{}'", outputs,
                specialization.outputs.size(), definition.name);
  return {};
}

Status check_dtype(const KernelDefinition& definition, std::string_view what, std::string_view name,
                   Dtype dtype) {
  if (dtype != Dtype::float64) return {};
  return fail(
      ErrorCode::invalid_argument, kOrigin,
      "expected a dtype that Metal has for {} '{}', got float64; Metal has no double; kernel "
      "'{}'",
      what, name, definition.name);
}

Status check_dtypes(const KernelDefinition& definition, const Specialization& specialization) {
  for (size_t i = 0; i < specialization.inputs.size(); ++i)
    SPRUE_CHECK(check_dtype(definition, "input", definition.input_names[i],
                            specialization.inputs[i].dtype));
  for (size_t i = 0; i < specialization.outputs.size(); ++i) {
    const std::string& name = definition.output_names[i];
    const Dtype dtype = specialization.outputs[i];
    SPRUE_CHECK(check_dtype(definition, "output", name, dtype));
    constexpr Dtype kAtomic[] = {Dtype::int32, Dtype::uint32, Dtype::uint64, Dtype::float32};
    if (definition.atomic_outputs &&
        std::find(std::begin(kAtomic), std::end(kAtomic), dtype) == std::end(kAtomic))
      return fail(
          ErrorCode::invalid_argument, kOrigin,
          "expected int32, uint32, uint64 or float32 for atomic output '{}', got {}; kernel "
          "'{}'",
          name, dtype_name(dtype), definition.name);
  }
  return {};
}

// A template parameter stands beside the function's parameters, so its name must differ from
// theirs.
Status check_template_arguments(const KernelDefinition& definition,
                                const Specialization& specialization) {
  auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::set<std::string_view> seen;
  for (const TemplateArgument& argument : specialization.template_arguments) {
    const std::string& name = argument.name;
    std::string_view reason;
    if (!is_identifier(name))
      reason = "letters, digits and underscores, no digit first";
    else if (is_reserved_word(name))
      reason = "that word is reserved in C++, Metal or Sprue";
    else if (is_attribute_name(name))
      reason = "Metal has a thread attribute of that name";
    else if (contains(definition.input_names, name))
      reason = "an input has that name";
    else if (contains(definition.output_names, name))
      reason = "an output has that name";
    else if (!seen.insert(name).second)
      reason = "it stands twice among the template arguments";
    if (!reason.empty())
      return fail(ErrorCode::invalid_argument, kOrigin,
                  "expected a free identifier as template name, got {}; {}; kernel '{}'",
                  shown_name(name), reason, definition.name);
    if (const Dtype* dtype = std::get_if<Dtype>(&argument.value))
      SPRUE_CHECK(check_dtype(definition, "template argument", name, *dtype));
  }
  return {};
}

// An input called `x_shape` beside an input `x` is the user's own name for the slot's place.
Status check_slot_name(const KernelDefinition& definition, const Specialization& specialization,
                       const std::string& slot, const std::string& input) {
  std::string_view taken;
  for (const std::string& name : definition.input_names)
    if (name == slot) taken = "an input";
  for (const std::string& name : definition.output_names)
    if (name == slot) taken = "an output";
  for (const TemplateArgument& argument : specialization.template_arguments)
    if (argument.name == slot) taken = "a template argument";
  if (taken.empty()) return {};
  return fail(
      ErrorCode::invalid_argument, kOrigin,
      "expected '{}' to name one thing, got {} of that name and a slot of input '{}'; rename "
      "one of them; kernel '{}'",
      slot, taken, input, definition.name);
}

}  // namespace

Result<Signature> make_signature(const KernelDefinition& definition,
                                 const Specialization& specialization) {
  SPRUE_CHECK(check_counts(definition, specialization));
  SPRUE_CHECK(check_dtypes(definition, specialization));
  SPRUE_CHECK(check_template_arguments(definition, specialization));

  // One pass over the body for all candidates: three slots an input, then the attributes.
  std::vector<std::string> candidates;
  for (const std::string& input : definition.input_names)
    for (std::string_view suffix : kSlotSuffixes) candidates.push_back(input + std::string(suffix));
  const size_t first_attribute = candidates.size();
  for (int i = 0; i < kAttributeCount; ++i)
    candidates.emplace_back(attribute_traits(static_cast<Attribute>(i)).name);
  const TokenList tokens = lex(definition.source);
  const std::vector<bool> used = scan_names(Code(tokens), candidates);

  Signature signature;
  for (size_t i = 0; i < specialization.inputs.size(); ++i) {
    const InputTraits& traits = specialization.inputs[i];
    Parameter input;
    input.kind = ParameterKind::input;
    input.name = definition.input_names[i];
    input.index = static_cast<uint32_t>(i);
    input.dtype = traits.dtype;
    input.is_scalar = traits.is_scalar;
    input.is_constant = is_constant_input(definition, specialization, i);
    input.is_mutable = definition.is_mutable(i);
    signature.parameters.push_back(input);
    if (traits.is_scalar) continue;
    for (size_t slot = 0; slot < std::size(kSlotSuffixes); ++slot) {
      if (!used[i * std::size(kSlotSuffixes) + slot]) continue;
      Parameter parameter;
      parameter.kind = kSlotKinds[slot];
      parameter.name = candidates[i * std::size(kSlotSuffixes) + slot];
      parameter.index = static_cast<uint32_t>(i);
      parameter.dtype = kSlotDtypes[slot];
      parameter.is_scalar = parameter.kind == ParameterKind::ndim;
      parameter.is_constant = true;
      SPRUE_CHECK(check_slot_name(definition, specialization, parameter.name, input.name));
      signature.parameters.push_back(parameter);
    }
  }
  for (size_t i = 0; i < specialization.outputs.size(); ++i) {
    Parameter output;
    output.kind = ParameterKind::output;
    output.name = definition.output_names[i];
    output.index = static_cast<uint32_t>(i);
    output.dtype = specialization.outputs[i];
    output.is_atomic = definition.atomic_outputs;
    signature.parameters.push_back(output);
  }
  for (size_t i = 0; i < kAttributeCount; ++i)
    if (used[first_attribute + i]) signature.attributes |= 1u << i;
  if (signature.parameters.size() > kMaximumSlots)
    return fail(
        ErrorCode::invalid_argument, kOrigin,
        "expected at most {} parameters, got {}; inputs, outputs and the shapes, strides and "
        "ndims that the body names take one each; kernel '{}'",
        kMaximumSlots, signature.parameters.size(), definition.name);
  return signature;
}

}  // namespace sprue
