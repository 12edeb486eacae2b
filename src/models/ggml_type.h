// Tensor types of GGUF files: their numbers, names and blocks, and their values as floats.
//
//   const GgmlTypeTraits* traits = ggml_type_traits(3);      // Q4_1: 32 elements in 20 bytes
//   dequantize(GgmlType::q4_1, bytes, values);               // values.size() of them
//
// A tensor is a run of blocks along its innermost dimension. A value is, with half-precision d and
// m and an integer q of the block:
//   Q4_0  d * (q - 8)       q: 4 bits      Q5_0  d * (q - 16)       q: 5 bits
//   Q4_1  d * q + m         q: 4 bits      Q5_1  d * q + m          q: 5 bits
//   Q8_0  d * q             q: int8        Q6_K  d * scale * (q - 32), an int8 scale for each 16
//   Q4_K  d * scale * q - dmin * minimum, 6-bit scales and minima for each 32
// Source of the layouts: the block structures of ggml (ggml-common.h), which the GGUF format refers
// to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace sprue {

enum class GgmlType : uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q4_k = 12,
  q6_k = 14,
  bf16 = 30,
};

struct GgmlTypeTraits {
  GgmlType type;
  std::string_view name;    // "Q4_1"
  uint32_t block_elements;  // 1 for plain numbers
  uint32_t block_bytes;
};

// Null for a number that isn't in the list above.
const GgmlTypeTraits* ggml_type_traits(uint32_t number);
const GgmlTypeTraits& ggml_type_traits(GgmlType type);

// Fills `values` from blocks: F32, F16, BF16, Q8_0, Q4_1 and Q6_K; another type is an error, and so
// are sizes that don't fit. Exact where float arithmetic is: each value is computed as above, in
// float.
Status dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> values);

}  // namespace sprue
