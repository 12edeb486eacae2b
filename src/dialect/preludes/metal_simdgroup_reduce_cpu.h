// Reductions and running sums on the CPU: one collective for all components of a value.
#pragma once

namespace sprue_simdgroup {

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
