// The little of cuda::std that MLX's kernels use: array, numeric_limits, a few type traits.
#pragma once

namespace cuda {
namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;

template <typename T, size_t N>
struct array {
  T elements_[N];

  SPRUE_MEMBER constexpr T& operator[](size_t i) { return elements_[i]; }
  SPRUE_MEMBER constexpr const T& operator[](size_t i) const { return elements_[i]; }
  SPRUE_MEMBER constexpr T* data() { return elements_; }
  SPRUE_MEMBER constexpr const T* data() const { return elements_; }
  SPRUE_MEMBER constexpr T* begin() { return elements_; }
  SPRUE_MEMBER constexpr const T* begin() const { return elements_; }
  SPRUE_MEMBER constexpr T* end() { return elements_ + N; }
  SPRUE_MEMBER constexpr const T* end() const { return elements_ + N; }
  SPRUE_MEMBER static constexpr size_t size() { return N; }
};

template <typename T, typename U>
constexpr bool is_same_v = __is_same(T, U);
template <typename T, typename U>
struct is_same {
  static constexpr bool value = __is_same(T, U);
};
template <typename T>
constexpr bool is_integral_v = __is_integral(T);
template <typename T>
constexpr bool is_floating_point_v = __is_floating_point(T);
template <bool kFirst, typename T, typename U>
struct conditional {
  typedef T type;
};
template <typename T, typename U>
struct conditional<false, T, U> {
  typedef U type;
};
template <bool kFirst, typename T, typename U>
using conditional_t = typename conditional<kFirst, T, U>::type;
template <bool, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  typedef T type;
};
template <bool kIs, typename T = void>
using enable_if_t = typename enable_if<kIs, T>::type;
template <typename T>
using remove_cv_t = __remove_cv(T);
template <typename T>
using remove_reference_t = __remove_reference_t(T);

template <typename T>
struct numeric_limits {
  static_assert(__is_integral(T),
                "numeric_limits<T> is for integers, __half, __nv_bfloat16, float and double");
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr T min() {
    if constexpr (__is_same(T, bool)) return false;
    return is_signed ? T(1ull << (8 * sizeof(T) - 1)) : T(0);
  }
  static constexpr T max() {
    if constexpr (__is_same(T, bool)) return true;
    return T(~min());
  }
  static constexpr T lowest() { return min(); }
};
#define SPRUE_LIMITS(T, largest, smallest, step)                     \
  template <>                                                        \
  struct numeric_limits<T> {                                         \
    static constexpr bool is_signed = true;                          \
    static constexpr T min() { return T(smallest); }                 \
    static constexpr T max() { return T(largest); }                  \
    static constexpr T lowest() { return T(-largest); }              \
    static constexpr T epsilon() { return T(step); }                 \
    static constexpr T infinity() { return T(__builtin_inff()); }    \
    static constexpr T quiet_NaN() { return T(__builtin_nanf("")); } \
  };
SPRUE_LIMITS(float, 0x1.fffffep127f, 0x1p-126f, 0x1p-23f)
SPRUE_LIMITS(double, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-52)
#ifdef SPRUE_WITH_HALF
SPRUE_LIMITS(__half, 65504.0f, 0x1p-14f, 0x1p-10f)
SPRUE_LIMITS(__nv_bfloat16, 0x1.fep127f, 0x1p-126f, 0x1p-7f)
#endif
#undef SPRUE_LIMITS

}  // namespace std
}  // namespace cuda
