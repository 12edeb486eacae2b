#include "kernel_file/affine_int4.h"

namespace sprue {
namespace {

// The line of an input's key, or of the input if it has no such key.
int line_of_key(const InputSpec& input, std::string_view key,
                const std::vector<TableEntry>& entries) {
  const toml::node* node = find_entry(entries, input.name)->node->as_table()->get(key);
  return node ? line_of(*node) : input.line;
}

}  // namespace

Status assign_affine_roles(std::vector<InputSpec>& inputs, const std::vector<TableEntry>& entries,
                           const std::string& path) {
  std::vector<InputSpec*> found;
  std::vector<FilledInput*> filled;
  std::vector<std::string> names;  // quoted
  for (InputSpec& input : inputs) {
    auto* content = std::get_if<FilledInput>(&input.content);
    if (!content || content->fill != Fill::affine_weights) continue;
    found.push_back(&input);
    filled.push_back(content);
    names.push_back(quoted(input.name));
  }
  if (found.empty()) return {};
  const auto error = [&](size_t i, std::string_view key, const std::string& text) {
    return tl::unexpected(error_at(path, line_of_key(*found[i], key, entries), text));
  };
  if (found.size() != 3) {
    return error(std::min<size_t>(found.size() - 1, 3), "fill",
                 fmt::format("expected three inputs with fill '{}' (weights, scales, biases), got "
                             "{} ({})",
                             kAffineInt4, found.size(), fmt::join(names, ", ")));
  }
  FilledInput &scales = *filled[1], &biases = *filled[2];
  // What check_fill says, with the input's name.
  const std::pair<size_t, Fill> roles[] = {{0, Fill::affine_weights}, {1, Fill::affine_scales}};
  for (const auto& [i, role] : roles) {
    const Status status = check_fill(0, filled[i]->dtype, role);
    if (status) continue;
    return error(i, "dtype",
                 fmt::format("{} for {}", without_origin(status.error().message()), names[i]));
  }
  if (biases.dtype != scales.dtype || !(biases.shape == scales.shape)) {
    return error(2, biases.dtype != scales.dtype ? "dtype" : "shape",
                 fmt::format("expected {} {} for the biases {} as for the scales {}, got {} {}",
                             dtype_name(scales.dtype), to_string(scales.shape), names[2], names[1],
                             dtype_name(biases.dtype), to_string(biases.shape)));
  }
  if (find_entry(entries, found[2]->name)->node->as_table()->contains("seed")) {
    return error(
        2, "seed",
        fmt::format("expected no 'seed' for the biases {}, which are -8 times the scales {}, "
                    "got {}",
                    names[2], names[1], biases.seed));
  }
  scales.fill = Fill::affine_scales;
  biases.fill = Fill::affine_biases;
  biases.seed = scales.seed;
  return {};
}

}  // namespace sprue
