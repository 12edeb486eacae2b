// What the text of a custom kernel finds around it: the names that MLX puts in front of one, written
// anew. Left out, for no known kernel uses them: logging, elem_to_loc over two or three arrays, the
// functions of complex numbers.
#include <metal_stdlib>
#include <metal_simdgroup>
using namespace metal;

typedef half float16_t;
typedef bfloat bfloat16_t;

// ---- Functions of bfloat: through float, rounded once. Metal's own know float and half only.
#define SPRUE_UNARY(from, name) \
  inline bfloat name(bfloat x) { return static_cast<bfloat>(from name(static_cast<float>(x))); }
#define SPRUE_BINARY(from, name)                                                         \
  inline bfloat name(bfloat x, bfloat y) {                                               \
    return static_cast<bfloat>(from name(static_cast<float>(x), static_cast<float>(y))); \
  }
#define SPRUE_TERNARY(from, name)                                                        \
  inline bfloat name(bfloat x, bfloat y, bfloat z) {                                     \
    return static_cast<bfloat>(                                                          \
        from name(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z))); \
  }
// Those that Metal has in a fast and in a precise form.
#define SPRUE_TRANSCENDENTAL(from)                                           \
  SPRUE_UNARY(from, exp) SPRUE_UNARY(from, exp2) SPRUE_UNARY(from, exp10)    \
  SPRUE_UNARY(from, log) SPRUE_UNARY(from, log2) SPRUE_UNARY(from, log10)    \
  SPRUE_UNARY(from, sin) SPRUE_UNARY(from, cos) SPRUE_UNARY(from, tan)       \
  SPRUE_UNARY(from, asin) SPRUE_UNARY(from, acos) SPRUE_UNARY(from, atan)    \
  SPRUE_UNARY(from, sinh) SPRUE_UNARY(from, cosh) SPRUE_UNARY(from, tanh)    \
  SPRUE_UNARY(from, asinh) SPRUE_UNARY(from, acosh) SPRUE_UNARY(from, atanh) \
  SPRUE_UNARY(from, sqrt) SPRUE_UNARY(from, rsqrt)                           \
  SPRUE_BINARY(from, pow) SPRUE_BINARY(from, powr) SPRUE_BINARY(from, atan2) \
  SPRUE_BINARY(from, divide)
#define SPRUE_MOVE(name, position)                                             \
  inline bfloat name(bfloat value, position where) {                           \
    return static_cast<bfloat>(metal::name(static_cast<float>(value), where)); \
  }

namespace metal {
SPRUE_TRANSCENDENTAL(metal::)
SPRUE_UNARY(metal::, abs)
SPRUE_UNARY(metal::, fabs)
SPRUE_UNARY(metal::, ceil)
SPRUE_UNARY(metal::, floor)
SPRUE_UNARY(metal::, trunc)
SPRUE_UNARY(metal::, rint)
SPRUE_UNARY(metal::, round)
SPRUE_UNARY(metal::, fract)
SPRUE_UNARY(metal::, sinpi)
SPRUE_UNARY(metal::, cospi)
SPRUE_UNARY(metal::, tanpi)
SPRUE_BINARY(metal::, max)
SPRUE_BINARY(metal::, min)
SPRUE_BINARY(metal::, fmax)
SPRUE_BINARY(metal::, fmin)
SPRUE_BINARY(metal::, fdim)
SPRUE_BINARY(metal::, fmod)
SPRUE_TERNARY(metal::, fma)
SPRUE_TERNARY(metal::, clamp)
inline bfloat ldexp(bfloat x, int exponent) {
  return static_cast<bfloat>(metal::ldexp(static_cast<float>(x), exponent));
}

SPRUE_UNARY(metal::, simd_sum)
SPRUE_UNARY(metal::, simd_product)
SPRUE_UNARY(metal::, simd_max)
SPRUE_UNARY(metal::, simd_min)
SPRUE_UNARY(metal::, simd_prefix_inclusive_sum)
SPRUE_UNARY(metal::, simd_prefix_exclusive_sum)
SPRUE_UNARY(metal::, simd_prefix_inclusive_product)
SPRUE_UNARY(metal::, simd_prefix_exclusive_product)
SPRUE_UNARY(metal::, simd_broadcast_first)
SPRUE_MOVE(simd_broadcast, ushort)
SPRUE_MOVE(simd_shuffle, ushort)
SPRUE_MOVE(simd_shuffle_xor, ushort)
SPRUE_MOVE(simd_shuffle_up, ushort)
SPRUE_MOVE(simd_shuffle_down, ushort)
SPRUE_MOVE(simd_shuffle_rotate_up, ushort)
SPRUE_MOVE(simd_shuffle_rotate_down, ushort)

namespace fast {
SPRUE_TRANSCENDENTAL(metal::fast::)
}
namespace precise {
SPRUE_TRANSCENDENTAL(metal::precise::)
}
}  // namespace metal

#undef SPRUE_MOVE
#undef SPRUE_TRANSCENDENTAL
#undef SPRUE_TERNARY
#undef SPRUE_BINARY
#undef SPRUE_UNARY

// ---- Complex numbers
struct complex64_t {
  float real;
  float imag;

