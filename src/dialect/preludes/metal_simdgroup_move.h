// Shuffles, broadcasts and votes: values of one lane seen by another.
//
//   float next = simd_shuffle_down(x, 1);   float3 first = simd_broadcast_first(v);
//   uint mask = uint(simd_vote::vote_t(simd_ballot(x > 0)));
//
// For bool, integers of every size, half, bfloat, float, complex64_t and vectors; Metal itself moves no
// bool and no 64-bit integers, MLX's preamble adds them, and complex64_t, to the shuffles.
//
// Where Metal leaves a value undefined, it is the lane's own here: from a lane that is inactive or
// doesn't exist. Shuffles up and down keep it at their end, as Metal says.
#pragma once

namespace sprue_simdgroup {

constexpr uint kOwn = 64;  // in place of a lane's number

struct Ballot {
  uint yes, active;  // bit i: lane i
};

// The target's. The value of lane `source`, or the lane's own where that is kOwn or isn't active.
template <typename T>
SPRUE_INLINE T taken(T value, uint source);
// The same; if `filled`, that lane's filling.
template <typename T>
SPRUE_INLINE T taken_or_filled(T value, T filling, uint source, bool filled);
// That of the first active lane in the lane's block.
template <uint kWidth, typename T>
SPRUE_INLINE T of_first(T value);
SPRUE_INLINE Ballot votes(bool yes);
// Threads that the simdgroup has, fewer than 32 at the end of a threadgroup.
SPRUE_INLINE uint thread_count();

// `index` counts within the lane's block of kWidth lanes.
template <uint kWidth, typename T>
SPRUE_INLINE T move(T value, uint index) {
  const uint first = lane() / kWidth * kWidth;
  return taken(value, index < kWidth ? first + index : kOwn);
}

// The value `distance` lanes above in the lane's piece of `modulo` lanes; beyond its end, the filling of
// the lane where the piece begins again.
template <uint kWidth, typename T>
SPRUE_INLINE T move_or_fill(T value, T filling, int distance, uint modulo) {
  const int width = static_cast<int>(modulo - 1 < kWidth ? modulo : kWidth);
  const int self = static_cast<int>(lane()) % width, first = static_cast<int>(lane()) - self;
  const int index = self + distance;
  const bool filled = index < 0 || index >= width;
  const int wrapped = index < 0 ? index + width : index < width ? index : index - width;
  const bool exists = wrapped >= 0 && wrapped < width;
  const uint source = exists ? static_cast<uint>(first + wrapped) : kOwn;
  return taken_or_filled(value, filling, source, filled);
}

// Of the lane's block, its first lane as bit 0.
template <uint kWidth>
SPRUE_INLINE Ballot vote(bool yes) {
  constexpr uint kBlock = ~0u >> (32 - kWidth);
  const uint first = lane() / kWidth * kWidth;
  const Ballot all = votes(yes);
  return {all.yes >> first & kBlock, all.active >> first & kBlock};
}

template <uint kWidth>
class vote_mask {
 public:
  typedef ulong vote_t;

  SPRUE_MEMBER explicit constexpr vote_mask(vote_t votes = 0)
      : votes_(static_cast<uint>(votes)), threads_(~0u >> (32 - kWidth)) {}
  // `threads`: of the simdgroup.
  SPRUE_MEMBER vote_mask(uint votes, uint threads) : vote_mask(votes) {
    const uint left = threads - lane() / kWidth * kWidth;
    if (left < kWidth) threads_ = (1u << left) - 1;
  }
  SPRUE_MEMBER explicit constexpr operator vote_t() const { return votes_; }
  // Of the threads that the group has, fewer than 32 at the end of a threadgroup; whether they are
  // active plays no part.
  SPRUE_MEMBER constexpr bool all() const { return (votes_ & threads_) == threads_; }
  SPRUE_MEMBER constexpr bool any() const { return (votes_ & threads_) != 0; }

 private:
  uint votes_, threads_;
};

}  // namespace sprue_simdgroup

namespace metal {

#define SPRUE_CHECK_VALUE(name)                        \
  static_assert(sprue_simdgroup::element<T>::is_value, \
                #name " takes a number, a bool or a vector of them")
#define SPRUE_MOVE(name, width, index)                 \
  template <typename T>                                \
  SPRUE_INLINE T name(T data, ushort where) {          \
    SPRUE_CHECK_VALUE(name);                           \
    const uint self = sprue_simdgroup::lane() % width; \
    return sprue_simdgroup::move<width>(data, index);  \
  }
#define SPRUE_FILL(name, width, distance)                                              \
  template <typename T>                                                                \
  SPRUE_INLINE T name(T data, T filling_data, ushort delta, ushort modulo = width) {   \
    SPRUE_CHECK_VALUE(name);                                                           \
    return sprue_simdgroup::move_or_fill<width>(data, filling_data, distance, modulo); \
  }
#define SPRUE_MOVES(group, width)                                                           \
  SPRUE_MOVE(group##_shuffle, width, where)                                                 \
  SPRUE_MOVE(group##_shuffle_xor, width, self ^ where)                                      \
  SPRUE_MOVE(group##_shuffle_up, width, self - where)                                       \
  SPRUE_MOVE(group##_shuffle_down, width, self + where)                                     \
  SPRUE_MOVE(group##_shuffle_rotate_up, width, (self - where) % width)                      \
  SPRUE_MOVE(group##_shuffle_rotate_down, width, (self + where) % width)                    \
  SPRUE_MOVE(group##_broadcast, width, (static_cast<void>(self), where))                    \
  SPRUE_FILL(group##_shuffle_and_fill_up, width, -static_cast<int>(delta))                  \
  SPRUE_FILL(group##_shuffle_and_fill_down, width, static_cast<int>(delta))                 \
  template <typename T>                                                                     \
  SPRUE_INLINE T group##_broadcast_first(T data) {                                          \
    SPRUE_CHECK_VALUE(group##_broadcast_first);                                             \
    return sprue_simdgroup::of_first<width>(data);                                          \
  }                                                                                         \
  typedef sprue_simdgroup::vote_mask<width> group##_vote;                                   \
  SPRUE_INLINE group##_vote group##_ballot(bool expression) {                               \
    return {sprue_simdgroup::vote<width>(expression).yes, sprue_simdgroup::thread_count()}; \
  }                                                                                         \
  SPRUE_INLINE group##_vote group##_active_threads_mask() { return group##_ballot(true); }  \
  SPRUE_INLINE bool group##_any(bool expression) {                                          \
    return sprue_simdgroup::vote<width>(expression).yes != 0;                               \
  }                                                                                         \
  SPRUE_INLINE bool group##_all(bool expression) {                                          \
    const sprue_simdgroup::Ballot ballot = sprue_simdgroup::vote<width>(expression);        \
    return ballot.yes == ballot.active;                                                     \
  }                                                                                         \
  SPRUE_INLINE bool group##_is_first() {                                                    \
    const uint self = sprue_simdgroup::lane() % width;                                      \
    return (sprue_simdgroup::vote<width>(true).active & ((1u << self) - 1u)) == 0;          \
  }                                                                                         \
  /* No fragment shaders here, so no helper threads. */                                     \
  SPRUE_INLINE constexpr bool group##_is_helper_thread() { return false; }
SPRUE_MOVES(simd, 32)

}  // namespace metal
