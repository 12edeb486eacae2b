// Metal's scalar types: integers of fixed size, bfloat, complex64_t, uint3. half is the target's.
// Includes nothing, so that a compile stays short.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;

namespace sprue_types {
template <bool, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  typedef T type;
};
template <typename T>
struct is_integer {
  static constexpr bool value = SPRUE_IS_INTEGRAL(T);
};
}  // namespace sprue_types

#if defined(__CUDACC_RTC__)
#include "metal_cuda_half.h"
#endif
typedef half float16_t;

// bfloat is a class, so that Metal's conversion rules hold: float to bfloat only explicitly, bfloat to
// float freely, bfloat with bfloat or an integer gives bfloat, bfloat with float gives float.
// Conversions are integer arithmetic: they vectorise, and no instruction flushes denormals.
struct bfloat {
  unsigned short bits;

  bfloat() = default;
  SPRUE_MEMBER constexpr explicit bfloat(float value) : bits(rounded(value)) {}
  SPRUE_MEMBER constexpr explicit bfloat(half value) : bits(rounded(static_cast<float>(value))) {}
  // A template: from float there must be no way round by an integer.
  template <typename I, typename = typename sprue_types::enable_if<SPRUE_IS_INTEGRAL(I)>::type>
  SPRUE_MEMBER constexpr bfloat(I value) : bits(rounded(static_cast<float>(value))) {}
  SPRUE_MEMBER constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
  }

 private:
  // To nearest, ties to even; a NaN stays a (quiet) NaN.
  SPRUE_MEMBER static constexpr unsigned short rounded(float value) {
    SPRUE_ROUND_BY_DEVICE(value)
    const unsigned int word = __builtin_bit_cast(unsigned int, value);
    const unsigned int nearest = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
    const unsigned int quiet = word >> 16 | 0x40u;
    return static_cast<unsigned short>((word & 0x7fffffffu) > 0x7f800000u ? quiet : nearest);
  }
};
typedef bfloat bfloat16_t;
#include "metal_class_number.h"

// 1.0bf in the spelling that the lowering gives it. 1.0h is the target's.
SPRUE_INLINE constexpr bfloat operator""ms(long double value) {
  // Rounded once: a float that is halfway between two bfloats was so by rounding, or it is exact.
  const float nearest = static_cast<float>(value);
  const unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  const bool tie = (bits & 0xffffu) == 0x8000u;
  const int step = !tie || nearest == value ? 0 : nearest < value ? 1 : -1;
  return bfloat(__builtin_bit_cast(float, bits + static_cast<unsigned int>(step)));
}

struct complex64_t {
  float real;
  float imag;

  complex64_t() = default;
  SPRUE_MEMBER constexpr complex64_t(float real_part, float imaginary_part = 0.0f)
      : real(real_part), imag(imaginary_part) {}
  SPRUE_COMPLEX_CONVERSIONS
};
SPRUE_INLINE constexpr complex64_t operator+(complex64_t a, complex64_t b) {
  return complex64_t(a.real + b.real, a.imag + b.imag);
}
SPRUE_INLINE constexpr complex64_t operator-(complex64_t a, complex64_t b) {
  return complex64_t(a.real - b.real, a.imag - b.imag);
}
SPRUE_INLINE constexpr complex64_t operator-(complex64_t a) {
  return complex64_t(-a.real, -a.imag);
}
SPRUE_INLINE constexpr complex64_t operator*(complex64_t a, complex64_t b) {
  return complex64_t(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}

SPRUE_INLINE constexpr complex64_t operator/(complex64_t a, complex64_t b) {
  const float norm = b.real * b.real + b.imag * b.imag;
  return complex64_t((a.real * b.real + a.imag * b.imag) / norm,
                     (a.imag * b.real - a.real * b.imag) / norm);
}
SPRUE_INLINE constexpr bool operator==(complex64_t a, complex64_t b) {
  return a.real == b.real && a.imag == b.imag;
}
SPRUE_INLINE constexpr bool operator!=(complex64_t a, complex64_t b) { return !(a == b); }

namespace sprue_types {
// Positions and sizes of threads. What a text with vectors sees is metal_vector.h's type.
struct uint3 {
  uint x, y, z;

  uint3() = default;
  SPRUE_MEMBER constexpr uint3(uint x_, uint y_, uint z_) : x(x_), y(y_), z(z_) {}
  SPRUE_MEMBER explicit constexpr uint3(uint all) : x(all), y(all), z(all) {}
  SPRUE_MEMBER constexpr uint operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
#ifdef SPRUE_VECTOR_TYPES
  template <typename V>
  SPRUE_MEMBER operator V() const {
    return typename V::base(x, y, z);
  }
#endif
};
}  // namespace sprue_types
#ifndef SPRUE_VECTOR_TYPES
using sprue_types::uint3;
#endif
