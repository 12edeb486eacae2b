// Scalar float mathematics for compiled kernels: one source text for every device.
//
// The text is compiled by clang for processor kernels, by NVRTC for CUDA kernels and by the host
// compiler for native loops. It includes no other header and calls no mathematics library, so a
// kernel gives the same bits on each of them (except for the sign and payload of a NaN).
//
// That holds only with value-preserving compilation: contraction off (-ffp-contract=off,
// --fmad=false), denormals kept (--ftz=false), no reassociation. Every fused operation is spelled
// out as fma(). Rounding is to nearest even; floating-point exception flags and errno mean nothing.
//
// It is not a replacement for <cmath>: there is no double precision, no remainder and no gamma or
// error function, and it is not meant for code that can afford a correctly rounded library.
//
// Largest error over all floats, denormals included, in units in the last place (0.50 is correctly
// rounded; functions that are exact are left out):
//
//   sqrt rsqrt divide fma  0.50    sin cos sincos     2.10    sinh               1.62
//   exp                    1.04    tan                3.83    cosh               1.47
//   exp2                   1.03    sinpi              2.10    tanh               2.83
//   exp10                  1.28    cospi              2.10    asinh              2.12
//   expm1                  1.54    tanpi              3.72    acosh              2.41
//   log                    1.21    asin               2.36    atanh              2.46
//   log2                   1.46    acos               1.12    pow powr           5.96
//   log10                  1.26    atan               1.38
//   log1p                  1.77    atan2              1.53
//
// The figures for atan2, pow and powr come from 6 * 10^7 or more pairs, the others from all floats.
#pragma once

#if defined(__CUDACC_RTC__)
#define SPRUE_MATH_DEVICE_COMPILER 1
#else
#define SPRUE_MATH_DEVICE_COMPILER 0
#endif

#ifndef SPRUE_MATH_INLINE
#if SPRUE_MATH_DEVICE_COMPILER
#define SPRUE_MATH_INLINE static __device__ __forceinline__
#else
#define SPRUE_MATH_INLINE static inline __attribute__((always_inline))
#endif
#endif

#ifndef SPRUE_MATH_TABLE
#if SPRUE_MATH_DEVICE_COMPILER
#define SPRUE_MATH_TABLE static __device__ const
#else
#define SPRUE_MATH_TABLE static const
#endif
#endif

// A constant in double. Kernel text is compiled with plain constants as floats, for Metal has no
// double; the digits are such that rounding by way of long double gives the same double.
#ifndef SPRUE_MATH_DOUBLE
#if SPRUE_MATH_DEVICE_COMPILER
#define SPRUE_MATH_DOUBLE(digits) digits
#else
#define SPRUE_MATH_DOUBLE(digits) static_cast<double>(digits##L)
#endif
#endif

