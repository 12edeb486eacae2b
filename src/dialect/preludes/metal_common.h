// The rest of the scalar functions: classification, parts of numbers, blends and the middle of three.
// What rounds goes through float and rounds once, as in metal_library.h.
#pragma once

namespace metal {

template <typename T>
SPRUE_INLINE typename sprue_types::enable_if<sprue_types::is_floating<T>::value, bool>::type
isnormal(T x) {
  // The smallest normal half is a multiple of 2^-14; bfloat has float's exponents.
  const float smallest = SPRUE_IS_SAME(T, half) ? 0x1p-14f : 0x1p-126f;
  return sprue_math::isfinite(static_cast<float>(x)) &&
         sprue_math::abs(static_cast<float>(x)) >= smallest;
}
template <typename T>
SPRUE_INLINE typename sprue_types::enable_if<sprue_types::is_floating<T>::value, bool>::type
isunordered(T x, T y) {
  return metal::isnan(x) || metal::isnan(y);
}
template <typename T>
SPRUE_INLINE typename sprue_types::enable_if<sprue_types::is_floating<T>::value, bool>::type
isordered(T x, T y) {
  return !metal::isunordered(x, y);
}

template <typename T>
SPRUE_INLINE sprue_types::floating<T> sincos(T x, T& cosine) {
  const T sine = metal::sin(x);
  cosine = metal::cos(x);
  return sine;
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> modf(T x, T& integral) {
  float whole;
  const T fraction = static_cast<T>(sprue_math::modf(static_cast<float>(x), whole));
  integral = static_cast<T>(whole);
  return fraction;
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> frexp(T x, int& exponent) {
  return static_cast<T>(sprue_math::frexp(static_cast<float>(x), exponent));
}
template <typename T>
SPRUE_INLINE typename sprue_types::enable_if<sprue_types::is_floating<T>::value, int>::type ilogb(
    T x) {
  return sprue_math::ilogb(static_cast<float>(x));
}
SPRUE_INLINE float nextafter(float from, float to) { return sprue_math::nextafter(from, to); }
// Neighbours of a half or bfloat differ by one in their bits.
template <typename T>
SPRUE_INLINE typename sprue_types::enable_if<sizeof(sprue_types::floating<T>) == 2, T>::type
nextafter(T from, T to) {
  const float a = static_cast<float>(from), b = static_cast<float>(to);
  ushort bits = as_type<ushort>(from);
  if (sprue_math::isnan(a) || sprue_math::isnan(b)) return static_cast<T>(a + b);
  if (a == b) return to;
  if (a == 0.0f)
    bits = static_cast<ushort>((as_type<ushort>(to) & 0x8000u) | 1u);
  else
    bits = static_cast<ushort>((a < b) == (a > 0.0f) ? bits + 1 : bits - 1);
  return as_type<T>(bits);
}

// x + (y - x) * a
template <typename T>
SPRUE_INLINE sprue_types::floating<T> mix(T x, T y, T a) {
  const float low = static_cast<float>(x);
  return static_cast<T>(low + (static_cast<float>(y) - low) * static_cast<float>(a));
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> saturate(T x) {
  return metal::clamp(x, static_cast<T>(0.0f), static_cast<T>(1.0f));
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> step(T edge, T x) {
  return static_cast<T>(x < edge ? 0.0f : 1.0f);
}
template <typename T>
SPRUE_INLINE sprue_types::floating<T> smoothstep(T edge0, T edge1, T x) {
  const float low = static_cast<float>(edge0);
  const float t =
      metal::saturate((static_cast<float>(x) - low) / (static_cast<float>(edge1) - low));
  return static_cast<T>(t * t * (3.0f - 2.0f * t));
}

// Of floats: a NaN argument is ignored.
#define SPRUE_OF_THREE(prefix)                                                  \
  template <typename T>                                                         \
  SPRUE_INLINE sprue_types::number<T> prefix##min3(T x, T y, T z) {             \
    return metal::prefix##min(x, metal::prefix##min(y, z));                     \
  }                                                                             \
  template <typename T>                                                         \
  SPRUE_INLINE sprue_types::number<T> prefix##max3(T x, T y, T z) {             \
    return metal::prefix##max(x, metal::prefix##max(y, z));                     \
  }                                                                             \
  template <typename T>                                                         \
  SPRUE_INLINE sprue_types::number<T> prefix##median3(T x, T y, T z) {          \
    return metal::prefix##max(metal::prefix##min(x, y),                         \
                              metal::prefix##min(metal::prefix##max(x, y), z)); \
  }
SPRUE_OF_THREE()
SPRUE_OF_THREE(f)
#undef SPRUE_OF_THREE

}  // namespace metal
