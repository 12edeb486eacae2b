#include "program/definition.h"

#include <algorithm>
#include <set>

#include "program/identifier.h"
#include "program/signature.h"

namespace sprue {

namespace {

constexpr size_t kMaximumNameBytes = 1000;
// Text offsets and line numbers then fit any integer that meets them.
constexpr size_t kMaximumTextBytes = 16u << 20;

constexpr std::string_view kMathModes[] = {"safe", "relaxed", "fast"};
constexpr std::string_view kDialects[] = {"metal", "cuda"};

constexpr int kMostSharedMemory = 232448;  // bytes, what a block may have on Hopper

Status check_kernel_name(const std::string& name, std::string_view origin) {
  if (name.empty())
    return fail(ErrorCode::invalid_argument, origin,
                "expected a kernel name, got an empty one; it labels errors and entry points");
  if (name.size() > kMaximumNameBytes)
    return fail(ErrorCode::invalid_argument, origin,
                "expected a kernel name of at most {} bytes, got {}; shorten {}", kMaximumNameBytes,
                name.size(), shown_name(name));
  if (name.find_first_of(std::string_view("\0\n\r", 3)) != std::string::npos)
    return fail(ErrorCode::invalid_argument, origin,
                "expected a kernel name on one line, got {}; remove line breaks and NUL bytes",
                shown_name(name));
  return {};
}

Status check_text(const std::string& text, std::string_view what, const std::string& kernel,
                  std::string_view origin) {
  if (text.size() > kMaximumTextBytes)
    return fail(ErrorCode::invalid_argument, origin,
                "expected at most {} bytes of {}, got {}; kernel {}", kMaximumTextBytes, what,
                text.size(), shown_name(kernel));
  if (size_t at = text.find('\0'); at != std::string::npos)
    return fail(ErrorCode::invalid_argument, origin,
                "expected text as {}, got a NUL byte at offset {}; kernel {}", what, at,
                shown_name(kernel));
  return {};
}

// Checks one list of parameter names; `seen` holds the names of the lists before it.
Status check_parameter_names(const std::vector<std::string>& names, std::string_view what,
                             Dialect dialect, std::set<std::string>& seen,
                             std::string_view origin) {
  for (const std::string& name : names) {
    if (!is_identifier(name))
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a C identifier as {} name, got {}; letters, digits and underscores, no "
                  "digit first",
                  what, shown_name(name));
    if (name.size() > kMaximumNameBytes)
      return fail(ErrorCode::invalid_argument, origin,
                  "expected at most {} bytes as {} name, got {}; shorten {}", kMaximumNameBytes,
                  what, name.size(), shown_name(name));
    if (is_reserved_word(name))
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a free identifier as {} name, got '{}'; that word is reserved in C++, "
                  "Metal or Sprue",
                  what, name);
    if (dialect == Dialect::cuda && is_cuda_word(name))
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a free identifier as {} name, got '{}'; that word is CUDA's own", what,
                  name);
    if (dialect == Dialect::metal && is_attribute_name(name))
      return fail(
          ErrorCode::invalid_argument, origin,
          "expected a free identifier as {} name, got '{}'; Metal has a thread attribute of "
          "that name",
          what, name);
    if (!seen.insert(name).second)
      return fail(ErrorCode::invalid_argument, origin,
                  "expected distinct input and output names, got '{}' twice; rename one of them",
                  name);
  }
  return {};
}

Status check_mutable_inputs(const KernelOptions& options, std::string_view origin) {
  std::set<std::string> seen;
  for (const std::string& name : options.mutable_inputs) {
    const auto& inputs = options.input_names;
    if (std::find(inputs.begin(), inputs.end(), name) == inputs.end())
      return fail(ErrorCode::invalid_argument, origin,
                  "expected the name of an input as mutable input, got {}; inputs: {}",
                  shown_name(name), fmt::join(inputs, ", "));
    if (!seen.insert(name).second)
      return fail(ErrorCode::invalid_argument, origin,
                  "expected distinct mutable inputs, got '{}' twice; name it once", name);
  }
  return {};
}

// What one dialect has and the other lacks.
Status check_dialect_options(const KernelOptions& options, Dialect dialect,
                             std::string_view origin) {
  if (dialect == Dialect::metal && options.shared_memory != 0)
    return fail(ErrorCode::invalid_argument, origin,
                "expected no shared_memory for a Metal kernel, got {} for {}; Metal's threadgroup "
                "memory is declared in the body",
                options.shared_memory, shown_name(options.name));
  if (options.shared_memory < 0 || options.shared_memory > kMostSharedMemory)
    return fail(ErrorCode::invalid_argument, origin,
                "expected 0 to {} bytes of shared_memory, got {} for {}", kMostSharedMemory,
                options.shared_memory, shown_name(options.name));
  if (dialect == Dialect::cuda && options.atomic_outputs)
    return fail(ErrorCode::invalid_argument, origin,
                "expected no atomic_outputs for a CUDA kernel, got them for {}; CUDA's atomics "
                "take plain pointers",
                shown_name(options.name));
  return {};
}

