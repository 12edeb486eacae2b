// numeric_limits<T> for every scalar type, MLX's Limits<T>, and the macros for limits and constants
// that metal_library.h doesn't have.
#pragma once

#define MAXFLOAT FLT_MAX
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define MAXHALF HALF_MAX
#define HALF_MIN static_cast<half>(0x1.0p-14f)
#define HALF_EPSILON static_cast<half>(0x1.0p-10f)
#define HALF_RADIX 2
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MIN_EXP (-13)
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MAX_10_EXP 4
#define MAXBFLOAT static_cast<bfloat>(0x1.fep127f)
#define HUGE_VALBF static_cast<bfloat>(INFINITY)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul
#define M_E_H static_cast<half>(M_E_F)
#define M_LOG2E_H static_cast<half>(M_LOG2E_F)
#define M_LOG10E_H static_cast<half>(M_LOG10E_F)
#define M_LN2_H static_cast<half>(M_LN2_F)
#define M_LN10_H static_cast<half>(M_LN10_F)
#define M_PI_H static_cast<half>(M_PI_F)
#define M_PI_2_H static_cast<half>(M_PI_2_F)
#define M_PI_4_H static_cast<half>(M_PI_4_F)
#define M_1_PI_H static_cast<half>(M_1_PI_F)
#define M_2_PI_H static_cast<half>(M_2_PI_F)
#define M_2_SQRTPI_H static_cast<half>(M_2_SQRTPI_F)
#define M_SQRT2_H static_cast<half>(M_SQRT2_F)
#define M_SQRT1_2_H static_cast<half>(M_SQRT1_2_F)

namespace sprue_types {

template <typename T>
using any_integer = typename enable_if<is_integer<T>::value, T>::type;

// Of an integer type, bool included. An `inline` member may be bound to a reference.
template <typename T>
struct integer_limits {
  static inline constexpr bool is_specialized = true, is_integer = true, is_exact = true;
  static inline constexpr bool is_signed = T(-1) < T(0), is_bounded = true;
  static inline constexpr bool is_modulo = !is_signed && !SPRUE_IS_SAME(T, bool);
  static inline constexpr bool has_infinity = false, has_quiet_NaN = false,
                               has_signaling_NaN = false, is_iec559 = false;
  static inline constexpr int radix = 2;
  static inline constexpr int digits = SPRUE_IS_SAME(T, bool) ? 1 : 8 * int(sizeof(T)) - is_signed;
  static inline constexpr int digits10 = digits * 30103 / 100000, max_digits10 = 0;
  static inline constexpr int min_exponent = 0, min_exponent10 = 0;
  static inline constexpr int max_exponent = 0, max_exponent10 = 0;

  SPRUE_MEMBER static constexpr T min() { return is_signed ? T(1ul << (digits % 64)) : T(0); }
  SPRUE_MEMBER static constexpr T max() { return T(~0ul >> (64 - digits)); }
  SPRUE_MEMBER static constexpr T lowest() { return min(); }
  SPRUE_MEMBER static constexpr T epsilon() { return T(0); }
  SPRUE_MEMBER static constexpr T round_error() { return T(0); }
  SPRUE_MEMBER static constexpr T infinity() { return T(0); }
  SPRUE_MEMBER static constexpr T quiet_NaN() { return T(0); }
  SPRUE_MEMBER static constexpr T signaling_NaN() { return T(0); }
  SPRUE_MEMBER static constexpr T denorm_min() { return T(0); }
};

// Of a floating type, from its bits: `kDigits` with the hidden one, `kExponents` bits of exponent.
template <typename T, typename Bits, int kDigits, int kExponents>
struct floating_limits {
  static inline constexpr bool is_specialized = true, is_integer = false, is_exact = false;
  static inline constexpr bool is_signed = true, is_bounded = true, is_modulo = false;
  static inline constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true,
                               is_iec559 = true;
  static inline constexpr int radix = 2, digits = kDigits;
  static inline constexpr int digits10 = (kDigits - 1) * 30103 / 100000;
  static inline constexpr int max_digits10 = kDigits * 30103 / 100000 + 2;
  static inline constexpr int max_exponent = 1 << (kExponents - 1), min_exponent = 3 - max_exponent;
  static inline constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static inline constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  SPRUE_MEMBER static constexpr T min() { return of(kHidden); }
  SPRUE_MEMBER static constexpr T max() { return of(kInfinity - 1); }
  SPRUE_MEMBER static constexpr T lowest() { return of(kSign | (kInfinity - 1)); }
  SPRUE_MEMBER static constexpr T epsilon() { return of(Bits(max_exponent - kDigits) * kHidden); }
  SPRUE_MEMBER static constexpr T round_error() { return of(Bits(max_exponent - 2) * kHidden); }
  SPRUE_MEMBER static constexpr T infinity() { return of(kInfinity); }
  SPRUE_MEMBER static constexpr T quiet_NaN() { return of(kInfinity | kHidden / 2); }
  SPRUE_MEMBER static constexpr T signaling_NaN() { return of(kInfinity | kHidden / 4); }
  SPRUE_MEMBER static constexpr T denorm_min() { return of(1); }

 private:
  static constexpr uint kHidden = 1u << (kDigits - 1), kSign = 1u << (8 * sizeof(Bits) - 1);
  static constexpr uint kInfinity = kSign - kHidden;
  SPRUE_MEMBER static constexpr T of(uint bits) {
    return __builtin_bit_cast(T, static_cast<Bits>(bits));
  }
};

}  // namespace sprue_types

namespace metal {

template <typename T>
struct numeric_limits : sprue_types::integer_limits<sprue_types::any_integer<T>> {};
template <>
struct numeric_limits<float> : sprue_types::floating_limits<float, uint, 24, 8> {};
template <>
struct numeric_limits<half> : sprue_types::floating_limits<half, ushort, 11, 5> {};
template <>
struct numeric_limits<bfloat> : sprue_types::floating_limits<bfloat, ushort, 8, 8> {};
template <typename T>
struct numeric_limits<const T> : numeric_limits<T> {};

}  // namespace metal

// MLX's: the extreme values, and the extreme finite ones.
template <typename T>
struct Limits {
  typedef metal::numeric_limits<T> numbers;
  static inline constexpr T max = numbers::has_infinity ? numbers::infinity() : numbers::max();
  static inline constexpr T min = numbers::has_infinity ? -numbers::infinity() : numbers::lowest();
  static inline constexpr T finite_max = numbers::max();
  static inline constexpr T finite_min = numbers::lowest();
};