  constexpr complex64_t() : real(0), imag(0) {}
  constexpr complex64_t(float real_part, float imaginary_part = 0)
      : real(real_part), imag(imaginary_part) {}
};
constexpr complex64_t operator+(complex64_t a, complex64_t b) {
  return complex64_t(a.real + b.real, a.imag + b.imag);
}
constexpr complex64_t operator-(complex64_t a, complex64_t b) {
  return complex64_t(a.real - b.real, a.imag - b.imag);
}
constexpr complex64_t operator-(complex64_t a) { return complex64_t(-a.real, -a.imag); }
constexpr complex64_t operator*(complex64_t a, complex64_t b) {
  return complex64_t(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}
constexpr complex64_t operator/(complex64_t a, complex64_t b) {
  const float norm = b.real * b.real + b.imag * b.imag;
  return complex64_t((a.real * b.real + a.imag * b.imag) / norm,
                     (a.imag * b.real - a.real * b.imag) / norm);
}
constexpr bool operator==(complex64_t a, complex64_t b) {
  return a.real == b.real && a.imag == b.imag;
}
constexpr bool operator!=(complex64_t a, complex64_t b) { return !(a == b); }

// ---- Limits<T>: the extreme values of a type, and its extreme finite ones
template <typename T>
struct Limits {
  static constexpr constant T max = numeric_limits<T>::max();
  static constexpr constant T min = numeric_limits<T>::min();
  static constexpr constant T finite_max = numeric_limits<T>::max();
  static constexpr constant T finite_min = numeric_limits<T>::min();
};
#define SPRUE_FLOATING_LIMITS(type)                                           \
  template <>                                                                 \
  struct Limits<type> {                                                       \
    static constexpr constant type max = numeric_limits<type>::infinity();    \
    static constexpr constant type min = -numeric_limits<type>::infinity();   \
    static constexpr constant type finite_max = numeric_limits<type>::max();  \
    static constexpr constant type finite_min = -numeric_limits<type>::max(); \
  };
SPRUE_FLOATING_LIMITS(float)
SPRUE_FLOATING_LIMITS(half)
SPRUE_FLOATING_LIMITS(bfloat)
#undef SPRUE_FLOATING_LIMITS
template <>
struct Limits<bool> {
  static constexpr constant bool max = true;
  static constexpr constant bool min = false;
};

// ---- Where an element of a strided array lies, in elements
template <typename Index>
inline int64_t elem_to_loc(Index element, constant const int* shape,
                           constant const int64_t* strides, int ndim) {
  int64_t location = 0;
  for (int axis = ndim - 1; axis >= 0; --axis) {
    const Index extent = static_cast<Index>(shape[axis]);
    location += static_cast<int64_t>(element % extent) * strides[axis];
    element /= extent;
  }
  return location;
}
// x and y index the last two axes, z all those before them.
inline int64_t elem_to_loc(uint3 element, constant const int* shape,
                           constant const int64_t* strides, int ndim) {
  return static_cast<int64_t>(element.x) * strides[ndim - 1] +
         static_cast<int64_t>(element.y) * strides[ndim - 2] +
         elem_to_loc(element.z, shape, strides, ndim - 2);
}
inline int64_t elem_to_loc_1(uint element, constant const int64_t& stride) {
  return static_cast<int64_t>(element) * stride;
}
inline int64_t elem_to_loc_2(uint2 element, constant const int64_t* strides) {
  return static_cast<int64_t>(element.x) * strides[1] +
         static_cast<int64_t>(element.y) * strides[0];
}
inline int64_t elem_to_loc_3(uint3 element, constant const int64_t* strides) {
  return static_cast<int64_t>(element.x) * strides[2] +
         static_cast<int64_t>(element.y) * strides[1] +
         static_cast<int64_t>(element.z) * strides[0];
}

// ---- Arithmetic
template <typename T, typename U>
constexpr T ceildiv(T dividend, U divisor) {
  return (dividend + divisor - 1) / divisor;
}

// The rounding error of 1 + x cancels between the logarithm and the divisor.
inline float log1p(float x) {
  const float sum = 1.0f + x;
  if (sum == 1.0f) return x;
  return sum == x ? metal::log(x) : metal::log(sum) * (x / (sum - 1.0f));
}
inline bfloat log1p(bfloat x) { return static_cast<bfloat>(log1p(static_cast<float>(x))); }

// ---- Shuffles of what Metal doesn't shuffle: as two words, as one, as two floats
#define SPRUE_SHUFFLE(name)                                                             \
  inline uint64_t name(uint64_t value, ushort where) {                                  \
    return as_type<uint64_t>(metal::name(as_type<uint2>(value), where));                \
  }                                                                                     \
  inline int64_t name(int64_t value, ushort where) {                                    \
    return as_type<int64_t>(metal::name(as_type<uint2>(value), where));                 \
  }                                                                                     \
  inline bool name(bool value, ushort where) {                                          \
    return metal::name(static_cast<uint>(value), where) != 0;                           \
  }                                                                                     \
  inline complex64_t name(complex64_t value, ushort where) {                            \
    return complex64_t(metal::name(value.real, where), metal::name(value.imag, where)); \
  }
SPRUE_SHUFFLE(simd_shuffle)
SPRUE_SHUFFLE(simd_shuffle_xor)
SPRUE_SHUFFLE(simd_shuffle_up)
SPRUE_SHUFFLE(simd_shuffle_down)
#undef SPRUE_SHUFFLE
