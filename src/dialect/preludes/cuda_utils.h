// What MLX's utils.cuh gives custom kernels: shapes, elem_to_loc, limits, vectors of elements, complex64_t.
#pragma once

namespace mlx {
namespace core {
namespace cu {

constexpr int MAX_NDIM = 10;
constexpr int WARP_SIZE = 32;
using Shape = cuda::std::array<int32_t, MAX_NDIM>;
using Strides = cuda::std::array<int64_t, MAX_NDIM>;

struct complex64_t {
  float x, y;

  complex64_t() = default;
  SPRUE_MEMBER constexpr complex64_t(float real, float imaginary = 0.0f) : x(real), y(imaginary) {}
  SPRUE_MEMBER constexpr float real() const { return x; }
  SPRUE_MEMBER constexpr float imag() const { return y; }
};
SPRUE_INLINE constexpr complex64_t operator+(complex64_t a, complex64_t b) {
  return {a.x + b.x, a.y + b.y};
}
SPRUE_INLINE constexpr complex64_t operator-(complex64_t a, complex64_t b) {
  return {a.x - b.x, a.y - b.y};
}
SPRUE_INLINE constexpr complex64_t operator-(complex64_t a) { return {-a.x, -a.y}; }
SPRUE_INLINE constexpr complex64_t operator*(complex64_t a, complex64_t b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
SPRUE_INLINE constexpr bool operator==(complex64_t a, complex64_t b) {
  return a.x == b.x && a.y == b.y;
}
SPRUE_INLINE constexpr bool operator!=(complex64_t a, complex64_t b) { return !(a == b); }

template <typename T>
struct Limits {
  static constexpr T max() {
    if constexpr (__is_integral(T))
      return cuda::std::numeric_limits<T>::max();
    else
      return cuda::std::numeric_limits<T>::infinity();
  }
  static constexpr T min() {
    if constexpr (__is_integral(T))
      return cuda::std::numeric_limits<T>::min();
    else
      return T(-__builtin_inff());
  }
  static constexpr T finite_max() { return cuda::std::numeric_limits<T>::max(); }
  static constexpr T finite_min() { return cuda::std::numeric_limits<T>::lowest(); }
};

template <typename T>
SPRUE_INLINE constexpr T ceildiv(T a, T b) {
  return (a + (b - 1)) / b;
}

// The offset of element `elem` in row-major order.
template <typename IdxT = int64_t>
SPRUE_INLINE IdxT elem_to_loc(IdxT elem, const int* shape, const int64_t* strides, int ndim) {
  IdxT location = 0;
  for (int i = ndim - 1; i >= 0 && elem > 0; --i) {
    const IdxT extent = static_cast<IdxT>(shape[i]);
    location += elem % extent * static_cast<IdxT>(strides[i]);
    elem /= extent;
  }
  return location;
}

template <typename T, int N>
struct __attribute__((aligned(sizeof(T) * N))) AlignedVector {
  T val[N];
  SPRUE_MEMBER T& operator[](int i) { return val[i]; }
  SPRUE_MEMBER T operator[](int i) const { return val[i]; }
};
// N elements from the N * offset-th on.
template <int N, typename T>
SPRUE_INLINE AlignedVector<T, N> load_vector(const T* from, uint32_t offset) {
  AlignedVector<T, N> vector;
  for (int i = 0; i < N; ++i) vector.val[i] = from[static_cast<size_t>(offset) * N + i];
  return vector;
}
template <int N, typename T>
SPRUE_INLINE void store_vector(T* to, uint32_t offset, const AlignedVector<T, N>& vector) {
  for (int i = 0; i < N; ++i) to[static_cast<size_t>(offset) * N + i] = vector.val[i];
}

}  // namespace cu
}  // namespace core
}  // namespace mlx
