// Vectors as a whole: any and all, and the geometric functions. The latter compute in float, in the
// order of the components and without fused operations, and round once to the element type.
#pragma once

namespace metal {

SPRUE_INLINE constexpr bool any(bool a) { return a; }
SPRUE_INLINE constexpr bool all(bool a) { return a; }
template <int N>
SPRUE_INLINE constexpr bool any(const vec<bool, N>& a) {
  bool result = a.x || a.y;
  if constexpr (N > 2) result = result || a.z;
  if constexpr (N > 3) result = result || a.w;
  return result;
}
template <int N>
SPRUE_INLINE constexpr bool all(const vec<bool, N>& a) {
  bool result = a.x && a.y;
  if constexpr (N > 2) result = result && a.z;
  if constexpr (N > 3) result = result && a.w;
  return result;
}

}  // namespace metal

namespace sprue_vector {

template <int N>
SPRUE_INLINE float dot(const metal::vec<float, N>& a, const metal::vec<float, N>& b) {
  float sum = a.x * b.x + a.y * b.y;
  if constexpr (N > 2) sum += a.z * b.z;
  if constexpr (N > 3) sum += a.w * b.w;
  return sum;
}
template <int N>
SPRUE_INLINE float length(const metal::vec<float, N>& a) {
  return sprue_math::sqrt(dot(a, a));
}
template <int N>
SPRUE_INLINE metal::vec<float, N> normalize(const metal::vec<float, N>& a) {
  return a * sprue_math::rsqrt(dot(a, a));
}
SPRUE_INLINE metal::vec<float, 3> cross(const metal::vec<float, 3>& a,
                                        const metal::vec<float, 3>& b) {
  return metal::vec<float, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <int N>
SPRUE_INLINE metal::vec<float, N> reflect(const metal::vec<float, N>& incident,
                                          const metal::vec<float, N>& normal) {
  return incident - 2.0f * dot(normal, incident) * normal;
}
template <int N>
SPRUE_INLINE metal::vec<float, N> refract(const metal::vec<float, N>& incident,
                                          const metal::vec<float, N>& normal, float ratio) {
  const float cosine = dot(normal, incident);
  const float k = 1.0f - ratio * ratio * (1.0f - cosine * cosine);
  if (k < 0.0f) return metal::vec<float, N>(0.0f);
  return ratio * incident - (ratio * cosine + sprue_math::sqrt(k)) * normal;
}

template <typename T, int N>
using floats = typename enable_if<is_floating<T>::value, metal::vec<float, N>>::type;

}  // namespace sprue_vector

namespace metal {

// F: a vector of floats; there if T is a floating type.
#define SPRUE_FLOATS typename F = sprue_vector::floats<T, N>
#define SPRUE_GEOMETRIC_OF_ONE(R, name)              \
  template <typename T, int N, bool P, SPRUE_FLOATS> \
  SPRUE_INLINE R name(const vec<T, N, P>& a) {       \
    return static_cast<R>(sprue_vector::name(F(a))); \
  }
#define SPRUE_GEOMETRIC_OF_TWO(R, name)                               \
  template <typename T, int N, bool P, bool Q, SPRUE_FLOATS>          \
  SPRUE_INLINE R name(const vec<T, N, P>& a, const vec<T, N, Q>& b) { \
    return static_cast<R>(sprue_vector::name(F(a), F(b)));            \
  }
#define SPRUE_VECTOR_TYPE vec<T, N>
SPRUE_GEOMETRIC_OF_ONE(T, length)
SPRUE_GEOMETRIC_OF_ONE(SPRUE_VECTOR_TYPE, normalize)
SPRUE_GEOMETRIC_OF_TWO(T, dot)
SPRUE_GEOMETRIC_OF_TWO(SPRUE_VECTOR_TYPE, cross)
SPRUE_GEOMETRIC_OF_TWO(SPRUE_VECTOR_TYPE, reflect)
template <typename T, int N, bool P, SPRUE_FLOATS>
SPRUE_INLINE T length_squared(const vec<T, N, P>& a) {
  return metal::dot(a, a);
}
template <typename T, int N, bool P, bool Q, SPRUE_FLOATS>
SPRUE_INLINE T distance_squared(const vec<T, N, P>& a, const vec<T, N, Q>& b) {
  return static_cast<T>(metal::length_squared(F(a) - F(b)));
}
template <typename T, int N, bool P, bool Q, SPRUE_FLOATS>
SPRUE_INLINE T distance(const vec<T, N, P>& a, const vec<T, N, Q>& b) {
  return static_cast<T>(sprue_vector::length(F(a) - F(b)));
}
template <typename T, int N, typename S, SPRUE_FLOATS>
SPRUE_INLINE vec<T, N> refract(const vec<T, N>& incident, const vec<T, N>& normal, S ratio) {
  static_assert(sprue_vector::mixes<S, T>::value, "refract takes a scalar of the vectors' type");
  return static_cast<vec<T, N>>(
      sprue_vector::refract(F(incident), F(normal), static_cast<float>(static_cast<T>(ratio))));
}
template <typename T, int N, SPRUE_FLOATS>
SPRUE_INLINE vec<T, N> faceforward(const vec<T, N>& normal, const vec<T, N>& incident,
                                   const vec<T, N>& reference) {
  return sprue_vector::dot(F(reference), F(incident)) < 0.0f ? normal : normal * T(-1);
}
#undef SPRUE_VECTOR_TYPE
#undef SPRUE_GEOMETRIC_OF_TWO
#undef SPRUE_GEOMETRIC_OF_ONE
#undef SPRUE_FLOATS

}  // namespace metal
