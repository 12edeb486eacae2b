// What a kernel is, before any call: the first stage of the pipeline
//   KernelDefinition -> Specialization -> GeneratedSource -> Binary -> Pipeline -> Launch.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "sprue/kernel.h"

namespace sprue {

enum class Dialect : uint8_t { metal };

struct KernelDefinition {
  Dialect dialect = Dialect::metal;
  std::string name;
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;
  std::vector<std::string> mutable_inputs;
  std::string source;
  std::string header;
  bool ensure_row_contiguous = true;
  bool atomic_outputs = false;
  MathMode math = MathMode::safe;
  std::string source_file;  // shown in diagnostics; never empty
  std::string header_file;  // likewise

  bool operator==(const KernelDefinition&) const = default;
  bool is_mutable(size_t input) const;
  // Identity of the content: everything but the two file names, which only diagnostics show.
  Digest digest() const;
};

// Checks names (identifiers, no duplicates, no keywords, no attribute words), lists and sizes.
// Errors name `origin` ("metal_kernel") first.
Result<KernelDefinition> make_definition(const KernelOptions& options, std::string_view origin);

// "safe", "relaxed", "fast".
std::string_view math_mode_name(MathMode math);
bool math_mode_from_name(std::string_view name, MathMode& math);

}  // namespace sprue
