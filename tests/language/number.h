// Numbers as the tests see them, independent of the library under test: every dtype's bits to and
// from long double, by integer arithmetic.
//
//   encode(1.0L / 3, float16)  // 0x3555: nearest, ties to even
//   decode(0x7c01, float16)    // NaN
//   ulp(1000.0L, float16)      // 0.5
//
// long double has 64 significant bits here, so that it holds every int64, uint64 and float exactly
// and products of floats too. Not for complex64.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sprue/array.h"

namespace sprue::language {

using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64, "a Real holds every 64-bit integer");

// The value nearest to `value` that `dtype` has; integers take their value modulo 2^bits.
uint64_t encode(Real value, Dtype dtype);
Real decode(uint64_t bits, Dtype dtype);
inline Real rounded(Real value, Dtype dtype) { return decode(encode(value, dtype), dtype); }
// Distance of neighbouring values of a floating dtype around `value`, denormals included.
Real ulp(Real value, Dtype dtype);

// Rounding to one type, for references that follow a kernel step by step.
inline Real to_half(Real value) { return rounded(value, float16); }
inline Real to_bfloat(Real value) { return rounded(value, bfloat16); }
inline Real to_float(Real value) { return static_cast<float>(value); }

// Arrays from values or from bit patterns, and back.
Array make_array(Dtype dtype, const std::vector<Real>& values);
Array make_array_of_bits(Dtype dtype, const std::vector<uint64_t>& patterns);
uint64_t bits_at(const Array& array, int64_t index);
inline Real value_at(const Array& array, int64_t index) {
  return decode(bits_at(array, index), array.dtype());
}

// Reproducible values: uniform in [low, high), rounded to the dtype they go to.
std::vector<Real> uniform(int64_t count, Real low, Real high, uint64_t seed, Dtype dtype = float32);

Array random_array(const Shape& shape, Dtype dtype, uint64_t seed, Real low = -1, Real high = 1);

}  // namespace sprue::language
