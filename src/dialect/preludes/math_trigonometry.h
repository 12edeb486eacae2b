// Trigonometry of the kernel mathematics; see math.h, which includes this file.
// Everything here is free of branches, so that a loop over an array vectorises.
#pragma once

namespace sprue_math {

// ---- Argument reduction: x / pi = n + r with |r| <= 1/2. ----

// 1/pi for a range of 16 exponents, as a sum of two doubles. From the second row on, every argument
// of the row is a multiple of some power of two, so what would only add even numbers to the
// quotient has been taken out of the factor. The rest is so small that a fused product with the
// high part, less its nearest integer, is exact, and the low part supplies 52 more bits.
SPRUE_MATH_TABLE double kReciprocalPiHigh[7] = {
    SPRUE_MATH_DOUBLE(0.31830988618379069),     SPRUE_MATH_DOUBLE(-4.9488816209328516e-05),
    SPRUE_MATH_DOUBLE(1.284127663345183e-08),   SPRUE_MATH_DOUBLE(1.2093911985623561e-13),
    SPRUE_MATH_DOUBLE(1.1380050365391985e-18),  SPRUE_MATH_DOUBLE(1.6271903045673365e-23),
    SPRUE_MATH_DOUBLE(-2.9056689322530838e-28),
};
SPRUE_MATH_TABLE double kReciprocalPiLow[7] = {
    SPRUE_MATH_DOUBLE(-1.9678676675182486e-17), SPRUE_MATH_DOUBLE(5.3802864053693746e-20),
    SPRUE_MATH_DOUBLE(-2.7170920538718753e-25), SPRUE_MATH_DOUBLE(1.2355694379560215e-29),
    SPRUE_MATH_DOUBLE(-3.0177165053440597e-34), SPRUE_MATH_DOUBLE(1.2592086916704748e-39),
    SPRUE_MATH_DOUBLE(5.7943566767140717e-44),
};

struct HalfTurns {
  double remainder;
  uint32 parity_sign;
};

// For x >= 0. The remainder may exceed 1/2 by 2^-13. Its error is below 2^-60, small against the
// closest that any float comes to a multiple of pi/2.
SPRUE_MATH_INLINE HalfTurns reduce_to_half_turns(float x) {
  // As kRoundToInteger, for double.
  const double kRoundDouble = SPRUE_MATH_DOUBLE(6755399441055744.0);
  // The first row serves everything below 2^33.
  const uint32 kFirstRow = 9;
  const uint32 bits = float_bits(x);
  const uint32 clamped = bits < (kFirstRow << 27) ? (kFirstRow << 27) : bits;
  const uint64 row = static_cast<uint64>(clamped >> 27) - kFirstRow;
  const double value = static_cast<double>(x);
  const double high = kReciprocalPiHigh[row];
  const double shifted = fma_double(value, high, kRoundDouble);
  const double rest = fma_double(value, high, kRoundDouble - shifted);
  const double remainder = fma_double(value, kReciprocalPiLow[row], rest);
  return {remainder, static_cast<uint32>(double_bits(shifted)) << 31};
}

// ---- Kernels. ----

// sin(y) for |y| <= pi/2, odd, degree 9.
SPRUE_MATH_INLINE float sin_polynomial(float y) {
  const float z = y * y;
  float p = 2.60609772e-6f;
  p = fma(p, z, -0.000198097769f);
  p = fma(p, z, 0.00833306927f);
  p = fma(p, z, -0.166666597f);
  return fma(y * z, p, y);
}

// sin(pi * r). The product is formed in double so that a tiny argument comes back unchanged.
SPRUE_MATH_INLINE float sin_of_half_turns(double r) {
  const double kPi = SPRUE_MATH_DOUBLE(3.1415926535897931);
  return sin_polynomial(static_cast<float>(r * kPi));
}

// cos(pi * r) for |r| <= 1/2, never negative. Accurate near its zeros, as 1/2 - |r| is exact there.
SPRUE_MATH_INLINE float cos_of_half_turns(double r) {
  return sin_of_half_turns(0.5 - (r < 0.0 ? -r : r));
}

// ---- Radians. ----

// One polynomial over a half turn, the sign from the count of half turns. Max 2.10 ulp.
SPRUE_MATH_INLINE float sin(float x) {
  const HalfTurns turns = reduce_to_half_turns(abs(x));
  return flip_sign(sin_of_half_turns(turns.remainder), turns.parity_sign ^ sign_bits(x));
}

// As sin, a quarter turn further. Max 2.10 ulp.
SPRUE_MATH_INLINE float cos(float x) {
  const HalfTurns turns = reduce_to_half_turns(abs(x));
  return flip_sign(cos_of_half_turns(turns.remainder), turns.parity_sign);
}

// The sine, and the cosine by reference: equal to sin(x) and cos(x).
SPRUE_MATH_INLINE float sincos(float x, float& cosine) {
  const HalfTurns turns = reduce_to_half_turns(abs(x));
  cosine = flip_sign(cos_of_half_turns(turns.remainder), turns.parity_sign);
  return flip_sign(sin_of_half_turns(turns.remainder), turns.parity_sign ^ sign_bits(x));
}

// Sine over cosine; the count of half turns cancels. Max 3.83 ulp.
SPRUE_MATH_INLINE float tan(float x) {
  const double r = reduce_to_half_turns(abs(x)).remainder;
  return flip_sign(divide(sin_of_half_turns(r), cos_of_half_turns(r)), sign_bits(x));
}

// ---- Half turns. ----

struct ExactHalfTurns {
  float remainder;
  uint32 parity_sign;
};

// For x >= 0; exact.
SPRUE_MATH_INLINE ExactHalfTurns split_half_turns(float x) {
  const float count = rint(x);
  const float half = count * 0.5f;
  return {x - count, floor(half) != half ? kSignBit : 0u};
}

// sin(pi * x); a zero has the sign of x. Max 2.10 ulp.
SPRUE_MATH_INLINE float sinpi(float x) {
  const ExactHalfTurns turns = split_half_turns(abs(x));
  const uint32 parity_sign = turns.remainder == 0.0f ? 0u : turns.parity_sign;
  return flip_sign(sin_of_half_turns(turns.remainder), parity_sign ^ sign_bits(x));
}

// cos(pi * x); a zero is positive. Max 2.10 ulp.
SPRUE_MATH_INLINE float cospi(float x) {
  const ExactHalfTurns turns = split_half_turns(abs(x));
  const uint32 parity_sign = abs(turns.remainder) == 0.5f ? 0u : turns.parity_sign;
  return flip_sign(cos_of_half_turns(turns.remainder), parity_sign);
}

// tan(pi * x). Max 3.72 ulp.
SPRUE_MATH_INLINE float tanpi(float x) {
  const double r = split_half_turns(abs(x)).remainder;
  return flip_sign(divide(sin_of_half_turns(r), cos_of_half_turns(r)), sign_bits(x));
}

// ---- Inverse functions. ----

constexpr float kHalfPi = 1.57079637f;
constexpr float kHalfPiLow = -4.37113883e-8f;
constexpr float kPi = 3.14159274f;
constexpr float kPiLow = -8.74227766e-8f;

// asin(s) for s = sqrt(z) <= 1/2.
SPRUE_MATH_INLINE float asin_polynomial(float s, float z) {
  float p = 0.0421581678f;
  p = fma(p, z, 0.0241848435f);
  p = fma(p, z, 0.0454691425f);
  p = fma(p, z, 0.0749530941f);
  p = fma(p, z, 0.166667521f);
  return fma(s * z, p, s);
}

// Above 1/2, pi/2 - 2 * asin(sqrt((1 - x) / 2)). Max 2.36 ulp.
SPRUE_MATH_INLINE float asin(float x) {
  const float magnitude = abs(x);
  const bool large = magnitude > 0.5f;
  const float z = large ? 0.5f * (1.0f - magnitude) : magnitude * magnitude;
  const float angle = asin_polynomial(large ? sqrt(z) : magnitude, z);
  const float complement = kHalfPi - ((angle + angle) - kHalfPiLow);
  return copysign(large ? complement : angle, x);
}

// As asin; near 1 the square root itself, which keeps the relative accuracy. Max 1.12 ulp.
SPRUE_MATH_INLINE float acos(float x) {
  const float magnitude = abs(x);
  const bool large = magnitude > 0.5f;
  const float z = large ? 0.5f * (1.0f - magnitude) : magnitude * magnitude;
  const float angle = asin_polynomial(large ? sqrt(z) : magnitude, z);
  const float near_half_pi = kHalfPi - (flip_sign(angle, sign_bits(x)) - kHalfPiLow);
  const float near_pi = kPi - ((angle + angle) - kPiLow);
  return large ? (x < 0.0f ? near_pi : angle + angle) : near_half_pi;
}

// atan(t) for 0 <= t <= 1.
SPRUE_MATH_INLINE float atan_polynomial(float t) {
  const float z = t * t;
  float p = -0.00180021253f;
  p = fma(p, z, 0.0109310104f);
  p = fma(p, z, -0.0311852116f);
  p = fma(p, z, 0.0579439476f);
  p = fma(p, z, -0.0840162635f);
  p = fma(p, z, 0.109513022f);
  p = fma(p, z, -0.142640442f);
  p = fma(p, z, 0.199985296f);
  p = fma(p, z, -0.333332986f);
  return fma(t * z, p, t);
}

// Above 1, pi/2 - atan(1/x). Max 1.38 ulp.
SPRUE_MATH_INLINE float atan(float x) {
  const float magnitude = abs(x);
  const bool large = magnitude > 1.0f;
  const float angle = atan_polynomial(large ? divide(1.0f, magnitude) : magnitude);
  return copysign(large ? kHalfPi - (angle - kHalfPiLow) : angle, x);
}

// The angle in its octant from the smaller over the larger, then unfolded. Max 1.53 ulp.
SPRUE_MATH_INLINE float atan2(float y, float x) {
  const float rise = abs(y);
  const float run = abs(x);
  const bool steep = rise > run;
  const float larger = steep ? rise : run;
  const float quotient = divide(steep ? run : rise, larger);
  const float tied = (rise == run && larger == infinity()) ? 1.0f : quotient;
  const float octant = atan_polynomial(larger == 0.0f ? 0.0f : tied);
  const float quadrant = steep ? kHalfPi - (octant - kHalfPiLow) : octant;
  const float unfolded = signbit(x) ? kPi - (quadrant - kPiLow) : quadrant;
  const float result = (isnan(x) || isnan(y)) ? not_a_number() : unfolded;
  return copysign(result, y);
}

}  // namespace sprue_math
