#include "kernel_file/call_spec.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel_file/relative_path.h"

namespace sprue {
namespace {

constexpr int64_t kLargestExtent = std::numeric_limits<int64_t>::max();
constexpr int64_t kLargestGrid = std::numeric_limits<int32_t>::max();  // MLX's sizes are 32-bit
constexpr size_t kMostDimensions = 32;
constexpr int64_t kMostBytes = int64_t{1} << 40;  // of one array

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void read_size(TableReader& reader, std::string_view key, Size3& size) {
  reader.require(key);
  std::vector<int64_t> values;
  if (!reader.integers(key, 1, kLargestGrid, values)) return;
  if (values.empty() || values.size() > 3) {
    return reader.fail_at(reader.line(key), fmt::format("expected 1 to 3 integers for '{}', got {}",
                                                        key, values.size()));
  }
  values.resize(3, 1);
  size = {values[0], values[1], values[2]};
}

bool read_dtype(TableReader& reader, Dtype& dtype) {
  std::string name;
  if (!reader.text("dtype", name)) return false;
  if (dtype_from_name(name, dtype)) return true;
  reader.fail_at(reader.line("dtype"),
                 fmt::format("expected a dtype such as float32 or int8, got {}", quoted(name)));
  return false;
}

// Shape and dtype, both required; refuses arrays whose size would overflow or is beyond reason.
void read_shape_and_dtype(TableReader& reader, Shape& shape, Dtype& dtype) {
  reader.require("shape");
  reader.require("dtype");
  std::vector<int64_t> extents;
  if (!reader.integers("shape", 0, kLargestExtent, extents) || !read_dtype(reader, dtype)) return;
  if (extents.size() > kMostDimensions) {
    return reader.fail_at(
        reader.line("shape"),
        fmt::format("expected at most {} dimensions, got {}", kMostDimensions, extents.size()));
  }
  // Extents of 0 count as 1 here: strides are products of the others.
  auto bytes = static_cast<int64_t>(dtype_size(dtype));
  for (const int64_t extent : extents) {
    if (!__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes) && bytes <= kMostBytes)
      continue;
    return reader.fail_at(reader.line("shape"),
                          fmt::format("expected an array of at most 2^40 bytes, got shape {}",
                                      to_string(Shape(extents))));
  }
  shape = Shape(extents);
}

void read_fill(TableReader& reader, size_t position, InputSpec& input) {
  FilledInput filled;
  read_shape_and_dtype(reader, filled.shape, filled.dtype);
  std::string name;
  if (reader.text("fill", name) && !fill_from_name(name, filled.fill)) {
    reader.fail_at(reader.line("fill"),
                   fmt::format("expected zeros, ones, normal, uniform or arange for 'fill', got {}",
                               quoted(name)));
  }
  auto seed = static_cast<int64_t>(position);
  reader.integer("seed", 0, std::numeric_limits<int64_t>::max(), seed);
  filled.seed = static_cast<uint64_t>(seed);
  if (reader.failed()) return;
  int64_t elements = 1;
  for (const int64_t extent : filled.shape) elements *= extent;
  if (Status status = check_fill(elements, filled.dtype, filled.fill); !status) {
    return reader.fail_at(reader.line("fill"), without_origin(status.error().message()));
  }
  input.content = std::move(filled);
}

template <typename T>
std::optional<Array> integer_value(int64_t value) {
  if constexpr (std::is_unsigned_v<T>) {
    if (value < 0 || static_cast<uint64_t>(value) > std::numeric_limits<T>::max()) return {};
  } else {
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return {};
  }
  return Array::scalar(static_cast<T>(value));
}

std::optional<Array> integer_value(Dtype dtype, int64_t value) {
  switch (dtype) {
    case Dtype::uint8:
      return integer_value<uint8_t>(value);
    case Dtype::uint16:
      return integer_value<uint16_t>(value);
    case Dtype::uint32:
      return integer_value<uint32_t>(value);
    case Dtype::uint64:
      return integer_value<uint64_t>(value);
    case Dtype::int8:
      return integer_value<int8_t>(value);
    case Dtype::int16:
      return integer_value<int16_t>(value);
    case Dtype::int32:
      return integer_value<int32_t>(value);
    case Dtype::int64:
      return integer_value<int64_t>(value);
    default:
      return {};
  }
}

// Rounded to the dtype; nothing where a finite value would become infinite.
std::optional<Array> floating_value(Dtype dtype, double value) {
  if (dtype == Dtype::float64) return Array::scalar(value);
  if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) return {};
  const auto narrow = static_cast<float>(value);
  switch (dtype) {
    case Dtype::float32:
      return Array::scalar(narrow);
    case Dtype::complex64:
      return Array::scalar(std::complex<float>(narrow));
    case Dtype::float16: {
      const Float16 half(narrow);
      if (std::isfinite(narrow) && !std::isfinite(float(half))) return {};
      return Array::scalar(half);
    }
    case Dtype::bfloat16: {
      const BFloat16 half(narrow);
      if (std::isfinite(narrow) && !std::isfinite(float(half))) return {};
      return Array::scalar(half);
    }
    default:
      return {};
  }
}

