// Deterministic contents for arrays: the same bits on every machine, for every dtype.
//
//   Array x = Array::empty({8, 128}, float16);
//   SPRUE_CHECK(fill_array(x, Fill::normal, /*seed=*/1));
//
// Element i depends on the seed and i alone, through a counter-based generator in integers; no
// function of the C library that rounds differently elsewhere takes part. Not for statistics or
// secrets.
//   zeros, ones   0, 1 (true)
//   uniform       floating and complex parts: [0, 1); integers: the whole range; bool: either
//   normal        floating and complex parts only: mean 0, deviation 1, within +-6 (12 uniforms)
//   arange        0, 1, 2, ...; an error where the last value is beyond the dtype's range
// 4-bit affine quantisation, w = scale * q + bias, is three arrays, which kernel files fill by the
// one name "affine_int4" (kernel_file.h):
//   affine_weights  uint32 only, as uniform: eight values q of 0 to 15 a word
//   affine_scales   floating only: [1/128, 1/64)
//   affine_biases   floating only: exactly -8 times what affine_scales gives for the dtype and seed,
//                   so that q = 8 is a weight of 0 and the weights lie in (-1/8, 7/64)
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "sprue/array.h"

namespace sprue {

enum class Fill : uint8_t {
  zeros,
  ones,
  normal,
  uniform,
  arange,
  affine_weights,
  affine_scales,
  affine_biases,
};

// What three fills are called in a kernel file; the reader tells them apart.
inline constexpr std::string_view kAffineInt4 = "affine_int4";

// False if no fill has this name or, for kAffineInt4, more than one; then `fill` is untouched.
bool fill_from_name(std::string_view name, Fill& fill);
std::string_view fill_name(Fill fill);

// An error if elements of this dtype can't be filled so (normal integers, floating weights, an
// arange that leaves the range).
Status check_fill(int64_t elements, Dtype dtype, Fill fill);
// `array` must be row-contiguous and writable.
Status fill_array(Array& array, Fill fill, uint64_t seed);

}  // namespace sprue
