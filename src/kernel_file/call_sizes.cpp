#include "kernel_file/call_sizes.h"

#include "sprue/dtype.h"

namespace sprue {
namespace {

constexpr size_t kMostSizes = 64;  // each name is looked up among all

}  // namespace

Result<Sizes> read_sizes(const toml::table* table, const Sizes& overrides,
                         const std::string& path) {
  Sizes sizes;
  if (!table) return sizes;
  for (const TableEntry& entry : entries_in_order(*table)) {
    const auto error = [&](std::string_view text) {
      return tl::unexpected(error_at(path, entry.line, text));
    };
    if (Dtype dtype; !is_size_name(entry.name) || dtype_from_name(entry.name, dtype)) {
      return error(
          fmt::format("expected a name for the size that is an identifier of at most 64 "
                      "bytes, no dtype and no function, got {}",
                      quoted(entry.name)));
    }
    if (sizes.size() == kMostSizes) {
      return error(fmt::format("expected at most {} sizes, got more", kMostSizes));
    }
    const Result<std::optional<int64_t>> value = integer_at(*entry.node, sizes);
    if (value && !*value) {
      return error(fmt::format("expected an integer or an expression for the size {}, got {}",
                               quoted(entry.name), describe(*entry.node)));
    }
    if (const int64_t* given = find_size(overrides, entry.name)) {
      sizes.emplace_back(entry.name, *given);
      continue;
    }
    if (!value) {
      return error(fmt::format("{} (for the size {})", without_origin(value.error().message()),
                               quoted(entry.name)));
    }
    sizes.emplace_back(entry.name, **value);
  }
  return sizes;
}

}  // namespace sprue