void hash_list(Hasher& hasher, std::string_view label, const std::vector<std::string>& list) {
  hasher.field(label, list.size());
  for (const std::string& item : list) hasher.field("item", item);
}

}  // namespace

bool KernelDefinition::is_mutable(size_t input) const {
  return std::find(mutable_inputs.begin(), mutable_inputs.end(), input_names[input]) !=
         mutable_inputs.end();
}

Digest KernelDefinition::digest() const {
  Hasher hasher;
  hasher.field("dialect", static_cast<uint64_t>(dialect)).field("name", name);
  hash_list(hasher, "inputs", input_names);
  hash_list(hasher, "outputs", output_names);
  hash_list(hasher, "mutable", mutable_inputs);
  hasher.field("source", source)
      .field("header", header)
      .field("row_contiguous", uint64_t{ensure_row_contiguous})
      .field("atomic_outputs", uint64_t{atomic_outputs})
      .field("math", static_cast<uint64_t>(math));
  if (dialect == Dialect::cuda) hasher.field("shared_memory", static_cast<uint64_t>(shared_memory));
  if (!includes.empty()) hasher.field("includes", includes.size());
  for (const IncludedText& included : includes)
    hasher.field("name", included.name).field("text", included.text);
  return hasher.digest();
}

Result<KernelDefinition> make_definition(const KernelOptions& options, std::string_view origin,
                                         Dialect dialect) {
  SPRUE_CHECK(check_kernel_name(options.name, origin));
  std::set<std::string> seen;
  SPRUE_CHECK(check_parameter_names(options.input_names, "input", dialect, seen, origin));
  SPRUE_CHECK(check_parameter_names(options.output_names, "output", dialect, seen, origin));
  if (options.output_names.empty())
    return fail(ErrorCode::invalid_argument, origin,
                "expected at least one output name, got none; kernel {}", shown_name(options.name));
  SPRUE_CHECK(check_mutable_inputs(options, origin));
  SPRUE_CHECK(check_text(options.source, "source", options.name, origin));
  SPRUE_CHECK(check_text(options.header, "header", options.name, origin));
  if (static_cast<size_t>(options.math) >= std::size(kMathModes))
    return fail(ErrorCode::invalid_argument, origin,
                "expected a math mode, got number {}; known: safe, relaxed, fast",
                static_cast<int>(options.math));
  if (options.optimization > Optimization::fast)
    return fail(ErrorCode::invalid_argument, origin,
                "expected an optimisation, got number {}; known: default, fast",
                static_cast<int>(options.optimization));
  SPRUE_CHECK(check_dialect_options(options, dialect, origin));

  KernelDefinition definition;
  SPRUE_ASSIGN(definition.includes,
               read_includes({options.header, options.source}, options.include_dirs, origin));
  definition.dialect = dialect;
  definition.name = options.name;
  definition.input_names = options.input_names;
  definition.output_names = options.output_names;
  definition.mutable_inputs = options.mutable_inputs;
  definition.source = options.source;
  definition.header = options.header;
  definition.ensure_row_contiguous = options.ensure_row_contiguous;
  definition.atomic_outputs = options.atomic_outputs;
  definition.math = options.math;
  definition.shared_memory = options.shared_memory;
  const std::string_view extension = dialect == Dialect::cuda ? ".cu" : ".metal";
  definition.source_file = options.source_file.empty()
                               ? fmt::format("{}{}", options.name, extension)
                               : options.source_file;
  definition.header_file = options.header_file.empty()
                               ? fmt::format("{}.header{}", options.name, extension)
                               : options.header_file;
  // One name for both would make one text of them, for whoever looks a line up.
  if (definition.header_file == definition.source_file) definition.header_file += " (header)";
  return definition;
}

std::string_view dialect_name(Dialect dialect) {
  const auto index = static_cast<size_t>(dialect);
  return index < std::size(kDialects) ? kDialects[index] : "unknown";
}

bool dialect_from_name(std::string_view name, Dialect& dialect) {
  for (size_t i = 0; i < std::size(kDialects); ++i) {
    if (kDialects[i] != name) continue;
    dialect = static_cast<Dialect>(i);
    return true;
  }
  return false;
}

std::string_view math_mode_name(MathMode math) {
  const auto index = static_cast<size_t>(math);
  return index < std::size(kMathModes) ? kMathModes[index] : "unknown";
}

bool math_mode_from_name(std::string_view name, MathMode& math) {
  for (size_t i = 0; i < std::size(kMathModes); ++i) {
    if (kMathModes[i] != name) continue;
    math = static_cast<MathMode>(i);
    return true;
  }
  return false;
}

}  // namespace sprue
