#include "kernel_file/input_spec.h"

#include <limits>

#include "kernel_file/affine_int4.h"
#include "kernel_file/array_type.h"
#include "kernel_file/relative_path.h"
#include "kernel_file/scalar_value.h"

namespace sprue {
namespace {

void read_fill(TableReader& reader, size_t position, const Sizes& sizes, InputSpec& input) {
  FilledInput filled;
  read_shape_and_dtype(reader, sizes, filled.shape, filled.dtype);
  std::string name;
  const bool has_fill = reader.text("fill", name);
  if (has_fill && name == kAffineInt4) {
    filled.fill = Fill::affine_weights;  // until assign_affine_roles knows its role
  } else if (has_fill && !fill_from_name(name, filled.fill)) {
    reader.fail_at(reader.line("fill"),
                   fmt::format("expected zeros, ones, normal, uniform, arange or {} for 'fill', "
                               "got {}",
                               kAffineInt4, quoted(name)));
  }
  auto seed = static_cast<int64_t>(position);
  reader.integer("seed", 0, std::numeric_limits<int64_t>::max(), seed);
  filled.seed = static_cast<uint64_t>(seed);
  if (reader.failed()) return;
  int64_t elements = 1;
  for (const int64_t extent : filled.shape) elements *= extent;
  const Status status = name == kAffineInt4 ? Status()  // its role isn't known here
                                            : check_fill(elements, filled.dtype, filled.fill);
  if (!status) return reader.fail_at(reader.line("fill"), without_origin(status.error().message()));
  input.content = std::move(filled);
}

}  // namespace

Result<InputSpec> read_input(const TableEntry& entry, size_t position, const Sizes& sizes,
                             const std::string& path) {
  TableReader reader(*entry.node->as_table(), path);
  InputSpec input{.name = entry.name, .line = entry.line, .content = Array()};
  const int kinds = reader.has("fill") + reader.has("file") + reader.has("value");
  if (kinds != 1) {
    return tl::unexpected(
        error_at(path, input.line,
                 fmt::format("expected exactly one of 'fill', 'file' and 'value' for {}, got {}",
                             quoted(input.name), kinds)));
  }
  if (reader.has("fill")) {
    read_fill(reader, position, sizes, input);
  } else if (reader.has("value")) {
    if (std::optional<Array> value = read_value(reader, sizes)) input.content = std::move(*value);
  } else {
    FileInput file;
    if (reader.text("file", file.path)) file.path = resolve_beside(path, file.path);
    input.content = std::move(file);
  }
  SPRUE_CHECK(reader.finish());
  return input;
}

}  // namespace sprue
