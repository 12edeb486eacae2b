// Shuffles and votes on the CPU: each is one collective.
#pragma once

namespace sprue_simdgroup {

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

template <typename T>
SPRUE_INLINE T taken(T value, uint source) {
  return collective<Move<T>>(Sent<T>{value, source}).value;
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

template <typename T>
SPRUE_INLINE T taken_or_filled(T value, T filling, uint source, bool filled) {
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

template <uint kWidth, typename T>
SPRUE_INLINE T of_first(T value) {
  return collective<First<kWidth, T>>(value);
}

struct Vote {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Ballot votes[32];
    gather(votes, simdgroup, lanes, Ballot{0, 0});
    uint yes = 0;
    SPRUE_EACH_LANE(lane) yes |= votes[lane].yes << lane;
    scatter(simdgroup, lanes, [=](uint) { return Ballot{yes, lanes}; });
  }
};

SPRUE_INLINE Ballot votes(bool yes) { return collective<Vote>(Ballot{yes, 0}); }

SPRUE_INLINE uint thread_count() { return __sprue_thread()->simdgroup->thread_count; }

}  // namespace sprue_simdgroup
