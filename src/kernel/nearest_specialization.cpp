#include "kernel/nearest_specialization.h"

#include <algorithm>
#include <vector>

namespace sprue {

namespace {

std::string input_text(const InputTraits& traits) {
  return fmt::format("{}{}", dtype_name(traits.dtype),
                     traits.is_scalar  ? " (0-d)"
                     : traits.is_small ? " (fewer than 8 elements)"
                                       : "");
}

std::string argument_text(const Specialization& specialization, size_t i) {
  if (i >= specialization.template_arguments.size()) return "nothing";
  const TemplateArgument& argument = specialization.template_arguments[i];
  return fmt::format("{}={}", argument.name, template_value_text(argument.value));
}

// One line for each part that differs: "x (float32 for float16)".
std::vector<std::string> differences(const KernelDefinition& definition,
                                     const Specialization& wanted, const Specialization& known) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < wanted.inputs.size() && i < known.inputs.size(); ++i)
    if (!(wanted.inputs[i] == known.inputs[i]))
      parts.push_back(fmt::format("{} ({} for {})", definition.input_names[i],
                                  input_text(known.inputs[i]), input_text(wanted.inputs[i])));
  for (size_t i = 0; i < wanted.outputs.size() && i < known.outputs.size(); ++i)
    if (wanted.outputs[i] != known.outputs[i])
      parts.push_back(fmt::format("{} ({} for {})", definition.output_names[i],
                                  dtype_name(known.outputs[i]), dtype_name(wanted.outputs[i])));
  const size_t arguments =
      std::max(wanted.template_arguments.size(), known.template_arguments.size());
  for (size_t i = 0; i < arguments; ++i)
    if (argument_text(wanted, i) != argument_text(known, i))
      parts.push_back(fmt::format("the template ({} for {})", argument_text(known, i),
                                  argument_text(wanted, i)));
  return parts;
}

}  // namespace

std::string describe_nearest(const KernelDefinition& definition, const Specialization& wanted,
                             std::span<const Specialization> known) {
  const Specialization* nearest = nullptr;
  std::vector<std::string> fewest;
  for (const Specialization& candidate : known) {
    auto parts = differences(definition, wanted, candidate);
    if (nearest && parts.size() >= fewest.size()) continue;
    nearest = &candidate;
    fewest = std::move(parts);
  }
  if (!nearest) return "there are none";
  return fmt::format("nearest is {}, which differs in {}", nearest->describe(definition),
                     fmt::join(fewest, ", "));
}

}  // namespace sprue
