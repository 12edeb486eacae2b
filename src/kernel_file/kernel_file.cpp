#include "kernel_file/kernel_file.h"

#include <algorithm>

#include "base/sys.h"
#include "kernel_file/call_spec.h"
#include "kernel_file/relative_path.h"
#include "kernel_file/table_reader.h"
#include "program/definition.h"

namespace sprue {
namespace {

constexpr size_t kLargestText = size_t{16} << 20;  // bytes

Result<std::string> read_text(const ReadOptions& how, const std::string& path) {
  return how.read_text ? how.read_text(path, kLargestText) : read_file(path, kLargestText);
}

// `key` as text, or KEY_file as the path of a text. `shown` becomes the name that diagnostics use.
// Returns whether either is there.
Result<bool> read_text_or_file(TableReader& reader, const std::string& key, const std::string& path,
                               const ReadOptions& how, std::string& text, std::string& shown) {
  const std::string file_key = key + "_file";
  std::string file;
  const bool has_text = reader.text(key, text);
  const bool has_file = reader.text(file_key, file);
  if (has_text && has_file) {
    reader.fail_at(reader.line(file_key),
                   fmt::format("expected either '{}' or '{}', got both", key, file_key));
  }
  if (reader.failed()) return false;
  if (has_file) {
    shown = resolve_beside(path, file);
    Result<std::string> content = read_text(how, shown);
    if (!content) {
      return tl::unexpected(error_at(path, reader.line(file_key),
                                     without_origin(content.error().message()),
                                     content.error().code()));
    }
    text = std::move(*content);
  } else if (has_text) {
    shown = fmt::format("{}:{}", path, key);
  }
  return has_text || has_file;
}

void read_flavour(TableReader& reader, KernelFile& file) {
  KernelOptions& options = file.options;
  std::string dialect;
  if (reader.text("dialect", dialect) && !dialect_from_name(dialect, file.dialect)) {
    reader.fail_at(
        reader.line("dialect"),
        fmt::format("expected \"metal\" or \"cuda\" for 'dialect', got {}", quoted(dialect)));
  }
  int64_t shared_memory = 0;
  if (reader.integer("shared_memory", 0, INT32_MAX, shared_memory)) {
    options.shared_memory = static_cast<int>(shared_memory);
    if (file.dialect != Dialect::cuda)
      reader.fail_at(reader.line("shared_memory"),
                     "expected 'shared_memory' beside dialect = \"cuda\" only");
  }
  std::string math;
  if (reader.text("math", math) && !math_mode_from_name(math, options.math)) {
    reader.fail_at(reader.line("math"),
                   fmt::format("expected safe, relaxed or fast for 'math', got {}", quoted(math)));
  }
  reader.flag("ensure_row_contiguous", options.ensure_row_contiguous);
  reader.flag("atomic_outputs", options.atomic_outputs);
}

Status read_calls(const toml::array& tables, const CallContext& context, KernelFile& file) {
  for (size_t i = 0; i < tables.size(); ++i) {
    const toml::table* table = tables[i].as_table();
    if (!table) {
      return tl::unexpected(
          error_at(file.path, line_of(tables[i]),
                   fmt::format("expected a table for each 'call', got {}", describe(tables[i]))));
    }
    SPRUE_ASSIGN(CallSpec call, read_call(*table, i, context));
    for (const CallSpec& other : file.calls) {
      if (other.name != call.name) continue;
      return tl::unexpected(error_at(file.path, call.line,
                                     fmt::format("expected a name of its own for each call, got {} "
                                                 "again; the first is in line {}",
                                                 quoted(call.name), other.line)));
    }
    file.calls.push_back(std::move(call));
  }
  return {};
}

// Each override must have replaced something.
Status check_overrides(const KernelFile& file, const Sizes& overrides) {
  Sizes known;
  for (const CallSpec& call : file.calls) {
    for (const auto& size : call.sizes) {
      if (!find_size(known, size.first)) known.push_back(size);
    }
  }
  for (size_t i = 0; i < overrides.size(); ++i) {
    const std::string& name = overrides[i].first;
    if (!find_size(known, name)) {
      return fail(ErrorCode::invalid_argument, "kernel_file",
                  "expected a size of the calls of {} ({}), got {}", file.path, list_sizes(known),
                  quoted(name));
    }
    if (find_size(overrides, name) != &overrides[i].second) {
      return fail(ErrorCode::invalid_argument, "kernel_file",
                  "expected one value for the size {} of {}, got {} and {}", quoted(name),
                  file.path, *find_size(overrides, name), overrides[i].second);
    }
  }
  return {};
}

}  // namespace

Result<KernelFile> parse_kernel_file(std::string_view text, const std::string& path,
                                     const ReadOptions& how) {
  SPRUE_ASSIGN(const toml::table document, parse_toml(text, path));
  TableReader reader(document, path);
  KernelFile file;
  file.path = path;
  KernelOptions& options = file.options;
  reader.require("name");
  reader.text("name", options.name);
  reader.texts("inputs", options.input_names);
  reader.require("outputs");
  reader.texts("outputs", options.output_names);
  reader.texts("mutable_inputs", options.mutable_inputs);
  reader.texts("include_dirs", options.include_dirs);
  for (std::string& folder : options.include_dirs) folder = resolve_beside(path, folder);
  // Headers are read from the file system: beside the texts of another revision they would be the wrong ones.
  if (how.read_text && !options.include_dirs.empty())
    reader.fail_at(reader.line("include_dirs"),
                   "expected no 'include_dirs' where the kernel file comes from elsewhere than the "
                   "file system, such as another revision");
  read_flavour(reader, file);
  reader.text("native", file.native);
  const toml::node* bytes = reader.node("bytes");
  const toml::node* ops = reader.node("ops");
  SPRUE_ASSIGN(const bool has_source,
               read_text_or_file(reader, "source", path, how, options.source, options.source_file));
  SPRUE_ASSIGN([[maybe_unused]] const bool has_header,
               read_text_or_file(reader, "header", path, how, options.header, options.header_file));
  if (!has_source) reader.fail_at(1, "expected a key 'source' or 'source_file', got none");
  const toml::array* calls = reader.array("call");
  if (!calls || calls->empty()) reader.fail_at(1, "expected at least one [[call]], got none");
  SPRUE_CHECK(reader.finish());
  SPRUE_CHECK(read_calls(*calls, {options, path, bytes, ops, how.sizes}, file));
  SPRUE_CHECK(check_overrides(file, how.sizes));
  return file;
}

Result<KernelFile> read_kernel_file(const std::string& path, const ReadOptions& how) {
  SPRUE_ASSIGN(const std::string text, read_text(how, path));
  return parse_kernel_file(text, path, how);
}

Result<KernelDefinition> definition_of(const KernelFile& file) {
  return make_definition(
      file.options, file.dialect == Dialect::cuda ? "cuda_kernel" : "metal_kernel", file.dialect);
}

Result<const CallSpec*> find_call(const KernelFile& file, std::string_view name) {
  std::vector<std::string> names;
  for (const CallSpec& call : file.calls) {
    if (call.name == name) return &call;
    names.push_back(call.name);
  }
  return fail(ErrorCode::not_found, "kernel_file", "expected a call of {} ({}), got {}", file.path,
              fmt::join(names, ", "), quoted(name));
}

}  // namespace sprue
