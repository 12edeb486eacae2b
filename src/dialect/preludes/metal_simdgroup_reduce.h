// simd_sum and its kind: one value from those of the active lanes, or a running one.
//
//   float total = simd_sum(x);   uint before = simd_prefix_exclusive_sum(n);   uint3 top = simd_max(v);
//
// Integers of every size, half, bfloat, float and vectors of them; more than Metal, which has no 64-bit
// ones. A lane that is missing counts as the identity: -0.0 in a sum of floats, infinity in a minimum.
//
// The order is fixed, so that every device gives the same bits: a reduction is a butterfly by XOR 16, 8,
// 4, 2, 1; a running sum adds the value 1, 2, 4, 8, 16 lanes below. Each step rounds to the type; bfloat
// alone goes through float and is rounded once, as MLX does it.
#pragma once

namespace sprue_simdgroup {

// -0 is the sum's identity: -0 + -0 is -0, and 0 would lose the sign.
struct Sum {
  template <typename E>
  static constexpr E identity() {
    return E(SPRUE_IS_INTEGRAL(E) ? 0.0f : -0.0f);
  }
  template <typename T>
  static constexpr T of_none() {
    return T(0);
  }
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};

struct Product {
  template <typename E>
  static constexpr E identity() {
    return E(1);
  }
  template <typename T>
  static constexpr T of_none() {
    return T(1);
  }
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a * b);
  }
};

// Limits of T as bit patterns: the prelude has no std::numeric_limits.
template <typename E>
SPRUE_INLINE constexpr E highest() {
  if constexpr (!SPRUE_IS_INTEGRAL(E))
    return E(SPRUE_INFINITY);
  else if constexpr (E(-1) < E(0))
    return E(~(1ull << (8 * sizeof(E) - 1)) & (~0ull >> (64 - 8 * sizeof(E))));
  else
    return E(~0ull);
}

struct Maximum {
  template <typename E>
  static constexpr E identity() {
    if constexpr (SPRUE_IS_INTEGRAL(E))
      return E(~highest<E>());
    else
      return E(-SPRUE_INFINITY);
  }
  template <typename E>
  static E apply(E a, E b) {
    return metal::max(a, b);
  }
};

struct Minimum {
  template <typename E>
  static constexpr E identity() {
    return highest<E>();
  }
  template <typename E>
  static E apply(E a, E b) {
    return metal::min(a, b);
  }
};

#define SPRUE_BITWISE(name, op, none) \
  struct name {                       \
    template <typename E>             \
    static constexpr E identity() {   \
      return E(none);                 \
    }                                 \
    template <typename T>             \
    static T apply(T a, T b) {        \
      return static_cast<T>(a op b);  \
    }                                 \
  };
SPRUE_BITWISE(And, &, ~0ull)
SPRUE_BITWISE(Or, |, 0)
SPRUE_BITWISE(Xor, ^, 0)
#undef SPRUE_BITWISE

// bfloat's steps are those of float.
template <typename E>
struct stepping {
  typedef E type;
};
template <>
struct stepping<bfloat> {
  typedef float type;
};

// The target's. A vector is reduced component by component. A running value is inclusive or exclusive.
template <typename Operation, uint kWidth, typename T>
SPRUE_INLINE T reduce(T value);
template <typename Operation, uint kWidth, bool kInclusive, typename T>
SPRUE_INLINE T scan(T value);

}  // namespace sprue_simdgroup

namespace metal {

// A user's mistake is one error: nothing is built on a type that doesn't fit.
#define SPRUE_REDUCTION(name, kind, types, ...)                     \
  template <typename T>                                             \
  SPRUE_INLINE T name(T value) {                                    \
    constexpr bool fits = sprue_simdgroup::element<T>::is_##kind;   \
    static_assert(fits, #name " takes " types);                     \
    if constexpr (fits) return sprue_simdgroup::__VA_ARGS__(value); \
    return value;                                                   \
  }
#define SPRUE_NUMBER_REDUCTION(name, ...)                                                  \
  SPRUE_REDUCTION(name, number, "an integer, a floating-point number or a vector of them", \
                  __VA_ARGS__)
#define SPRUE_INTEGER_REDUCTION(name, ...) \
  SPRUE_REDUCTION(name, integer, "an integer or a vector of integers", __VA_ARGS__)
// `group` is simd or quad, of so many lanes.
#define SPRUE_REDUCTIONS(group, width)                                                           \
  SPRUE_NUMBER_REDUCTION(group##_sum, reduce<sprue_simdgroup::Sum, width>)                       \
  SPRUE_NUMBER_REDUCTION(group##_product, reduce<sprue_simdgroup::Product, width>)               \
  SPRUE_NUMBER_REDUCTION(group##_min, reduce<sprue_simdgroup::Minimum, width>)                   \
  SPRUE_NUMBER_REDUCTION(group##_max, reduce<sprue_simdgroup::Maximum, width>)                   \
  SPRUE_INTEGER_REDUCTION(group##_and, reduce<sprue_simdgroup::And, width>)                      \
  SPRUE_INTEGER_REDUCTION(group##_or, reduce<sprue_simdgroup::Or, width>)                        \
  SPRUE_INTEGER_REDUCTION(group##_xor, reduce<sprue_simdgroup::Xor, width>)                      \
  SPRUE_NUMBER_REDUCTION(group##_prefix_inclusive_sum, scan<sprue_simdgroup::Sum, width, true>)  \
  SPRUE_NUMBER_REDUCTION(group##_prefix_exclusive_sum, scan<sprue_simdgroup::Sum, width, false>) \
  SPRUE_NUMBER_REDUCTION(group##_prefix_inclusive_product,                                       \
                         scan<sprue_simdgroup::Product, width, true>)                            \
  SPRUE_NUMBER_REDUCTION(group##_prefix_exclusive_product,                                       \
                         scan<sprue_simdgroup::Product, width, false>)
SPRUE_REDUCTIONS(simd, 32)

}  // namespace metal
