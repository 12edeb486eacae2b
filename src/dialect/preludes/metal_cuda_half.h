// half under NVRTC, which has no such type: a class with the rules of clang's _Float16.
//
//   half h = 0.5f;   float f = h * 2.0f;   h += 1;   constexpr half kSmall = half(1e-5f);
//
// Every operation rounds once, to the bits that the CPU computes; so do conversions, which are
// instructions at run time and integer arithmetic in constant expressions. The operators are those of
// metal_class_number.h.
//
// One thing a class can't have is `c ? h : 0.0f`, for each becomes the other unasked. The generated text
// writes either<>() around both operands.
#pragma once

struct bfloat;

namespace sprue_types {

// To nearest, ties to even, from the magnitude's bits; kMantissa of them are below the exponent. Exact
// remainders decide, so a double isn't rounded twice.
template <typename Word, int kMantissa, int kBias>
constexpr unsigned short half_of_magnitude(Word magnitude) {
  const Word infinity = ((Word(1) << (8 * sizeof(Word) - 1 - kMantissa)) - 1) << kMantissa;
  if (magnitude > infinity)
    return static_cast<unsigned short>(0x7e00u | (magnitude >> (kMantissa - 10) & 0x1ffu));
  const int exponent = static_cast<int>(magnitude >> kMantissa) - kBias;
  if (exponent > 15) return 0x7c00u;
  if (exponent < -25) return 0;
  const Word significand = (magnitude & ((Word(1) << kMantissa) - 1)) | (Word(1) << kMantissa);
  // A denormal half has its last bit at 2^-24.
  const int dropped = kMantissa - 10 + (exponent < -14 ? -14 - exponent : 0);
  const Word kept = significand >> dropped, rest = significand & ((Word(1) << dropped) - 1);
  const Word middle = Word(1) << (dropped - 1);
  const unsigned base = exponent < -14 ? 0u : static_cast<unsigned>(exponent + 14) << 10;
  const unsigned up = rest > middle || (rest == middle && (kept & 1)) ? 1u : 0u;
  return static_cast<unsigned short>(base + static_cast<unsigned>(kept) + up);
}

SPRUE_INLINE constexpr unsigned short half_bits(float value) {
  if (__builtin_is_constant_evaluated()) {
    const unsigned word = __builtin_bit_cast(unsigned, value);
    const unsigned sign = word >> 16 & 0x8000u;
    return static_cast<unsigned short>(sign |
                                       half_of_magnitude<unsigned, 23, 127>(word & 0x7fffffffu));
  }
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

// For literals.
SPRUE_INLINE constexpr unsigned short half_bits_of_double(double value) {
  const unsigned long word = __builtin_bit_cast(unsigned long, value);
  const unsigned sign = static_cast<unsigned>(word >> 48) & 0x8000u;
  return static_cast<unsigned short>(
      sign | half_of_magnitude<unsigned long, 52, 1023>(word & ~(1ul << 63)));
}

SPRUE_INLINE constexpr float float_of_half(unsigned short bits) {
  if (__builtin_is_constant_evaluated()) {
    const unsigned sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u)
      return __builtin_bit_cast(float, sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x400u)
      return __builtin_bit_cast(float, sign | ((magnitude << 13) + (112u << 23)));
    const float tiny = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -tiny : tiny;
  }
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

}  // namespace sprue_types

struct half {
  unsigned short bits;

