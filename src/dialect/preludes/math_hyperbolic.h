// Hyperbolic functions of the kernel mathematics; see math.h, which includes this file.
#pragma once

namespace sprue_math {

// (exp(|x|) - exp(-|x|)) / 2 from 1 upwards, an odd polynomial below. Max 1.62 ulp.
SPRUE_MATH_INLINE float sinh(float x) {
  const float magnitude = abs(x);
  const float half_exp = exp_times(magnitude, 0.5f);
  const float large = half_exp - divide(0.25f, half_exp);
  const float z = magnitude * magnitude;
  float p = 2.78221364e-6f;
  p = fma(p, z, 0.000198428956f);
  p = fma(p, z, 0.00833331048f);
  p = fma(p, z, 0.166666672f);
  const float small = fma(magnitude * z, p, magnitude);
  return copysign(magnitude < 1.0f ? small : large, x);
}

// (exp(|x|) + exp(-|x|)) / 2, halved inside the scaling so that it overflows last. Max 1.47 ulp.
SPRUE_MATH_INLINE float cosh(float x) {
  const float half_exp = exp_times(abs(x), 0.5f);
  return half_exp + divide(0.25f, half_exp);
}

// expm1(2|x|) / (expm1(2|x|) + 2), both from one polynomial. Max 2.83 ulp.
SPRUE_MATH_INLINE float tanh(float x) {
  // Beyond 10 the result is 1, and 2^n must stay small enough for 2^n - 1 to matter.
  const float capped = clamp_keeping_nan(abs(x), 0.0f, 10.0f);
  const float doubled = capped + capped;
  const float shifted = fma(doubled, kLog2OfE, kRoundToInteger);
  const float n = shifted - kRoundToInteger;
  const float r = fma(n, -kLn2Low, fma(n, -kLn2High, doubled));
  const float q = exp_minus_one_polynomial(r);
  const float scale = power_of_two(shifted);
  return copysign(divide(fma(q, scale, scale - 1.0f), fma(q, scale, scale + 1.0f)), x);
}

// Above this the inverse functions are log(2x), and x * x must not overflow.
constexpr float kInverseHyperbolicLarge = 268435456.0f;

// log1p(|x| + x^2 / (1 + sqrt(1 + x^2))). Max 2.12 ulp.
SPRUE_MATH_INLINE float asinh(float x) {
  const float magnitude = abs(x);
  const bool large = magnitude > kInverseHyperbolicLarge;
  const float square = magnitude * magnitude;
  const float small = magnitude + divide(square, 1.0f + sqrt(1.0f + square));
  const float logarithm = log1p(large ? magnitude : small);
  return copysign(large ? logarithm + kLn2 : logarithm, x);
}

// log1p(t + sqrt(2t + t^2)) with t = x - 1. Max 2.41 ulp.
SPRUE_MATH_INLINE float acosh(float x) {
  const bool large = x > kInverseHyperbolicLarge;
  const float t = x - 1.0f;
  const float small = t + sqrt(fma(t, t, t + t));
  const float logarithm = log1p(large ? x : small);
  const float result = large ? logarithm + kLn2 : logarithm;
  return x < 1.0f ? not_a_number() : result;
}

// log1p(2|x| / (1 - |x|)) / 2. Max 2.46 ulp.
SPRUE_MATH_INLINE float atanh(float x) {
  const float magnitude = abs(x);
  return copysign(0.5f * log1p(divide(magnitude + magnitude, 1.0f - magnitude)), x);
}

}  // namespace sprue_math
