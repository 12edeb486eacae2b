// Shuffles and votes by the warp's instructions. Where the wanted lane isn't active, a lane asks itself.
#pragma once

namespace sprue_simdgroup {

template <typename T>
SPRUE_INLINE T taken(T value, uint source) {
  const uint lanes = ::__activemask();
  return from_lane(lanes, value, source < 32 && has_lane(lanes, source % 32) ? source : lane());
}

template <typename T>
SPRUE_INLINE T taken_or_filled(T value, T filling, uint source, bool filled) {
  const uint lanes = ::__activemask();
  const bool exists = source < 32 && has_lane(lanes, source % 32);
  const uint from = exists ? source : lane();
  const T taken = from_lane(lanes, value, from), taken_filling = from_lane(lanes, filling, from);
  return exists && filled ? taken_filling : taken;
}

template <uint kWidth, typename T>
SPRUE_INLINE T of_first(T value) {
  const uint lanes = ::__activemask(), first = lane() / kWidth * kWidth;
  return from_lane(lanes, value, first + static_cast<uint>(::__ffs(lanes >> first)) - 1);
}

SPRUE_INLINE Ballot votes(bool yes) {
  const uint lanes = ::__activemask();
  return {::__ballot_sync(lanes, yes), lanes};
}

// Threads of the group: every thread writes the same number before it reads it. Nothing is left of it in
// a kernel that doesn't ask.
static __shared__ uint group_thread_count;

SPRUE_INLINE uint thread_count() {
  const uint left = group_thread_count - ::threadIdx.x / 32 * 32;
  return left < 32 ? left : 32;
}

}  // namespace sprue_simdgroup