namespace sprue_math {

// ---- Machine: the only section that names compiler builtins. ----

using uint32 = unsigned int;
using uint64 = unsigned long long;

#if SPRUE_MATH_DEVICE_COMPILER
SPRUE_MATH_INLINE uint32 float_bits(float x) { return __float_as_uint(x); }
SPRUE_MATH_INLINE float float_from_bits(uint32 bits) { return __uint_as_float(bits); }
SPRUE_MATH_INLINE uint64 double_bits(double x) {
  return static_cast<uint64>(__double_as_longlong(x));
}
SPRUE_MATH_INLINE double double_from_bits(uint64 bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
SPRUE_MATH_INLINE float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
SPRUE_MATH_INLINE double fma_double(double a, double b, double c) { return __fma_rn(a, b, c); }
SPRUE_MATH_INLINE float sqrt(float x) { return __fsqrt_rn(x); }
SPRUE_MATH_INLINE float divide(float x, float y) { return __fdiv_rn(x, y); }
SPRUE_MATH_INLINE float rint(float x) { return ::rintf(x); }
SPRUE_MATH_INLINE float floor(float x) { return ::floorf(x); }
SPRUE_MATH_INLINE float ceil(float x) { return ::ceilf(x); }
SPRUE_MATH_INLINE float trunc(float x) { return ::truncf(x); }
#else
SPRUE_MATH_INLINE uint32 float_bits(float x) {
  uint32 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
SPRUE_MATH_INLINE float float_from_bits(uint32 bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}
SPRUE_MATH_INLINE uint64 double_bits(double x) {
  uint64 bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}
SPRUE_MATH_INLINE double double_from_bits(uint64 bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}
SPRUE_MATH_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
SPRUE_MATH_INLINE double fma_double(double a, double b, double c) { return __builtin_fma(a, b, c); }
#if defined(__clang__)
// Unlike __builtin_sqrtf this one never sets errno, so it vectorises under every option.
SPRUE_MATH_INLINE float sqrt(float x) { return __builtin_elementwise_sqrt(x); }
#else
SPRUE_MATH_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
#endif
SPRUE_MATH_INLINE float divide(float x, float y) { return x / y; }
SPRUE_MATH_INLINE float rint(float x) { return __builtin_rintf(x); }
SPRUE_MATH_INLINE float floor(float x) { return __builtin_floorf(x); }
SPRUE_MATH_INLINE float ceil(float x) { return __builtin_ceilf(x); }
SPRUE_MATH_INLINE float trunc(float x) { return __builtin_truncf(x); }
#endif

// ---- Classification: integer tests, which survive options that assume finite numbers. ----

constexpr uint32 kSignBit = 0x80000000u;
constexpr uint32 kInfinityBits = 0x7f800000u;
constexpr uint32 kSmallestNormalBits = 0x00800000u;

SPRUE_MATH_INLINE float infinity() { return float_from_bits(kInfinityBits); }
SPRUE_MATH_INLINE float not_a_number() { return float_from_bits(0x7fc00000u); }
SPRUE_MATH_INLINE uint32 magnitude_bits(float x) { return float_bits(x) & ~kSignBit; }
SPRUE_MATH_INLINE uint32 sign_bits(float x) { return float_bits(x) & kSignBit; }
SPRUE_MATH_INLINE float flip_sign(float x, uint32 sign) {
  return float_from_bits(float_bits(x) ^ sign);
}

SPRUE_MATH_INLINE bool isnan(float x) { return magnitude_bits(x) > kInfinityBits; }
SPRUE_MATH_INLINE bool isinf(float x) { return magnitude_bits(x) == kInfinityBits; }
SPRUE_MATH_INLINE bool isfinite(float x) { return magnitude_bits(x) < kInfinityBits; }
SPRUE_MATH_INLINE bool isnormal(float x) {
  return magnitude_bits(x) - kSmallestNormalBits < kInfinityBits - kSmallestNormalBits;
}
SPRUE_MATH_INLINE bool signbit(float x) { return sign_bits(x) != 0; }
SPRUE_MATH_INLINE float abs(float x) { return float_from_bits(magnitude_bits(x)); }
SPRUE_MATH_INLINE float copysign(float magnitude, float sign) {
  return float_from_bits(magnitude_bits(magnitude) | sign_bits(sign));
}

// Passes a NaN through: the comparisons are ordered so that each is one min or max instruction.
SPRUE_MATH_INLINE float clamp_keeping_nan(float x, float low, float high) {
  const float capped = high < x ? high : x;
  return low > capped ? low : capped;
}

// ---- Comparison and rounding: all exact. ----

SPRUE_MATH_INLINE float fmin(float x, float y) { return (isnan(x) || y < x) ? y : x; }
SPRUE_MATH_INLINE float fmax(float x, float y) { return (isnan(x) || y > x) ? y : x; }
SPRUE_MATH_INLINE float fdim(float x, float y) { return x <= y ? 0.0f : x - y; }

// 1, 0 or -1, keeping the sign of a zero; a NaN gives 0.
SPRUE_MATH_INLINE float sign(float x) {
  const float zero = isnan(x) ? 0.0f : x;
  return x > 0.0f ? 1.0f : (x < 0.0f ? -1.0f : zero);
}

// Half away from zero. Adding 0.5 itself would carry 0.49999997 up to 1.
SPRUE_MATH_INLINE float round(float x) { return trunc(x + copysign(0.49999997f, x)); }

// In [0, 1). A tiny negative argument would otherwise round up to 1.
SPRUE_MATH_INLINE float fract(float x) {
  const float kBelowOne = 0.99999994f;
  const float fraction = x - floor(x);
  return kBelowOne < fraction ? kBelowOne : fraction;
}

SPRUE_MATH_INLINE float modf(float x, float& integral) {
  integral = trunc(x);
  const float fraction = isinf(x) ? 0.0f : x - integral;
  return copysign(fraction, x);
}

// ---- Exponent and neighbour access: all exact (ldexp rounds once). ----

// One double product is exact, so only the conversion rounds, also for a denormal result.
SPRUE_MATH_INLINE float ldexp(float x, int exponent) {
  const int kLimit = 300;
  const int low = exponent < -kLimit ? -kLimit : exponent;
  const int clamped = low > kLimit ? kLimit : low;
  const double power = double_from_bits(static_cast<uint64>(clamped + 1023) << 52);
  return static_cast<float>(static_cast<double>(x) * power);
}

// Fraction in [0.5, 1); zero, infinity and NaN come back with exponent 0.
SPRUE_MATH_INLINE float frexp(float x, int& exponent) {
  const bool denormal = magnitude_bits(x) < kSmallestNormalBits;
  const uint32 bits = float_bits(denormal ? x * 8388608.0f : x);
  const int biased = static_cast<int>((bits & kInfinityBits) >> 23);
  const bool special = x == 0.0f || !isfinite(x);
  exponent = special ? 0 : biased - 126 - (denormal ? 23 : 0);
  return special ? x : float_from_bits((bits & ~kInfinityBits) | 0x3f000000u);
}

// Zero and NaN give the smallest int, infinity the largest, as the common C libraries do.
SPRUE_MATH_INLINE int ilogb(float x) {
  int exponent = 0;
  frexp(x, exponent);
  const int kSmallest = -2147483647 - 1;
  const int special = isinf(x) ? 2147483647 : kSmallest;
  return (x == 0.0f || !isfinite(x)) ? special : exponent - 1;
}

SPRUE_MATH_INLINE float nextafter(float from, float to) {
  const bool away_from_zero = (from < to) == (from > 0.0f);
  const float step =
      float_from_bits(away_from_zero ? float_bits(from) + 1u : float_bits(from) - 1u);
  const float moved = from == 0.0f ? float_from_bits(sign_bits(to) | 1u) : step;
  return (isnan(from) || isnan(to)) ? from + to : (from == to ? to : moved);
}

// ---- Reciprocal square root and floating-point remainder. ----

// Two rounded operations, then one Newton step whose residual 1 - x*y*y is formed from exact
// products. Correctly rounded. With a half in place of kAlmostHalf one significand would not be:
// its true value is 2^-52 below a rounding boundary. No value is that close above one.
SPRUE_MATH_INLINE float rsqrt(float x) {
  const float kAlmostHalf = 0.49999997f;
  const float estimate = divide(1.0f, sqrt(x));
  const float product = x * estimate;
  const float product_error = fma(x, estimate, -product);
  const float residual = fma(-product_error, estimate, fma(-product, estimate, 1.0f));
  const float refined = fma(estimate, residual * kAlmostHalf, estimate);
  // A zero or infinite argument already has its result, and the residual would be a NaN.
  return (x == 0.0f || x == infinity()) ? estimate : refined;
}

// Exact. Long division of the significands, 40 quotient bits at a time.
SPRUE_MATH_INLINE float fmod(float x, float y) {
  const uint32 numerator = magnitude_bits(x);
  const uint32 denominator = magnitude_bits(y);
  if (numerator >= kInfinityBits || denominator > kInfinityBits || denominator == 0) {
    return not_a_number();
  }
  if (numerator < denominator) return x;
  const int numerator_field = static_cast<int>(numerator >> 23);
  const int denominator_field = static_cast<int>(denominator >> 23);
  const uint32 kSignificand = kSmallestNormalBits - 1;
  uint64 remainder = (numerator & kSignificand) | (numerator_field != 0 ? kSmallestNormalBits : 0u);
  const uint64 divisor =
      (denominator & kSignificand) | (denominator_field != 0 ? kSmallestNormalBits : 0u);
  // A denormal has the scale of field 1.
  const int denominator_scale = denominator_field == 0 ? 1 : denominator_field;
  int shift = (numerator_field == 0 ? 1 : numerator_field) - denominator_scale;
  while (shift > 40) {
    remainder = (remainder << 40) % divisor;
    shift -= 40;
  }
  remainder = (remainder << shift) % divisor;
  return copysign(ldexp(static_cast<float>(remainder), denominator_scale - 150), x);
}

}  // namespace sprue_math

// Of the time that NVRTC takes for a small kernel a fifth went to these: its text says if it needs them.
#if !SPRUE_MATH_DEVICE_COMPILER || defined(SPRUE_WITH_ELEMENTARY)
#include "math_exponential.h"
#include "math_hyperbolic.h"
#include "math_power.h"
#include "math_trigonometry.h"
#endif
