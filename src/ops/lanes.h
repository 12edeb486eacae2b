// Eight float lanes: the vectors of native loops, as the compiler's own vector types.
//
// The fused multiply-add is explicit, so that a sum has the same bits at every optimisation level and on
// every machine; -ffp-contract=off keeps the compiler from fusing anything else. Without FMA hardware it
// is the C library's, exact and slow. Loads may be unaligned.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace sprue {

using Float8 = float __attribute__((vector_size(32)));
using UInt8 = uint32_t __attribute__((vector_size(32)));
using Int8 = int32_t __attribute__((vector_size(32)));

template <typename Vector>
inline Vector load_lanes(const void* source) {
  Vector lanes;
  std::memcpy(&lanes, source, sizeof lanes);
  return lanes;
}

inline Float8 broadcast(float value) {
  return Float8{value, value, value, value, value, value, value, value};
}

// Lanes 0..3 and 4..7.
inline Float8 lower_and_upper(float lower, float upper) {
  constexpr Int8 kLower = {-1, -1, -1, -1, 0, 0, 0, 0};
  return kLower ? broadcast(lower) : broadcast(upper);
}

// Integers below 2^31, of at most 24 significant bits: exact.
inline Float8 to_float(UInt8 integers) {
  return __builtin_convertvector(reinterpret_cast<Int8>(integers), Float8);
}

// a * b + c, rounded once.
inline Float8 fused(Float8 a, Float8 b, Float8 c) {
#if defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  for (int i = 0; i < 8; ++i) c[i] = std::fma(a[i], b[i], c[i]);
  return c;
#endif
}

// In a fixed order: halves, quarters, pair.
inline float sum_lanes(Float8 v) {
  const float a = v[0] + v[4], b = v[1] + v[5], c = v[2] + v[6], d = v[3] + v[7];
  return (a + c) + (b + d);
}

}  // namespace sprue
