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
    return E(__is_integral(E) ? 0.0f : -0.0f);
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
  if constexpr (!__is_integral(E))
    return E(__builtin_inff());
  else if constexpr (E(-1) < E(0))
    return E(~(1ull << (8 * sizeof(E) - 1)) & (~0ull >> (64 - 8 * sizeof(E))));
  else
    return E(~0ull);
}

struct Maximum {
  template <typename E>
  static constexpr E identity() {
    if constexpr (__is_integral(E))
      return E(~highest<E>());
    else
      return E(-__builtin_inff());
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

// A vector is reduced component by component.
template <typename E, int N>
struct Components {
  E at[N];
};

template <typename Operation, typename E, int N>
SPRUE_INLINE void gather_components(Components<E, N> (&all)[32], const SprueSimdgroup* simdgroup,
                                    sprue_u32 lanes) {
  Components<E, N> missing;
  for (E& component : missing.at) component = Operation::template identity<E>();
  gather(all, simdgroup, lanes, missing);
}

// Each step of the butterfly adds the same two values on both lanes of a pair, so the lower half alone
// gives every lane's result: the same bits as shuffles on a GPU.
template <typename Operation, uint kWidth, typename E, int N>
struct Reduce {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Components<E, N> all[32];
    gather_components<Operation>(all, simdgroup, lanes);
    SPRUE_ROLLED for (int n = 0; n < N; ++n) {
      for (uint step = kWidth / 2; step > 0; step /= 2)
        for (uint first = 0; first < 32; first += kWidth)
          for (uint lane = first; lane < first + step; ++lane)
            all[lane].at[n] = Operation::apply(all[lane].at[n], all[lane + step].at[n]);
    }
    scatter(simdgroup, lanes, [&](uint lane) { return all[lane / kWidth * kWidth]; });
  }
};

template <typename Operation, uint kWidth, bool kInclusive, typename E, int N>
struct Scan {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Components<E, N> all[32];
    gather_components<Operation>(all, simdgroup, lanes);
    SPRUE_ROLLED for (int n = 0; n < N; ++n) {
      E values[32], before[32];
      SPRUE_EACH_LANE(lane) values[lane] = all[lane].at[n];
      SPRUE_ROLLED for (uint step = 1; step < kWidth; step *= 2) {
        SPRUE_EACH_LANE(lane) before[lane] = values[lane];
        SPRUE_EACH_LANE(lane) {
          const E sum = Operation::apply(before[(lane - step) % 32], before[lane]);
          values[lane] = lane % kWidth >= step ? sum : before[lane];
        }
      }
      SPRUE_EACH_LANE(lane) {
        const uint self = lane % kWidth;
        const bool is_first = (lanes >> (lane - self) & ((1u << self) - 1u)) == 0;
        const E of_those_below =
            is_first ? Operation::template of_none<E>() : values[(lane - 1) % 32];
        all[lane].at[n] = kInclusive ? values[lane] : of_those_below;
      }
    }
    scatter(simdgroup, lanes, [&](uint lane) { return all[lane]; });
  }
};

// bfloat's steps are those of float.
template <typename E>
struct stepping {
  typedef E type;
};
template <>
struct stepping<bfloat> {
  typedef float type;
};

template <typename Combine, typename S, typename T>
SPRUE_INLINE T combined(T value) {
  typedef typename element<T>::type E;
  constexpr int N = element<T>::count;
  Components<S, N> sent;
  E components[N];  // a vector's lie at its beginning, without gaps
  __builtin_memcpy(components, &value, sizeof(components));
  for (int n = 0; n < N; ++n) sent.at[n] = static_cast<S>(components[n]);
  const Components<S, N> got = collective<Combine>(sent);
  for (int n = 0; n < N; ++n) components[n] = static_cast<E>(got.at[n]);
  __builtin_memcpy(&value, components, sizeof(components));
  return value;
}

template <typename Operation, uint kWidth, typename T>
SPRUE_INLINE T reduce(T value) {
  typedef typename stepping<typename element<T>::type>::type S;
  return combined<Reduce<Operation, kWidth, S, element<T>::count>, S>(value);
}
template <typename Operation, uint kWidth, bool kInclusive, typename T>
SPRUE_INLINE T scan(T value) {
  typedef typename stepping<typename element<T>::type>::type S;
  return combined<Scan<Operation, kWidth, kInclusive, S, element<T>::count>, S>(value);
}

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
