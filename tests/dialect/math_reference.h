// References and error measures for the tests of the kernel mathematics.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

namespace sprue::testing {

// The distance in units in the last place of a float with the magnitude of `expected`. A denormal
// has the unit of the smallest normal; an infinity counts as 2^128, so that a result beside the
// overflow threshold is measured like any other. A NaN on one side only is infinitely far.
inline double error_in_ulps(float actual, double expected) {
  if (std::isnan(expected) || std::isnan(actual)) {
    return std::isnan(expected) == std::isnan(actual) ? 0.0
                                                      : std::numeric_limits<double>::infinity();
  }
  const double limit = 0x1p128;
  const double clamped_expected = std::fmin(std::fmax(expected, -limit), limit);
  const double clamped_actual = std::fmin(std::fmax(double{actual}, -limit), limit);
  const std::uint64_t exponent_bits =
      std::bit_cast<std::uint64_t>(clamped_expected) & 0x7ff0000000000000u;
  const double power = std::bit_cast<double>(exponent_bits);
  const double unit = std::fmin(std::fmax(power * 0x1p-23, 0x1p-149), 0x1p104);
  return std::fabs(clamped_actual - clamped_expected) / unit;
}

// Same value, where all NaNs are one value and the zeros are two.
inline bool same_value(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

inline double rsqrt_reference(double x) { return 1.0 / std::sqrt(x); }
inline double exp10_reference(double x) { return std::pow(10.0, x); }

// A multiple of the half turn is removed before pi comes in, so the zeros are exact.
inline double sinpi_reference(double x) {
  double r = std::remainder(x, 2.0);
  if (r > 0.5) r = 1.0 - r;
  if (r < -0.5) r = -1.0 - r;
  return r == 0.0 ? std::copysign(0.0, x) : std::sin(std::numbers::pi * r);
}
inline double cospi_reference(double x) {
  const double r = std::fabs(std::remainder(x, 2.0));
  return r == 0.5 ? 0.0 : std::sin(std::numbers::pi * (0.5 - r));
}
inline double tanpi_reference(double x) {
  const double r = std::remainder(x, 1.0);
  if (r == 0.0) return std::copysign(0.0, x);
  return std::sin(std::numbers::pi * r) / std::sin(std::numbers::pi * (0.5 - std::fabs(r)));
}

// a * b + c rounded once, without a fused instruction: the double product is exact, and the sum is
// rounded to odd, which makes the second rounding harmless.
inline float fma_reference(float a, float b, float c) {
  const double product = double{a} * double{b};
  const double sum = product + double{c};
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (double{c} - part);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (lost != 0.0 && (bits & 1u) == 0) {
    bits += (lost > 0.0) == (sum > 0.0) ? 1u : ~std::uint64_t{0};
  }
  return static_cast<float>(std::bit_cast<double>(bits));
}

// Whether `result` is 1 / sqrt(x) correctly rounded, for positive finite x, by integer arithmetic:
// the boundaries beside `result` must enclose the true value.
inline bool is_correctly_rounded_rsqrt(float x, float result) {
  if (!(result > 0.0f) || !std::isfinite(result)) return false;
  int x_exponent = 0;
  int result_exponent = 0;
  const auto x_significand = static_cast<std::uint64_t>(std::frexp(x, &x_exponent) * 0x1p24f);
  const auto significand =
      static_cast<std::uint64_t>(std::frexp(result, &result_exponent) * 0x1p24f);
  // The result is normal for every argument, so its boundaries are half a unit away, or a quarter
  // below a power of two.
  const std::uint64_t upper = 4 * significand + 2;
  const std::uint64_t lower = 4 * significand - (significand == 0x800000u ? 1 : 2);
  // lower^2 * x <= 1 <= upper^2 * x with x = x_significand * 2^(x_exponent - 24).
  const int shift = -(x_exponent - 24) - 2 * (result_exponent - 26);
  if (shift < 0 || shift > 126) return false;
  using Wide = unsigned __int128;
  const Wide one = Wide{1} << shift;
  return Wide{lower} * lower * x_significand <= one && one <= Wide{upper} * upper * x_significand;
}

// Floats drawn by bit pattern, so that every exponent is as likely as any other.
class BitPatternSource {
 public:
  explicit BitPatternSource(std::uint32_t seed) : generator_(seed) {}
  float any() { return std::bit_cast<float>(static_cast<std::uint32_t>(generator_())); }
  // A float between 2^low and 2^high in magnitude, of either sign.
  float between_powers(int low, int high) {
    const auto bits = static_cast<std::uint32_t>(generator_());
    const std::uint32_t span = static_cast<std::uint32_t>(high - low) << 23;
    const std::uint32_t base = static_cast<std::uint32_t>(low + 127) << 23;
    const auto sign = static_cast<std::uint32_t>(generator_()) & 0x80000000u;
    return std::bit_cast<float>((base + bits % span) | sign);
  }

 private:
  std::mt19937 generator_;
};

}  // namespace sprue::testing
