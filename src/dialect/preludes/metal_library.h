// metal:: functions over float, half, bfloat and the integers. float goes to math.h; half and bfloat
// go through float and round once, as MLX's own helpers do.
#pragma once

#define INFINITY SPRUE_INFINITY
#define NAN SPRUE_NAN
#define HUGE_VALF SPRUE_INFINITY
#define HUGE_VALH static_cast<half>(SPRUE_INFINITY)
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define HALF_MAX static_cast<half>(65504.0f)
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define CHAR_BIT 8
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f

namespace sprue_types {
// The result of a function over floats. Two operands are of one type, or of bfloat and float: every
// other mixture is ambiguous in Metal, and so is an integer among floats.
template <typename T>
struct is_floating {
  static constexpr bool value =
      SPRUE_IS_SAME(T, float) || SPRUE_IS_SAME(T, half) || SPRUE_IS_SAME(T, bfloat);
};
template <typename T>
using floating = typename enable_if<is_floating<T>::value, T>::type;
template <typename T, typename U>
using mixed = typename enable_if<(SPRUE_IS_SAME(T, bfloat) && SPRUE_IS_SAME(U, float)) ||
                                     (SPRUE_IS_SAME(T, float) && SPRUE_IS_SAME(U, bfloat)),
                                 float>::type;
// Distance from 1 to the next number of T.
template <typename T>
SPRUE_INLINE constexpr float ulp_of_one() {
  return SPRUE_IS_SAME(T, half) ? 0x1p-10f : SPRUE_IS_SAME(T, bfloat) ? 0x1p-7f : 0x1p-23f;
}
template <typename T>
using integer = typename enable_if<is_integer<T>::value && !SPRUE_IS_SAME(T, bool), T>::type;
template <typename T>
using number = typename enable_if<is_floating<T>::value || is_integer<T>::value, T>::type;
}  // namespace sprue_types

// Templates: a kernel pays only for the functions that it calls.
namespace metal {

#define SPRUE_UNARY(name)                                           \
  template <typename T>                                             \
  SPRUE_INLINE sprue_types::floating<T> name(T x) {                 \
    return static_cast<T>(sprue_math::name(static_cast<float>(x))); \
  }
#ifdef SPRUE_WITH_ELEMENTARY
SPRUE_UNARY(exp)
SPRUE_UNARY(exp2)
SPRUE_UNARY(exp10)
SPRUE_UNARY(expm1)
SPRUE_UNARY(log)
SPRUE_UNARY(log2)
SPRUE_UNARY(log10)
SPRUE_UNARY(log1p)
SPRUE_UNARY(sin)
SPRUE_UNARY(cos)
SPRUE_UNARY(tan)
SPRUE_UNARY(sinpi)
SPRUE_UNARY(cospi)
SPRUE_UNARY(tanpi)
SPRUE_UNARY(asin)
SPRUE_UNARY(acos)
SPRUE_UNARY(atan)
SPRUE_UNARY(sinh)
SPRUE_UNARY(cosh)
SPRUE_UNARY(tanh)
SPRUE_UNARY(asinh)
SPRUE_UNARY(acosh)
SPRUE_UNARY(atanh)
#endif
SPRUE_UNARY(sqrt)
SPRUE_UNARY(rsqrt)
SPRUE_UNARY(floor)
SPRUE_UNARY(ceil)
SPRUE_UNARY(trunc)
SPRUE_UNARY(rint)
SPRUE_UNARY(round)
SPRUE_UNARY(sign)
#undef SPRUE_UNARY

// Below 1 in T: the float just below 1 would round up to it.
template <typename T>
SPRUE_INLINE sprue_types::floating<T> fract(T x) {
  const T below_one = static_cast<T>(1.0f - sprue_types::ulp_of_one<T>() / 2);
  const T fraction = static_cast<T>(sprue_math::fract(static_cast<float>(x)));
  return below_one < fraction ? below_one : fraction;
}

#define SPRUE_BINARY(name)                                                                 \
  template <typename T>                                                                    \
  SPRUE_INLINE sprue_types::floating<T> name(T x, T y) {                                   \
    return static_cast<T>(sprue_math::name(static_cast<float>(x), static_cast<float>(y))); \
  }                                                                                        \
  template <typename T, typename U>                                                        \
  SPRUE_INLINE sprue_types::mixed<T, U> name(T x, U y) {                                   \
    return sprue_math::name(static_cast<float>(x), static_cast<float>(y));                 \
  }
#ifdef SPRUE_WITH_ELEMENTARY
SPRUE_BINARY(pow)
SPRUE_BINARY(powr)
SPRUE_BINARY(atan2)
#endif
SPRUE_BINARY(fmod)
SPRUE_BINARY(fmin)
SPRUE_BINARY(fmax)
SPRUE_BINARY(fdim)
SPRUE_BINARY(copysign)
SPRUE_BINARY(divide)
#undef SPRUE_BINARY

SPRUE_INLINE float fma(float a, float b, float c) { return sprue_math::fma(a, b, c); }
SPRUE_INLINE half fma(half a, half b, half c) { return sprue_types::fused(a, b, c); }
SPRUE_INLINE bfloat fma(bfloat a, bfloat b, bfloat c) {
  return bfloat(
      sprue_math::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}

template <typename T>
SPRUE_INLINE sprue_types::floating<T> fabs(T x) {
  return static_cast<T>(sprue_math::abs(static_cast<float>(x)));
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> abs(T x) {
  return metal::fabs(x);
}
template <typename T>
SPRUE_INLINE constexpr sprue_types::integer<T> abs(T x) {
  return static_cast<T>(x < T(0) ? -x : x);
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> ldexp(T x, int exponent) {
  return static_cast<T>(sprue_math::ldexp(static_cast<float>(x), exponent));
}

#define SPRUE_CLASSIFY(name)                                                                   \
  template <typename T>                                                                        \
  SPRUE_INLINE typename sprue_types::enable_if<sprue_types::is_floating<T>::value, bool>::type \
  name(T x) {                                                                                  \
    return sprue_math::name(static_cast<float>(x));                                            \
  }
SPRUE_CLASSIFY(isnan)
SPRUE_CLASSIFY(isinf)
SPRUE_CLASSIFY(isfinite)
SPRUE_CLASSIFY(signbit)
#undef SPRUE_CLASSIFY

// min, max and clamp of floats ignore a NaN argument, as fmin and fmax do.
#define SPRUE_ORDER(name, floating_name, integer_expression)      \
  template <typename T>                                           \
  SPRUE_INLINE sprue_types::floating<T> name(T a, T b) {          \
    return metal::floating_name(a, b);                            \
  }                                                               \
  template <typename T, typename U>                               \
  SPRUE_INLINE sprue_types::mixed<T, U> name(T a, U b) {          \
    return metal::floating_name(a, b);                            \
  }                                                               \
  template <typename T>                                           \
  SPRUE_INLINE constexpr sprue_types::integer<T> name(T a, T b) { \
    return integer_expression;                                    \
  }
SPRUE_ORDER(min, fmin, b < a ? b : a)
SPRUE_ORDER(max, fmax, a < b ? b : a)
#undef SPRUE_ORDER
template <typename T>
SPRUE_INLINE constexpr sprue_types::number<T> clamp(T x, T lowest, T highest) {
  return metal::min(metal::max(x, lowest), highest);
}

template <typename T>
SPRUE_INLINE constexpr T select(T otherwise, T chosen, bool condition) {
  return condition ? chosen : otherwise;
}

}  // namespace metal

using namespace metal;
