// Exponentials and logarithms of the kernel mathematics; see math.h, which includes this file.
// Everything here is free of branches, so that a loop over an array vectorises.
#pragma once

namespace sprue_math {

// ---- Exponentials: n = round(x * log2(e)), a polynomial on the rest, then times 2^n. ----

// Adding this number rounds to an integer and leaves that integer in the low bits of the sum.
constexpr float kRoundToInteger = 12582912.0f;

constexpr float kLog2OfE = 1.44269502f;
constexpr float kLog2OfELow = 1.92596303e-8f;
constexpr float kLn2 = 0.693147182f;
// The high part has 15 bits, so its product with an exponent is exact.
constexpr float kLn2High = 0.693145752f;
constexpr float kLn2Low = 1.42860677e-6f;

// exp(r) - 1 for |r| <= ln(2) / 2.
SPRUE_MATH_INLINE float exp_minus_one_polynomial(float r) {
  // Paired terms shorten the chain of dependent operations at no cost.
  const float square = r * r;
  const float low = fma(r, 0.166665167f, 0.49999994f);
  const float high = fma(square, 0.00138350809f, fma(r, 0.00836909004f, 0.0416681059f));
  return fma(square, fma(square, high, low), r);
}

// 2^n for n in [-126, 127], where `shifted` is n + kRoundToInteger.
SPRUE_MATH_INLINE float power_of_two(float shifted) {
  return float_from_bits((float_bits(shifted) << 23) + 0x3f800000u);
}

// factor * (1 + q) * 2^n for |n| <= 250. Half of n is applied at a time, so that the intermediate
// value is normal and only the last product rounds to a denormal or overflows.
SPRUE_MATH_INLINE float scale_in_two_steps(float q, float shifted, float factor) {
  const uint32 bits = float_bits(shifted);
  const uint32 half = (bits << 22) & 0xff800000u;
  const float first = float_from_bits(half + 0x3f800000u);
  const float second = float_from_bits((bits << 23) - half + 0x3f800000u);
  return fma(q, first, first) * (second * factor);
}

// factor * exp(x). The bounds lie just beyond the last results that are neither zero nor infinity.
SPRUE_MATH_INLINE float exp_times(float x, float factor) {
  const float clamped = clamp_keeping_nan(x, -105.0f, 90.0f);
  const float shifted = fma(clamped, kLog2OfE, kRoundToInteger);
  const float n = shifted - kRoundToInteger;
  const float r = fma(n, -kLn2Low, fma(n, -kLn2High, clamped));
  return scale_in_two_steps(exp_minus_one_polynomial(r), shifted, factor);
}

// Two-part ln(2) reduction, degree 6. Max 1.04 ulp.
SPRUE_MATH_INLINE float exp(float x) { return exp_times(x, 1.0f); }

// Exact reduction, the same polynomial on r * ln(2). Max 1.03 ulp.
SPRUE_MATH_INLINE float exp2(float x) {
  const float clamped = clamp_keeping_nan(x, -151.0f, 129.0f);
  const float shifted = clamped + kRoundToInteger;
  const float r = clamped - (shifted - kRoundToInteger);
  return scale_in_two_steps(exp_minus_one_polynomial(r * kLn2), shifted, 1.0f);
}

// Two-part log10(2) reduction, the same polynomial on r * ln(10). Max 1.28 ulp.
SPRUE_MATH_INLINE float exp10(float x) {
  const float kLog2Of10 = 3.32192802f;
  const float kLog10Of2High = 0.301025391f;
  const float kLog10Of2Low = 4.60503907e-6f;
  const float kLn10 = 2.30258512f;
  const float clamped = clamp_keeping_nan(x, -46.0f, 39.0f);
  const float shifted = fma(clamped, kLog2Of10, kRoundToInteger);
  const float n = shifted - kRoundToInteger;
  const float r = fma(n, -kLog10Of2Low, fma(n, -kLog10Of2High, clamped));
  return scale_in_two_steps(exp_minus_one_polynomial(r * kLn10), shifted, 1.0f);
}

// 2^n * q + (2^n - 1), formed at half size because 2^128 is not a float. Max 1.54 ulp.
SPRUE_MATH_INLINE float expm1(float x) {
  const float clamped = clamp_keeping_nan(x, -20.0f, 89.0f);
  const float shifted = fma(clamped, kLog2OfE, kRoundToInteger);
  const float n = shifted - kRoundToInteger;
  const float r = fma(n, -kLn2Low, fma(n, -kLn2High, clamped));
  const float half_scale = power_of_two(shifted - 1.0f);
  const float half = fma(exp_minus_one_polynomial(r), half_scale, half_scale - 0.5f);
  // Halving would drop a bit of a denormal, and the sum drops the sign of a zero.
  return abs(x) < 2.98023224e-8f ? x : half + half;
}

// ---- Logarithms: x = 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). ----

struct Decomposed {
  float exponent;
  float fraction;
};

// For positive finite x; any other argument gives a harmless pair that the caller replaces. A
// choice between a constant and zero is one bitwise operation, which is why it is preferred here to
// a choice between two results.
SPRUE_MATH_INLINE Decomposed decompose(float x) {
  const uint32 kRootHalfBits = 0x3f3504f3u;
  const bool denormal = x < 1.17549435e-38f;
  // x or 2^23 * x.
  const float scaled = fma(x, denormal ? 8388607.0f : 0.0f, x);
  const uint32 offset = float_bits(scaled) - kRootHalfBits;
  const float exponent = static_cast<float>(static_cast<int>(offset) >> 23);
  const float significand = float_from_bits((offset & 0x007fffffu) + kRootHalfBits);
  return {exponent + (denormal ? -23.0f : 0.0f), significand - 1.0f};
}

// As decompose, but the exponent of zero and infinity is infinite, and then so is their logarithm.
SPRUE_MATH_INLINE Decomposed decompose_any(float x) {
  const Decomposed parts = decompose(x);
  const float below = x == 0.0f ? -infinity() : 0.0f;
  const float above = x == infinity() ? infinity() : 0.0f;
  return {parts.exponent + below + above, parts.fraction};
}

// A NaN in place of the logarithm of a negative number or a NaN.
SPRUE_MATH_INLINE float check_logarithm(float x, float result) {
  return float_from_bits(float_bits(result) | (x >= 0.0f ? 0u : ~kSignBit));
}

// log(1 + f) - f.
SPRUE_MATH_INLINE float log_correction(float f) {
  float p = 0.087594308f;
  p = fma(p, f, -0.143233702f);
  p = fma(p, f, 0.149168029f);
  p = fma(p, f, -0.165684506f);
  p = fma(p, f, 0.199619666f);
  p = fma(p, f, -0.250018269f);
  p = fma(p, f, 0.333339542f);
  p = fma(p, f, -0.499999911f);
  return f * f * p;
}

// Degree 9 in f. Max 1.21 ulp.
SPRUE_MATH_INLINE float log(float x) {
  const Decomposed parts = decompose_any(x);
  const float low = fma(parts.exponent, kLn2Low, log_correction(parts.fraction));
  return check_logarithm(x, fma(parts.exponent, kLn2High, parts.fraction + low));
}

// log(1 + f) times a two-part log2(e), so that powers of two are exact. Max 1.46 ulp.
SPRUE_MATH_INLINE float log2(float x) {
  const Decomposed parts = decompose_any(x);
  const float f = parts.fraction;
  const float low = fma(f, kLog2OfELow, log_correction(f) * kLog2OfE);
  return check_logarithm(x, parts.exponent + fma(f, kLog2OfE, low));
}

// The same with log10(e), and a two-part log10(2). Max 1.26 ulp.
SPRUE_MATH_INLINE float log10(float x) {
  const float kLog10OfE = 0.434294492f;
  const float kLog10OfELow = -1.010305e-8f;
  const float kLog10Of2High = 0.301025391f;
  const float kLog10Of2Low = 4.60503907e-6f;
  const Decomposed parts = decompose_any(x);
  const float f = parts.fraction;
  const float low = fma(f, kLog10OfELow, log_correction(f) * kLog10OfE);
  const float middle = fma(parts.exponent, kLog10Of2Low, low);
  return check_logarithm(x, fma(parts.exponent, kLog10Of2High, fma(f, kLog10OfE, middle)));
}

// The exponent e comes from 1 + x, but f = x * 2^-e + (2^-e - 1) keeps the bits of x that the sum
// drops. Max 1.77 ulp.
SPRUE_MATH_INLINE float log1p(float x) {
  const float sum = 1.0f + x;
  const Decomposed parts = decompose_any(sum);
  const uint32 exponent = float_bits(parts.exponent + kRoundToInteger) << 23;
  const float inverse_scale = float_from_bits(0x3f800000u - exponent);
  const float kept = fma(x, inverse_scale, inverse_scale - 1.0f);
  // Above 2^24 nothing is lost, and 2^-e may be too small to be a normal number.
  const float f = parts.exponent > 24.0f ? parts.fraction : kept;
  const float low = fma(parts.exponent, kLn2Low, log_correction(f));
  const float result = fma(parts.exponent, kLn2High, f + low);
  return copysign(check_logarithm(sum, result), x);
}

}  // namespace sprue_math
