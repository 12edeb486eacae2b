// What a kernel is, before any call: the first stage of the pipeline
//   KernelDefinition -> Specialization -> GeneratedSource -> Binary -> Pipeline -> Launch.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "program/includes.h"
#include "sprue/kernel.h"

namespace sprue {

enum class Dialect : uint8_t { metal, cuda };

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
  int shared_memory = 0;  // bytes of CUDA's dynamic shared memory
  MathMode math = MathMode::safe;
  std::string source_file;  // shown in diagnostics; never empty
  std::string header_file;  // likewise
  std::vector<IncludedText> includes;

  bool operator==(const KernelDefinition&) const = default;
  bool is_mutable(size_t input) const;
  // Identity of the content: everything but the two file names, which only diagnostics show.
  Digest digest() const;
};

// Checks names (identifiers, no duplicates, no keywords; no attribute words in Metal), lists, sizes, and
// that the options are the dialect's. Errors name `origin` ("metal_kernel") first.
Result<KernelDefinition> make_definition(const KernelOptions& options, std::string_view origin,
                                         Dialect dialect = Dialect::metal);

// "metal", "cuda".
std::string_view dialect_name(Dialect dialect);
bool dialect_from_name(std::string_view name, Dialect& dialect);

// "safe", "relaxed", "fast".
std::string_view math_mode_name(MathMode math);
bool math_mode_from_name(std::string_view name, MathMode& math);

}  // namespace sprue
