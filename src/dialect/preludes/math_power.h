// Powers of the kernel mathematics; see math.h, which includes this file.
#pragma once

namespace sprue_math {

// magnitude^y for magnitude >= 0, with the values at zero, infinity and NaN that exp2(y * log2(.))
// has, so that 0^0 and infinity^0 are NaN. Free of branches.
//
// log2(magnitude) is kept as a sum of two floats with about 30 good bits, because an exponent near
// 128 leaves only 17 bits of a single float for the fraction.
SPRUE_MATH_INLINE float power_of_magnitude(float magnitude, float y) {
  const Decomposed parts = decompose(magnitude);
  const float f = parts.fraction;

  // log(1 + f) = 2 * atanh(s) with s = f / (2 + f); s_low makes up for the rounding of both.
  const float denominator = f + 2.0f;
  const float denominator_low = f - (denominator - 2.0f);
  const float reciprocal = divide(1.0f, denominator);
  const float s = f * reciprocal;
  const float s_low = reciprocal * fma(-s, denominator_low, fma(-s, denominator, f));
  const float z = s * s;
  float p = 0.242781088f;
  p = fma(p, z, 0.284988135f);
  p = fma(p, z, 0.400009722f);
  p = fma(p, z, 0.666666627f);
  const float natural = s + s;
  const float natural_low = fma(s * z, p, s_low + s_low);

  const float fraction = natural * kLog2OfE;
  const float fraction_error = fma(natural, kLog2OfE, -fraction);
  const float fraction_low = fma(natural_low, kLog2OfE, fma(natural, kLog2OfELow, fraction_error));
  const float log_high = parts.exponent + fraction;
  const float log_low = fraction_low + (fraction - (log_high - parts.exponent));

  // Infinite or NaN where the argument is zero, infinite or NaN. Only the high product sees it: the
  // low one becomes infinite the other way, and its clamp takes that back.
  const float below = magnitude == 0.0f ? -infinity() : 0.0f;
  const float above = magnitude < infinity() ? 0.0f : magnitude;
  const float log_extended = log_high + (below + above);

  // Beyond 2^34 every magnitude but 1 has overflowed or vanished; the product must stay finite.
  const float kLargestExponent = 17179869184.0f;
  const float exponent = clamp_keeping_nan(y, -kLargestExponent, kLargestExponent);
  const float product = exponent * log_extended;
  const float product_low = fma(exponent, log_low, fma(exponent, log_high, -product));
  const float high = clamp_keeping_nan(product, -160.0f, 160.0f);
  const float low = clamp_keeping_nan(product_low, -2.0f, 2.0f);
  const float shifted = (high + low) + kRoundToInteger;
  const float r = (high - (shifted - kRoundToInteger)) + low;
  return scale_in_two_steps(exp_minus_one_polynomial(r * kLn2), shifted, 1.0f);
}

// Special values as in C. Max 5.96 ulp.
SPRUE_MATH_INLINE float pow(float x, float y) {
  const float half = y * 0.5f;
  const bool is_fractional = trunc(y) != y;
  const bool half_is_fractional = trunc(half) != half;
  const uint32 odd_sign = is_fractional ? 0u : (half_is_fractional ? sign_bits(x) : 0u);
  const float result = flip_sign(power_of_magnitude(abs(x), y), odd_sign);
  // Only a finite negative number has no fractional powers.
  const bool has_all_powers = x >= 0.0f || x == -infinity();
  const uint32 invalid = is_fractional ? (has_all_powers ? 0u : ~kSignBit) : 0u;
  const float checked = float_from_bits(float_bits(result) | invalid);
  return (x == 1.0f || y == 0.0f) ? 1.0f : checked;
}

// exp2(y * log2(x)), so a negative x and the forms 0^0, inf^0 and 1^inf give NaN. Max 5.96 ulp.
SPRUE_MATH_INLINE float powr(float x, float y) {
  const float result = power_of_magnitude(abs(x), y);
  const bool invalid = !(x >= 0.0f) || (x == 1.0f && abs(y) == infinity());
  return float_from_bits(float_bits(result) | (invalid ? ~kSignBit : 0u));
}

}  // namespace sprue_math