  half() = default;
  SPRUE_MEMBER constexpr half(float value) : bits(sprue_types::half_bits(value)) {}
  template <typename I, typename = typename sprue_types::enable_if<SPRUE_IS_INTEGRAL(I)>::type>
  SPRUE_MEMBER constexpr half(I value) : half(static_cast<float>(value)) {}
  template <typename B, typename = typename sprue_types::enable_if<SPRUE_IS_SAME(B, bfloat)>::type,
            int = 0>
  SPRUE_MEMBER constexpr half(B value) : half(static_cast<float>(value)) {}
  SPRUE_MEMBER constexpr operator float() const { return sprue_types::float_of_half(bits); }
};

SPRUE_INLINE constexpr half operator""h(long double value) {
  return __builtin_bit_cast(half, sprue_types::half_bits_of_double(static_cast<double>(value)));
}

namespace sprue_types {

#define SPRUE_OPERATION(name, op, instruction)                                      \
  template <typename B>                                                             \
  SPRUE_INLINE constexpr B name(B a, B b) {                                         \
    return B(static_cast<float>(a) op static_cast<float>(b));                       \
  }                                                                                 \
  SPRUE_INLINE constexpr half name(half a, half b) {                                \
    if (__builtin_is_constant_evaluated())                                          \
      return half(static_cast<float>(a) op static_cast<float>(b));                  \
    half result{};                                                                  \
    asm(instruction " %0, %1, %2;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits)); \
    return result;                                                                  \
  }
SPRUE_OPERATION(plus, +, "add.rn.f16")
SPRUE_OPERATION(minus, -, "sub.rn.f16")
SPRUE_OPERATION(times, *, "mul.rn.f16")
#undef SPRUE_OPERATION
// The quotient of floats is exact enough for one rounding to either type.
template <typename B>
SPRUE_INLINE constexpr B divided(B a, B b) {
  return B(static_cast<float>(a) / static_cast<float>(b));
}
template <typename B>
SPRUE_INLINE constexpr B negated(B a) {
  return __builtin_bit_cast(B, static_cast<unsigned short>(a.bits ^ 0x8000u));
}
SPRUE_INLINE half fused(half a, half b, half c) {
  half result{};
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return result;
}

template <typename F>
using converts_to_half =
    typename enable_if<SPRUE_IS_SAME(F, float) || SPRUE_IS_SAME(F, bfloat), half>::type;

}  // namespace sprue_types

#define SPRUE_COMPOUND(op)                                                                \
  template <typename F>                                                                   \
  SPRUE_INLINE constexpr sprue_types::converts_to_half<F>& operator op##=(half& a, F b) { \
    return a = half(static_cast<float>(a) op static_cast<float>(b));                      \
  }
SPRUE_COMPOUND(+)
SPRUE_COMPOUND(-)
SPRUE_COMPOUND(*)
SPRUE_COMPOUND(/)
#undef SPRUE_COMPOUND

// Exact, for a half becomes complex64_t as easily as float.
template <typename H>
SPRUE_INLINE constexpr typename sprue_types::enable_if<SPRUE_IS_SAME(H, half), bool>::type
operator==(H a, H b) {
  return static_cast<float>(a) == static_cast<float>(b);
}
template <typename H>
SPRUE_INLINE constexpr typename sprue_types::enable_if<SPRUE_IS_SAME(H, half), bool>::type
operator!=(H a, H b) {
  return static_cast<float>(a) != static_cast<float>(b);
}

namespace sprue_types {

template <typename T>
struct plain {
  typedef T type;
};
template <typename T>
struct plain<const T> : plain<T> {};
template <typename T>
struct plain<T&> : plain<T> {};

// `c ? either<decltype(b)>(a) : either<decltype(a)>(b)`: a half beside a float is a float; an integer or
// a bfloat beside a half is a half. All else stays what it is.
template <typename T, typename Other, typename Kept>
struct operand {
  typedef Kept type;
};
template <typename Kept>
struct operand<half, float, Kept> {
  typedef float type;
};
template <bool kConverts, typename Kept>
struct operand_beside_half {
  typedef Kept type;
};
template <typename Kept>
struct operand_beside_half<true, Kept> {
  typedef half type;
};
template <typename T, typename Kept>
struct operand<T, half, Kept>
    : operand_beside_half<SPRUE_IS_INTEGRAL(T) || SPRUE_IS_SAME(T, bfloat), Kept> {};

template <typename Other, typename T>
SPRUE_INLINE constexpr auto either(T&& value) ->
    typename operand<typename plain<T>::type, typename plain<Other>::type, T>::type {
  return static_cast<
      typename operand<typename plain<T>::type, typename plain<Other>::type, T>::type>(value);
}

}  // namespace sprue_types
