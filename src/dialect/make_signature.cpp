#include <algorithm>

#include "dialect/generator.h"
#include "dialect/name_scan.h"
#include "dialect/signature_parts.h"
#include "dialect/spelling.h"

namespace sprue {

namespace {

constexpr std::string_view kOrigin = "metal_kernel";

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
  for (const TemplateArgument& argument : specialization.template_arguments)
    if (const Dtype* dtype = std::get_if<Dtype>(&argument.value))
      SPRUE_CHECK(check_dtype(definition, "template argument", argument.name, *dtype));
  return {};
}

}  // namespace

Result<Signature> make_signature(const KernelDefinition& definition,
                                 const Specialization& specialization) {
  SPRUE_CHECK(check_counts(definition, specialization, kOrigin));
  SPRUE_CHECK(check_template_names(definition, specialization, kOrigin));
  SPRUE_CHECK(check_dtypes(definition, specialization));

  // One pass over the body for all candidates: three slots an input, then the attributes.
  std::vector<std::string> candidates = slot_names(definition);
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
    SPRUE_CHECK(append_slots(definition, specialization, i, used, kOrigin, signature.parameters));
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
  SPRUE_CHECK(check_parameter_count(definition, signature, kOrigin));
  return signature;
}

}  // namespace sprue
