#include "kernel_file/call_spec.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel_file/affine_int4.h"
#include "kernel_file/array_type.h"
#include "kernel_file/call_sizes.h"
#include "kernel_file/input_spec.h"
#include "kernel_file/relative_path.h"

namespace sprue {
namespace {

constexpr int64_t kLargestGrid = std::numeric_limits<int32_t>::max();  // MLX's sizes are 32-bit

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void read_size(TableReader& reader, std::string_view key, const Sizes& sizes, Size3& size) {
  reader.require(key);
  std::vector<int64_t> values;
  if (!reader.integers(key, 1, kLargestGrid, sizes, values)) return;
  if (values.empty() || values.size() > 3) {
    return reader.fail_at(reader.line(key), fmt::format("expected 1 to 3 integers for '{}', got {}",
                                                        key, values.size()));
  }
  values.resize(3, 1);
  size = {values[0], values[1], values[2]};
}

// A mutable input has no shape and dtype of its own here: they are the input's.
Result<OutputSpec> read_output(const TableEntry& entry, bool is_mutated, const Sizes& sizes,
                               const std::string& path) {
  TableReader reader(*entry.node->as_table(), path);
  OutputSpec output{.name = entry.name, .line = entry.line};
  if (is_mutated) {
    reader.require("expect");
  } else {
    read_shape_and_dtype(reader, sizes, output.shape, output.dtype);
  }
  if (reader.text("expect", output.expect)) output.expect = resolve_beside(path, output.expect);
  for (const auto& [key, tolerance] :
       {std::pair{"rtol", &output.rtol}, std::pair{"atol", &output.atol}}) {
    if (!reader.number(key, *tolerance)) continue;
    if (!(*tolerance >= 0 && std::isfinite(*tolerance))) {
      reader.fail_at(reader.line(key),
                     fmt::format("expected a finite '{}' of at least 0, got {}", key, *tolerance));
    }
    if (!reader.has("expect")) {
      reader.fail_at(reader.line(key), fmt::format("expected 'expect' beside '{}', got none", key));
    }
  }
  SPRUE_CHECK(reader.finish());
  return output;
}

// The table of each array, by name; each must be a table and one of `names`.
Result<std::vector<TableEntry>> array_tables(TableReader& reader, std::string_view key,
                                             std::string_view what,
                                             const std::vector<std::string>& names,
                                             const std::string& path) {
  const toml::table* table = reader.table(key);
  if (!table) return std::vector<TableEntry>();
  std::vector<TableEntry> entries = entries_in_order(*table);
  for (const TableEntry& entry : entries) {
    if (!contains(names, entry.name)) {
      return tl::unexpected(error_at(path, entry.line,
                                     fmt::format("expected {} ({}), got {}", what,
                                                 fmt::join(names, ", "), quoted(entry.name))));
    }
    if (!entry.node->is_table()) {
      return tl::unexpected(error_at(path, entry.line,
                                     fmt::format("expected a table for {}, got {}",
                                                 quoted(entry.name), describe(*entry.node))));
    }
  }
  return entries;
}

Status read_arrays(TableReader& reader, const KernelOptions& options, const std::string& path,
                   CallSpec& call) {
  const auto missing = [&](std::string_view kind, std::string_view name) {
    return error_at(path, call.line,
                    fmt::format("expected {} {} in {}, got none", kind, quoted(name),
                                quoted("call." + std::string(kind) + "s")));
  };
  SPRUE_ASSIGN(auto inputs,
               array_tables(reader, "inputs", "an input of the kernel", options.input_names, path));
  for (size_t i = 0; i < options.input_names.size(); ++i) {
    const TableEntry* entry = find_entry(inputs, options.input_names[i]);
    if (!entry) return tl::unexpected(missing("input", options.input_names[i]));
    SPRUE_ASSIGN(InputSpec input, read_input(*entry, i, call.sizes, path));
    call.inputs.push_back(std::move(input));
  }
  SPRUE_CHECK(assign_affine_roles(call.inputs, inputs, path));
  std::vector<std::string> written = options.output_names;
  written.insert(written.end(), options.mutable_inputs.begin(), options.mutable_inputs.end());
  SPRUE_ASSIGN(
      auto outputs,
      array_tables(reader, "outputs", "an output or mutable input of the kernel", written, path));
  for (const std::string& name : options.output_names) {
    const TableEntry* entry = find_entry(outputs, name);
    if (!entry) return tl::unexpected(missing("output", name));
    SPRUE_ASSIGN(OutputSpec output, read_output(*entry, false, call.sizes, path));
    call.outputs.push_back(std::move(output));
  }
  for (const TableEntry& entry : outputs) {
    if (contains(options.output_names, entry.name)) continue;
    SPRUE_ASSIGN(OutputSpec output, read_output(entry, true, call.sizes, path));
    call.mutated.push_back(std::move(output));
  }
  return {};
}

// A string is the name of a dtype, else an expression.
Result<TemplateValue> template_value(const TableEntry& entry, const Sizes& sizes,
                                     const std::string& path) {
  if (const auto* flag = entry.node->as_boolean()) return TemplateValue(flag->get());
  const auto* text = entry.node->as_string();
  if (Dtype dtype; text && dtype_from_name(text->get(), dtype)) return TemplateValue(dtype);
  // A misspelt dtype reads like a size.
  const bool is_unknown = text && is_size_name(text->get()) && !find_size(sizes, text->get());
  std::optional<int64_t> value;
  if (!is_unknown) {
    Result<std::optional<int64_t>> found = integer_at(*entry.node, sizes);
    if (!found) {
      return tl::unexpected(
          error_at(path, entry.line,
                   fmt::format("{} (for the template argument {})",
                               without_origin(found.error().message()), quoted(entry.name))));
    }
    value = *found;
  }
  if (value && *value >= std::numeric_limits<int>::min() &&
      *value <= std::numeric_limits<int>::max()) {
    return TemplateValue(static_cast<int>(*value));
  }
  return tl::unexpected(error_at(
      path, entry.line,
      fmt::format("expected a dtype, a 32-bit integer, a boolean or a size ({}) for the template "
                  "argument {}, got {}",
                  list_sizes(sizes), quoted(entry.name), describe(*entry.node, value))));
}

// 'bytes' or 'ops': the call's own, else the file's.
Result<std::optional<int64_t>> read_cost(TableReader& reader, std::string_view key,
                                         const toml::node* of_file, const CallSpec& call,
                                         const std::string& path) {
  const toml::node* own = reader.node(key);
  const toml::node* node = own ? own : of_file;
  if (!node || reader.failed()) return std::nullopt;
  const std::string purpose = fmt::format("'{}' of call {}", key, quoted(call.name));
  const Result<std::optional<int64_t>> value = integer_at(*node, call.sizes);
  if (!value) {
    return tl::unexpected(
        error_at(path, line_of(*node),
                 fmt::format("{} (for {})", without_origin(value.error().message()), purpose)));
  }
  if (*value && **value >= 0) return *value;
  return tl::unexpected(
      error_at(path, line_of(*node),
               fmt::format("expected an integer or an expression of at least 0 for {}, got {}",
                           purpose, describe(*node, *value))));
}

}  // namespace

Result<CallSpec> read_call(const toml::table& table, size_t number, const CallContext& file) {
  const std::string& path = file.path;
  TableReader reader(table, path);
  CallSpec call;
  call.line = reader.line();
  call.name = number == 0 ? "default" : fmt::format("call{}", number + 1);
  reader.text("name", call.name);
  SPRUE_ASSIGN(call.sizes, read_sizes(reader.table("sizes"), file.overrides, path));
  read_size(reader, "grid", call.sizes, call.grid);
  read_size(reader, "threadgroup", call.sizes, call.threadgroup);
  double init_value = 0;
  if (reader.number("init_value", init_value)) call.init_value = init_value;
  if (const toml::table* arguments = reader.table("template")) {
    for (const TableEntry& entry : entries_in_order(*arguments)) {
      SPRUE_ASSIGN(TemplateValue value, template_value(entry, call.sizes, path));
      call.template_arguments.push_back({entry.name, value});
    }
  }
  SPRUE_ASSIGN(call.bytes, read_cost(reader, "bytes", file.bytes, call, path));
  SPRUE_ASSIGN(call.ops, read_cost(reader, "ops", file.ops, call, path));
  // Asked for before finish(), which would call them unknown; read after it, for its errors come
  // first.
  reader.table("inputs");
  reader.table("outputs");
  SPRUE_CHECK(reader.finish());
  SPRUE_CHECK(read_arrays(reader, file.options, path, call));
  return call;
}

}  // namespace sprue
