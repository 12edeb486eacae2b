// Reductions and running sums by shuffles, in the order that metal_simdgroup_reduce.h states. Each has a
// short way for lanes that are all there, and one for any others.
#pragma once

namespace sprue_simdgroup {

// min and max choose the first of two zeros, so they are given the lower lane's value first; of the other
// operations either order gives the same bits.
template <typename Operation, typename S>
SPRUE_INLINE S combined(S own, S other, bool is_upper) {
  constexpr bool is_ordered =
      SPRUE_IS_SAME(Operation, Minimum) || SPRUE_IS_SAME(Operation, Maximum);
  if constexpr (is_ordered && !SPRUE_IS_INTEGRAL(S)) {
    const S low = is_upper ? other : own, high = is_upper ? own : other;
    return Operation::apply(low, high);
  } else {
    return Operation::apply(own, other);
  }
}

// With lanes missing: what the partner's half of the block has so far is in any lane of that half which is
// active. `holders`: the lanes that have it of half 0, to be moved up to the half that is wanted.
template <typename Operation, uint kWidth, typename S>
SPRUE_INLINE S reduced_among(uint lanes, S value) {
  uint holders = 1u << lane() / kWidth * kWidth;
#pragma unroll 1
  for (uint step = kWidth / 2; step > 0; step /= 2) {
    const uint wanted = (lane() ^ step) & (2 * step - 1);
    const uint candidates = lanes & holders << wanted;
    const uint source = candidates ? static_cast<uint>(::__ffs(candidates)) - 1 : lane();
    const S sent = from_lane(lanes, value, source);
    const S other = candidates ? sent : Operation::template identity<S>();
    value = combined<Operation>(value, other, (lane() & step) != 0);
    holders |= holders << step;
  }
  return value;
}

template <typename Operation, uint kWidth, typename S>
SPRUE_INLINE S reduced(uint lanes, S value) {
  if (lanes != kAll) return reduced_among<Operation, kWidth>(lanes, value);
#pragma unroll
  for (uint step = kWidth / 2; step > 0; step /= 2) {
    const S other = sent(
        value, [=](uint word) { return ::__shfl_xor_sync(kAll, word, static_cast<int>(step)); });
    value = combined<Operation>(value, other, (lane() & step) != 0);
  }
  return value;
}

// With lanes missing below others: every lane gets all values and computes what the CPU does.
template <typename Operation, uint kWidth, bool kInclusive, typename S>
SPRUE_INLINE S scanned_among(uint lanes, S value) {
  S all[32];
#pragma unroll 1
  for (uint i = 0; i < 32; ++i) {
    const S sent = from_lane(lanes, value, has_lane(lanes, i) ? i : lane());
    all[i] = has_lane(lanes, i) ? sent : Operation::template identity<S>();
  }
#pragma unroll 1
  for (uint step = 1; step < kWidth; step *= 2)
#pragma unroll 1
    for (uint i = 31; i >= step; --i)
      if (i % kWidth >= step) all[i] = Operation::apply(all[i - step], all[i]);
  if (kInclusive) return all[lane()];
  const uint self = lane() % kWidth;
  const bool is_first = (lanes >> (lane() - self) & ((1u << self) - 1u)) == 0;
  return is_first ? Operation::template of_none<S>() : all[(lane() - 1) % 32];
}

template <typename Operation, uint kWidth, bool kInclusive, typename S>
SPRUE_INLINE S scanned(uint lanes, S value) {
  if ((lanes & (lanes + 1)) != 0) return scanned_among<Operation, kWidth, kInclusive>(lanes, value);
  const uint self = lane() % kWidth;
#pragma unroll
  for (uint step = 1; step < kWidth; step *= 2) {
    const S below = sent(value, [=](uint word) { return ::__shfl_up_sync(lanes, word, step); });
    if (self >= step) value = Operation::apply(below, value);
  }
  if (kInclusive) return value;
  const S below = sent(value, [=](uint word) { return ::__shfl_up_sync(lanes, word, 1u); });
  return self == 0 ? Operation::template of_none<S>() : below;
}

// change(component) of each, in the type that its steps are computed in.
template <typename T, typename Change>
SPRUE_INLINE T by_component(T value, Change change) {
  typedef typename element<T>::type E;
  typedef typename stepping<E>::type S;
  constexpr int N = element<T>::count;
  E components[N];  // a vector's lie at its beginning, without gaps
  SPRUE_COPY_BYTES(components, &value, sizeof(components));
#pragma unroll
  for (int n = 0; n < N; ++n) components[n] = static_cast<E>(change(static_cast<S>(components[n])));
  SPRUE_COPY_BYTES(&value, components, sizeof(components));
  return value;
}

template <typename Operation, uint kWidth, typename T>
SPRUE_INLINE T reduce(T value) {
  const uint lanes = ::__activemask();
  return by_component(value,
                      [=](auto component) { return reduced<Operation, kWidth>(lanes, component); });
}
template <typename Operation, uint kWidth, bool kInclusive, typename T>
SPRUE_INLINE T scan(T value) {
  const uint lanes = ::__activemask();
  return by_component(value, [=](auto component) {
    return scanned<Operation, kWidth, kInclusive>(lanes, component);
  });
}

}  // namespace sprue_simdgroup