// { value = 3, dtype = "int32" }; without a dtype Python's rules: int32, float32, bool.
void read_value(TableReader& reader, InputSpec& input) {
  const toml::node* node = reader.node("value");
  if (!node) return;
  Dtype dtype = node->is_boolean()   ? Dtype::bool_
                : node->is_integer() ? Dtype::int32
                                     : Dtype::float32;
  if (reader.has("dtype") && !read_dtype(reader, dtype)) return;
  reader.node("dtype");
  std::optional<Array> value;
  if (const auto* boolean = node->as_boolean()) {
    if (dtype == Dtype::bool_) value = Array::scalar(boolean->get());
  } else if (dtype_is_floating(dtype) || dtype == Dtype::complex64) {
    if (node->is_integer() || node->is_floating_point()) {
      value = floating_value(dtype, *node->value<double>());
    }
  } else if (const auto* integer = node->as_integer()) {
    value = integer_value(dtype, integer->get());
  }
  if (!value) {
    return reader.fail_at(line_of(*node), fmt::format("expected a value of {} for 'value', got {}",
                                                      dtype_name(dtype), describe(*node)));
  }
  input.content = std::move(*value);
}

Result<InputSpec> read_input(const toml::table& table, int line, std::string name, size_t position,
                             const std::string& path) {
  TableReader reader(table, path);
  InputSpec input{.name = std::move(name), .line = line, .content = Array()};
  const int kinds = reader.has("fill") + reader.has("file") + reader.has("value");
  if (kinds != 1) {
    return tl::unexpected(
        error_at(path, line,
                 fmt::format("expected exactly one of 'fill', 'file' and 'value' for {}, got {}",
                             quoted(input.name), kinds)));
  }
  if (reader.has("fill")) {
    read_fill(reader, position, input);
  } else if (reader.has("value")) {
    read_value(reader, input);
  } else {
    FileInput file;
    if (reader.text("file", file.path)) file.path = resolve_beside(path, file.path);
    input.content = std::move(file);
  }
  SPRUE_CHECK(reader.finish());
  return input;
}

// A mutable input has no shape and dtype of its own here: they are the input's.
Result<OutputSpec> read_output(const toml::table& table, int line, std::string name,
                               bool is_mutated, const std::string& path) {
  TableReader reader(table, path);
  OutputSpec output{.name = std::move(name), .line = line};
  if (is_mutated) {
    reader.require("expect");
  } else {
    read_shape_and_dtype(reader, output.shape, output.dtype);
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

const TableEntry* find(const std::vector<TableEntry>& entries, std::string_view name) {
  for (const TableEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
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
    const TableEntry* entry = find(inputs, options.input_names[i]);
    if (!entry) return tl::unexpected(missing("input", options.input_names[i]));
    SPRUE_ASSIGN(InputSpec input,
                 read_input(*entry->node->as_table(), entry->line, entry->name, i, path));
    call.inputs.push_back(std::move(input));
  }
  std::vector<std::string> written = options.output_names;
  written.insert(written.end(), options.mutable_inputs.begin(), options.mutable_inputs.end());
  SPRUE_ASSIGN(
      auto outputs,
      array_tables(reader, "outputs", "an output or mutable input of the kernel", written, path));
  for (const std::string& name : options.output_names) {
    const TableEntry* entry = find(outputs, name);
    if (!entry) return tl::unexpected(missing("output", name));
    SPRUE_ASSIGN(OutputSpec output,
                 read_output(*entry->node->as_table(), entry->line, name, false, path));
    call.outputs.push_back(std::move(output));
  }
  for (const TableEntry& entry : outputs) {
    if (contains(options.output_names, entry.name)) continue;
    SPRUE_ASSIGN(OutputSpec output,
                 read_output(*entry.node->as_table(), entry.line, entry.name, true, path));
    call.mutated.push_back(std::move(output));
  }
  return {};
}

Result<TemplateValue> template_value(const TableEntry& entry, const std::string& path) {
  if (const auto* flag = entry.node->as_boolean()) return TemplateValue(flag->get());
  if (const auto* integer = entry.node->as_integer()) {
    const int64_t value = integer->get();
    if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) {
      return TemplateValue(static_cast<int>(value));
    }
  } else if (const auto* text = entry.node->as_string()) {
    Dtype dtype;
    if (dtype_from_name(text->get(), dtype)) return TemplateValue(dtype);
  }
  return tl::unexpected(error_at(
      path, entry.line,
      fmt::format("expected a dtype, a 32-bit integer or a boolean for the template argument "
                  "{}, got {}",
                  quoted(entry.name), describe(*entry.node))));
}

}  // namespace

Result<CallSpec> read_call(const toml::table& table, size_t number, const KernelOptions& options,
                           const std::string& path) {
  TableReader reader(table, path);
  CallSpec call;
  call.line = reader.line();
  call.name = number == 0 ? "default" : fmt::format("call{}", number + 1);
  reader.text("name", call.name);
  read_size(reader, "grid", call.grid);
  read_size(reader, "threadgroup", call.threadgroup);
  double init_value = 0;
  if (reader.number("init_value", init_value)) call.init_value = init_value;
  if (const toml::table* arguments = reader.table("template")) {
    for (const TableEntry& entry : entries_in_order(*arguments)) {
      SPRUE_ASSIGN(TemplateValue value, template_value(entry, path));
      call.template_arguments.push_back({entry.name, value});
    }
  }
  // Asked for before finish(), which would call them unknown; read after it, for its errors come
  // first.
  reader.table("inputs");
  reader.table("outputs");
  SPRUE_CHECK(reader.finish());
  SPRUE_CHECK(read_arrays(reader, options, path, call));
  return call;
}

}  // namespace sprue
