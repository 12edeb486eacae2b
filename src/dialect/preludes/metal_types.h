// Metal's scalar types on a clang target: integers of fixed size, half, bfloat, uint3.
// Included by metal_cpu.h; includes nothing, so that a compile stays short.
#pragma once

#define SPRUE_INLINE static inline __attribute__((always_inline))
#define SPRUE_MEMBER inline __attribute__((always_inline))
#define SPRUE_COPY_BYTES __builtin_memcpy

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

// Each operation on half rounds to half (-ffloat16-excess-precision=none), as on a GPU.
typedef _Float16 half;
typedef half float16_t;

namespace sprue_types {
template <bool, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  typedef T type;
};
template <typename T>
struct is_integer {
  static constexpr bool value = __is_integral(T);
};
}  // namespace sprue_types

// bfloat is a class, so that Metal's conversion rules hold: float to bfloat only explicitly, bfloat to
// float freely, bfloat with bfloat or an integer gives bfloat, bfloat with float gives float.
// Conversions are integer arithmetic: they vectorise, and no instruction flushes denormals.
struct bfloat {
  unsigned short bits;

  bfloat() = default;
  SPRUE_MEMBER constexpr explicit bfloat(float value) : bits(rounded(value)) {}
  SPRUE_MEMBER constexpr explicit bfloat(half value) : bits(rounded(static_cast<float>(value))) {}
  // A template: from float there must be no way round by an integer.
  template <typename I, typename = typename sprue_types::enable_if<__is_integral(I)>::type>
  SPRUE_MEMBER constexpr bfloat(I value) : bits(rounded(static_cast<float>(value))) {}
  SPRUE_MEMBER constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
  }

 private:
  // To nearest, ties to even; a NaN stays a (quiet) NaN.
  SPRUE_MEMBER static constexpr unsigned short rounded(float value) {
    const unsigned int word = __builtin_bit_cast(unsigned int, value);
    const unsigned int nearest = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
    const unsigned int quiet = word >> 16 | 0x40u;
    return static_cast<unsigned short>((word & 0x7fffffffu) > 0x7f800000u ? quiet : nearest);
  }
};
typedef bfloat bfloat16_t;

// All operators are templates: a kernel that has no bfloat pays nothing for them. B is always bfloat, I
// an integer.
namespace sprue_types {
template <typename B, typename Result>
using for_bfloat = typename enable_if<__is_same(B, bfloat), Result>::type;
template <typename B, typename I, typename Result>
using for_bfloat_and_integer =
    typename enable_if<__is_same(B, bfloat) && __is_integral(I), Result>::type;
}  // namespace sprue_types

#define SPRUE_BFLOAT_OPERATOR(op)                                                                  \
  template <typename B>                                                                            \
  SPRUE_INLINE constexpr sprue_types::for_bfloat<B, B> operator op(B a, B b) {                     \
    return B(static_cast<float>(a) op static_cast<float>(b));                                      \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, B> operator op(B a, I b) {      \
    return a op B(b);                                                                              \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, B> operator op(I a, B b) {      \
    return B(a) op b;                                                                              \
  }                                                                                                \
  template <typename B>                                                                            \
  SPRUE_INLINE constexpr sprue_types::for_bfloat<B, B>& operator op##=(B& a, B b) {                \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, B>& operator op##=(B& a, I b) { \
    return a = a op B(b);                                                                          \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, I>& operator op##=(I& a, B b) { \
    return a = static_cast<I>(B(a) op b);                                                          \
  }
SPRUE_BFLOAT_OPERATOR(+)
SPRUE_BFLOAT_OPERATOR(-)
SPRUE_BFLOAT_OPERATOR(*)
SPRUE_BFLOAT_OPERATOR(/)
#undef SPRUE_BFLOAT_OPERATOR
// An integer is compared as the bfloat that it becomes; bfloat with bfloat or float compares as floats.
#define SPRUE_BFLOAT_COMPARISON(op)                                                              \
  template <typename B, typename I>                                                              \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, bool> operator op(B a, I b) { \
    return static_cast<float>(a) op static_cast<float>(B(b));                                    \
  }                                                                                              \
  template <typename B, typename I>                                                              \
  SPRUE_INLINE constexpr sprue_types::for_bfloat_and_integer<B, I, bool> operator op(I a, B b) { \
    return static_cast<float>(B(a)) op static_cast<float>(b);                                    \
  }
SPRUE_BFLOAT_COMPARISON(==)
SPRUE_BFLOAT_COMPARISON(!=)
SPRUE_BFLOAT_COMPARISON(<)
SPRUE_BFLOAT_COMPARISON(<=)
SPRUE_BFLOAT_COMPARISON(>)
SPRUE_BFLOAT_COMPARISON(>=)
#undef SPRUE_BFLOAT_COMPARISON
template <typename B>
SPRUE_INLINE constexpr sprue_types::for_bfloat<B, B> operator+(B a) {
  return a;
}
template <typename B>
SPRUE_INLINE constexpr sprue_types::for_bfloat<B, B> operator-(B a) {
  return B(-static_cast<float>(a));
}
template <typename B>
SPRUE_INLINE sprue_types::for_bfloat<B, B>& operator++(B& a) {
  return a += 1;
}
template <typename B>
SPRUE_INLINE sprue_types::for_bfloat<B, B>& operator--(B& a) {
  return a -= 1;
}
template <typename B>
SPRUE_INLINE sprue_types::for_bfloat<B, B> operator++(B& a, int) {
  const B before = a;
  ++a;
  return before;
}
template <typename B>
SPRUE_INLINE sprue_types::for_bfloat<B, B> operator--(B& a, int) {
  const B before = a;
  --a;
  return before;
}

// 1.0h, and 1.0bf in the spelling that the lowering gives it.
SPRUE_INLINE constexpr half operator""h(long double value) { return static_cast<half>(value); }
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
