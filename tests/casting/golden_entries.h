// The entries of tests/data/casting/v1.casting, made by hand: the "binaries" are not code. They use
// every field of the format with a value of its own, two definitions under one name, empty sections
// included. To write the file of a new format version, run `SPRUE_WRITE_GOLDEN=1 casting_test`.
#pragma once

#include "casting/casting.h"

namespace sprue {

inline CastingEntry golden_entry(const std::string& kernel, uint64_t definition, Dtype dtype,
                                 std::string binary, std::string text) {
  CastingEntry entry;
  CastingRecord& record = entry.record;
  record.kernel_name = kernel;
  record.definition_digest = {0x0123456789abcdef, definition};
  record.math = MathMode::relaxed;
  record.ensure_row_contiguous = false;
  record.atomic_outputs = true;
  record.input_names = {"x", "weights"};
  record.output_names = {"y"};
  record.mutable_inputs = {"weights"};
  append_input(record.key, {dtype, false, false});
  append_input(record.key, {float32, true, true});
  append_output(record.key, dtype);
  append_template_argument(record.key, {"N", -3});
  append_template_argument(record.key, {"T", dtype});
  record.target = {TargetKind::cpu, "x86-64-v3", ""};
  record.options = "target=x86-64-v3 features= math=relaxed opt=default";
  record.options_digest = casting_options_digest(record.options);
  record.compiler = "clang 19.1.7";
  record.entry_name = "custom_kernel_" + kernel;
  record.signature.attributes = 1u << static_cast<int>(Attribute::thread_position_in_grid) |
                                1u << static_cast<int>(Attribute::thread_index_in_simdgroup);
  record.signature.parameters = {
      {ParameterKind::input, "x", 0, dtype, false, false, false, false},
      {ParameterKind::shape, "x_shape", 0, int32, false, true, false, false},
      {ParameterKind::strides, "x_strides", 0, int64, false, true, false, false},
      {ParameterKind::ndim, "x_ndim", 0, int32, true, true, false, false},
      {ParameterKind::input, "weights", 1, float32, true, false, true, false},
      {ParameterKind::output, "y", 0, dtype, false, false, false, true},
  };
  record.binary_digest = digest_bytes(binary);
  entry.binary_bytes = std::move(binary);
  entry.generated_text = std::move(text);
  return entry;
}

inline std::vector<CastingEntry> golden_entries() {
  return {
      golden_entry("scale", 2, float16, "binary of scale, float16", "text of scale\n"),
      golden_entry("scale", 2, bfloat16, std::string("\0\1\2\3\xff", 5), ""),
      golden_entry("scale", 1, float16, std::string(64, 'b'), "another definition of scale\n"),
      golden_entry("add", 3, float32, "", "text of add\n"),
  };
}

}  // namespace sprue
