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

template <typename T>
struct Sent {
  T value;
  uint source;  // whose value is wanted
};
template <typename T>
struct Move {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Sent<T> sent[32];
    gather(sent, simdgroup, lanes, Sent<T>{T(), kOwn});
    scatter(simdgroup, lanes, [&](uint lane) {
      const uint source = sent[lane].source;
      const bool exists = source < 32 && has_lane(lanes, source % 32);
      return sent[exists ? source : lane];
    });
  }
};

// `index` counts within the lane's block of kWidth lanes.
template <uint kWidth, typename T>
SPRUE_INLINE T move(T value, uint index) {
  const uint first = lane() / kWidth * kWidth;
  return collective<Move<T>>(Sent<T>{value, index < kWidth ? first + index : kOwn}).value;
}

template <typename T>
struct SentPair {
  T value, filling;
  uint source;  // whose value is wanted
  bool filled;  // the other one
};
template <typename T>
struct MoveOrFill {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    SentPair<T> sent[32];
    gather(sent, simdgroup, lanes, SentPair<T>{T(), T(), kOwn, false});
    scatter(simdgroup, lanes, [&](uint lane) {
      const uint source = sent[lane].source;
      const bool exists = source < 32 && has_lane(lanes, source % 32);
      SentPair<T> result = sent[exists ? source : lane];
      if (exists && sent[lane].filled) result.value = result.filling;
      return result;
    });
  }
};

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
  return collective<MoveOrFill<T>>(SentPair<T>{value, filling, source, filled}).value;
}

template <uint kWidth, typename T>
struct First {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    T values[32];
    gather(values, simdgroup, lanes, T());
    scatter(simdgroup, lanes, [&](uint lane) {
      const uint first = lane / kWidth * kWidth;
      const uint from_first = lanes >> first;  // not 0 where the result is wanted
      return values[(first + static_cast<uint>(__builtin_ctz(from_first | 1u << 31))) % 32];
    });
  }
};

struct Ballot {
  uint yes, active;  // bit i: lane i
};
struct Vote {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Ballot votes[32];
    gather(votes, simdgroup, lanes, Ballot{0, 0});
    uint yes = 0;
    SPRUE_EACH_LANE(lane) yes |= votes[lane].yes << lane;
    scatter(simdgroup, lanes, [=](uint) { return Ballot{yes, lanes}; });
  }
};

// Of the lane's block, its first lane as bit 0.
template <uint kWidth>
SPRUE_INLINE Ballot vote(bool yes) {
  constexpr uint kBlock = ~0u >> (32 - kWidth);
  const uint first = lane() / kWidth * kWidth;
  const Ballot all = collective<Vote>(Ballot{yes, 0});
  return {all.yes >> first & kBlock, all.active >> first & kBlock};
}

template <uint kWidth>
class vote_mask {
 public:
  typedef ulong vote_t;

  SPRUE_MEMBER explicit constexpr vote_mask(vote_t votes = 0)
      : votes_(static_cast<uint>(votes)), threads_(~0u >> (32 - kWidth)) {}
  SPRUE_MEMBER vote_mask(uint votes, const SprueThread* thread) : vote_mask(votes) {
    const uint begin = thread->index % 32 / kWidth * kWidth;
    const uint left = thread->simdgroup->thread_count - begin;
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
#define SPRUE_MOVES(group, width)                                                          \
  SPRUE_MOVE(group##_shuffle, width, where)                                                \
  SPRUE_MOVE(group##_shuffle_xor, width, self ^ where)                                     \
  SPRUE_MOVE(group##_shuffle_up, width, self - where)                                      \
  SPRUE_MOVE(group##_shuffle_down, width, self + where)                                    \
  SPRUE_MOVE(group##_shuffle_rotate_up, width, (self - where) % width)                     \
  SPRUE_MOVE(group##_shuffle_rotate_down, width, (self + where) % width)                   \
  SPRUE_MOVE(group##_broadcast, width, (static_cast<void>(self), where))                   \
  SPRUE_FILL(group##_shuffle_and_fill_up, width, -static_cast<int>(delta))                 \
  SPRUE_FILL(group##_shuffle_and_fill_down, width, static_cast<int>(delta))                \
  template <typename T>                                                                    \
  SPRUE_INLINE T group##_broadcast_first(T data) {                                         \
    SPRUE_CHECK_VALUE(group##_broadcast_first);                                            \
    return sprue_simdgroup::collective<sprue_simdgroup::First<width, T>>(data);            \
  }                                                                                        \
  typedef sprue_simdgroup::vote_mask<width> group##_vote;                                  \
  SPRUE_INLINE group##_vote group##_ballot(bool expression) {                              \
    return {sprue_simdgroup::vote<width>(expression).yes, __sprue_thread()};               \
  }                                                                                        \
  SPRUE_INLINE group##_vote group##_active_threads_mask() { return group##_ballot(true); } \
  SPRUE_INLINE bool group##_any(bool expression) {                                         \
    return sprue_simdgroup::vote<width>(expression).yes != 0;                              \
  }                                                                                        \
  SPRUE_INLINE bool group##_all(bool expression) {                                         \
    const sprue_simdgroup::Ballot ballot = sprue_simdgroup::vote<width>(expression);       \
    return ballot.yes == ballot.active;                                                    \
  }                                                                                        \
  SPRUE_INLINE bool group##_is_first() {                                                   \
    const uint self = sprue_simdgroup::lane() % width;                                     \
    return (sprue_simdgroup::vote<width>(true).active & ((1u << self) - 1u)) == 0;         \
  }                                                                                        \
  /* No fragment shaders here, so no helper threads. */                                    \
  SPRUE_INLINE constexpr bool group##_is_helper_thread() { return false; }
SPRUE_MOVES(simd, 32)

}  // namespace metal
