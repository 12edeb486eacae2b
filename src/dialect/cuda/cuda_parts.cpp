#include "dialect/cuda/cuda_parts.h"

#include <algorithm>

namespace sprue {

namespace {

bool is_half(Dtype dtype) { return dtype == Dtype::float16 || dtype == Dtype::bfloat16; }

bool has_half(const Specialization& specialization) {
  const auto& inputs = specialization.inputs;
  const auto& arguments = specialization.template_arguments;
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const InputTraits& input) { return is_half(input.dtype); }) ||
         std::any_of(specialization.outputs.begin(), specialization.outputs.end(), is_half) ||
         std::any_of(arguments.begin(), arguments.end(), [](const TemplateArgument& argument) {
           const Dtype* dtype = std::get_if<Dtype>(&argument.value);
           return dtype && is_half(*dtype);
         });
}

}  // namespace

std::string cuda_parts(std::span<const Code* const> texts, const Specialization& specialization) {
  bool all = false, half = has_half(specialization), calls = false;
  bool warps = false, atomics = false, groups = false;
  auto contains = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  for (const Code* code : texts)
    for (size_t i = 0; i < code->size(); ++i) {
      const std::string_view text = code->text(i);
      all |= text == "##";
      if (!code->is_identifier(i)) continue;
      half |= contains(text, "half") || contains(text, "bfloat");
      // Of the functions all begin so.
      calls |= text.starts_with("__") || text.starts_with("h") || text.starts_with("make_");
      warps |= text.ends_with("_sync") || text == "__syncwarp" || text == "__activemask";
      atomics |= text.starts_with("atomic");
      groups |= text == "cg" || text == "cooperative_groups";
    }
  std::string parts;
  if (all || half) parts += "#define SPRUE_WITH_HALF\n";
  if (all || (half && calls)) parts += "#define SPRUE_WITH_HALF_FUNCTIONS\n";
  if (all || warps || groups) parts += "#define SPRUE_WITH_WARPS\n";
  if (all || atomics) parts += "#define SPRUE_WITH_ATOMICS\n";
  if (all || groups) parts += "#define SPRUE_WITH_GROUPS\n";
  return parts;
}

}  // namespace sprue
