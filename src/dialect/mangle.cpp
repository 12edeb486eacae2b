#include "dialect/mangle.h"

#include "dialect/spelling.h"

namespace sprue {

std::string mangle(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  auto is_hexadecimal = [&](size_t i) {
    return i < text.size() && kDigits.find(text[i]) != std::string_view::npos;
  };
  std::string mangled;
  mangled.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    // Left alone, this underscore would read as the start of an escape.
    const bool escape_like = c == '_' && i + 1 < text.size() && text[i + 1] == 'x' &&
                             is_hexadecimal(i + 2) && is_hexadecimal(i + 3);
    if (letter || (c == '_' && !escape_like)) {
      mangled += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    mangled += "_x";
    mangled += kDigits[byte >> 4];
    mangled += kDigits[byte & 15];
  }
  return mangled;
}

namespace {

// MLX's label of a CUDA kernel: template values alone, a bool as t or f.
std::string cuda_entry_name(const KernelDefinition& definition,
                            const Specialization& specialization) {
  std::string name = "custom_kernel_" + definition.name;
  for (const TemplateArgument& argument : specialization.template_arguments) {
    const bool* flag = std::get_if<bool>(&argument.value);
    name += "_" + (flag ? (*flag ? "t" : "f") : template_label(argument.value));
  }
  return mangle(name);
}

}  // namespace

std::string entry_name(const KernelDefinition& definition, const Specialization& specialization) {
  if (definition.dialect == Dialect::cuda) return cuda_entry_name(definition, specialization);
  std::string name = "custom_kernel_" + definition.name;
  if (!specialization.template_arguments.empty()) name += '_';
  for (const TemplateArgument& argument : specialization.template_arguments)
    name += "_" + template_label(argument.value);
  for (size_t i = 0; i < specialization.inputs.size(); ++i) {
    const InputTraits& input = specialization.inputs[i];
    name += '_';
    name += metal_type(input.dtype);
    if (input.is_scalar)
      name += 's';
    else if (is_constant_input(definition, specialization, i))
      name += 'c';
  }
  for (Dtype dtype : specialization.outputs) {
    name += '_';
    name += metal_type(dtype);
  }
  return mangle(name);
}

}  // namespace sprue
