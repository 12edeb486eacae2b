// Conversions that CUDA defines where C++ doesn't, or that round once where casts would round twice.
#pragma once

namespace sprue_cuda {

template <bool>
struct only_if {};
template <>
struct only_if<true> {
  typedef int type;
};
template <typename I>
using if_integer = typename only_if<__is_integral(I) && !__is_same(I, bool)>::type;

// The float next to `value` on zero's side, but with its last bit set if anything was lost: what is rounded
// from it to fewer bits is rounded once.
SPRUE_INLINE constexpr float to_odd_float(double value) {
  const float nearest = static_cast<float>(value);
  const unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  const double back = static_cast<double>(nearest);
  if (back == value || value != value || (bits & 1u)) return nearest;
  const bool too_large = value < 0.0 ? back < value : back > value;
  return __builtin_bit_cast(float, too_large ? bits - 1u : bits + 1u);
}

// a * b + c to a double with its last bit set if anything was lost. The product of two floats is exact.
SPRUE_INLINE double fma_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  const double virtual_part = sum - product;
  const double lost = (product - (sum - virtual_part)) + (addend - virtual_part);
  const unsigned long bits = __builtin_bit_cast(unsigned long, sum);
  // Nothing lost, or no number; a NaN compares so, too.
  if (!(lost != 0.0) || lost != lost || (bits & 1u)) return sum;
  const bool away = (lost > 0.0) == (sum > 0.0);
  return __builtin_bit_cast(double, away ? bits + 1u : bits - 1u);
}

// Bits of a bfloat, to nearest with ties to even; a NaN is CUDA's.
SPRUE_INLINE constexpr unsigned short bfloat_bits(float value) {
  const unsigned int word = __builtin_bit_cast(unsigned int, value);
  const unsigned int nearest = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
  return static_cast<unsigned short>((word & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : nearest);
}

// An integer as a double; of one with more than 53 bits the rest in the last bit.
template <typename I>
SPRUE_INLINE constexpr double integer_to_odd(I value) {
  const bool negative = value < I(0);
  const unsigned long long bits = static_cast<unsigned long long>(value);
  const unsigned long long magnitude = negative ? 0ull - bits : bits;
  const unsigned long long rest = magnitude & 0xfffu;
  const double result = static_cast<double>(
      magnitude >> 53 == 0 ? magnitude : (magnitude - rest) | (rest != 0 ? 0x1000u : 0u));
  return negative ? -result : result;
}

// Of a number without a fraction. Out of range: the nearest limit; NaN: 0, or the top bit alone in 64 bits.
template <typename I, typename F>
SPRUE_INLINE I to_integer(F whole) {
  constexpr bool kSigned = I(-1) < I(0);
  constexpr I kLowest = kSigned ? I(1ull << (8 * sizeof(I) - 1)) : I(0);
  constexpr I kHighest = I(~kLowest);
  const F limit = static_cast<F>(1ull << (8 * sizeof(I) - 2)) * (kSigned ? F(2) : F(4));
  if (whole != whole) return sizeof(I) == 8 ? I(1ull << 63) : I(0);
  if (whole >= limit) return kHighest;
  if (whole < (kSigned ? -limit : F(0))) return kLowest;
  return static_cast<I>(whole);
}

}  // namespace sprue_cuda
