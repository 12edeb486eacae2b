// GGUF's quantised blocks as affine integers, exactly: every element keeps its value.
//
//   SPRUE_ASSIGN(QuantizedMatrix m, convert_q4_1(tensor_bytes, /*rows=*/576, /*columns=*/1536));
//
// Both formats have blocks of 32 elements along a row, rows one after another, little-endian:
//   Q4_1, 20 bytes:  <fp16 d> <fp16 m> <16 bytes>   byte j: element j low, element j + 16 high
//                    value d * q + m           -> 4 bits, scale d, bias m
//   Q8_0, 34 bytes:  <fp16 d> <32 x int8>
//                    value d * q               -> 8 bits of q + 128, scale d, bias -128 * d
// Scales and biases are float16 as they stand; float32 for the whole matrix where -128 * d of any block
// is beyond float16. Takes plain bytes, from wherever they come; nothing needs to be aligned.
// Errors: invalid_argument for columns that aren't whole blocks or bytes that aren't rows * columns.
#pragma once

#include <cstddef>
#include <span>

#include "ops/quantized_matvec/quantized_matrix.h"

namespace sprue {

Result<QuantizedMatrix> convert_q4_1(std::span<const std::byte> blocks, int64_t rows,
                                     int64_t columns);
Result<QuantizedMatrix> convert_q8_0(std::span<const std::byte> blocks, int64_t rows,
                                     int64_t columns);

}  // namespace sprue
