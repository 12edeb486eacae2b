// Warps on the CPU: barriers, shuffles, votes, matches and reductions.
//
// A warp is 32 threads by linear index, the last one of a block smaller. A collective hands over the lane's
// value, names the function that combines those of all lanes, and waits; the executor calls that function
// once, for the lanes that wait at the same place, and resumes them.
//
// The lanes that a mask names must all come to the same call; those that have returned, or that the block
// doesn't have, are ignored, as CUDA does it. A named lane that waits elsewhere is an error of the launch,
// since the result would be undefined on a GPU. A value from a lane that isn't there is the lane's own.
#pragma once

namespace sprue_cuda {

// Value and word going in, value and the lanes that met coming out. With 4-byte values it fits a slot;
// a larger one stays in the waiting thread, and the slot holds its address.
template <typename T>
struct Sent {
  T value;
  unsigned int word;
};

template <typename T>
SPRUE_INLINE Sent<T> sent_by(const SprueSimdgroup* simdgroup, unsigned int lane) {
  if constexpr (sizeof(Sent<T>) > 8) {
    return *reinterpret_cast<const Sent<T>*>(simdgroup->values[lane]);
  } else {
    Sent<T> sent;
    __builtin_memcpy(&sent, &simdgroup->values[lane], sizeof(sent));
    return sent;
  }
}
template <typename T>
SPRUE_INLINE void answer(SprueSimdgroup* simdgroup, unsigned int lane, Sent<T> result) {
  if constexpr (sizeof(Sent<T>) > 8)
    *reinterpret_cast<Sent<T>*>(simdgroup->values[lane]) = result;
  else
    __builtin_memcpy(&simdgroup->values[lane], &result, sizeof(result));
}

#define SPRUE_ROLLED _Pragma("clang loop unroll(disable)")
#define SPRUE_EACH_LANE(lane, lanes) \
  SPRUE_ROLLED for (unsigned int lane = 0; lane < 32; ++lane) if (lanes >> lane & 1u)

SPRUE_INLINE unsigned int lane_index() { return __sprue_thread()->index % 32; }

template <typename Combine, typename T>
SPRUE_INLINE Sent<T> meet(T value, unsigned int word) {
  Sent<T> sent{value, word};
  SprueThread* thread = __sprue_thread();
  sprue_u64& slot = thread->simdgroup->values[thread->index % 32];
  if constexpr (sizeof(sent) > 8)
    slot = reinterpret_cast<sprue_u64>(&sent);
  else
    __builtin_memcpy(&slot, &sent, sizeof(sent));
  thread->combine = &Combine::run;
  thread->state = kSprueCollective;
  __sprue_yield(&thread->site);
  if constexpr (sizeof(sent) <= 8) __builtin_memcpy(&sent, &slot, sizeof(sent));
  return sent;
}

// After a meeting: every lane that the mask names was there, or can't come any more. The threads of a warp
// stand one behind the other, and one that wasn't there hasn't moved.
SPRUE_INLINE void check_mask(unsigned int mask, unsigned int lanes) {
  SprueThread* thread = __sprue_thread();
  const unsigned int self = thread->index % 32;
  const bool named = mask >> self & 1u;
  if (__builtin_expect((mask & ~lanes) == 0 && named, 1)) return;
  SprueSimdgroup* warp = thread->simdgroup;
  if (warp->index & kSprueTornWarp) return;  // the first one is told
  unsigned int missing = self;
  SPRUE_ROLLED for (unsigned int lane = 0; named && missing == self && lane < warp->thread_count;
                    ++lane) if ((mask & ~lanes) >> lane & 1u &&
                                (thread - self + lane)->state != kSprueDone) missing = lane;
  if (!named || missing != self) warp->index = kSprueTornWarp | self << 8 | missing;
}

template <typename T>
struct Move {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Sent<T> sent[32];
    SPRUE_EACH_LANE(lane, lanes) sent[lane] = sent_by<T>(simdgroup, lane);
    SPRUE_EACH_LANE(lane, lanes) {
      const unsigned int source = sent[lane].word % 32;
      answer(simdgroup, lane, Sent<T>{sent[lanes >> source & 1u ? source : lane].value, lanes});
    }
  }
};
template <typename T>
SPRUE_INLINE T move(unsigned int mask, T value, unsigned int source) {
  const Sent<T> met = meet<Move<T>>(value, source);
  check_mask(mask, met.word);
  return met.value;
}

// A vote's word: whether the lane says yes; the answer: who did.
struct Vote {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    unsigned int yes = 0;
    SPRUE_EACH_LANE(lane, lanes) yes |= (sent_by<unsigned int>(simdgroup, lane).value != 0) << lane;
    SPRUE_EACH_LANE(lane, lanes) answer(simdgroup, lane, Sent<unsigned int>{yes, lanes});
  }
};
SPRUE_INLINE Sent<unsigned int> vote(unsigned int mask, bool yes) {
  Sent<unsigned int> met = meet<Vote>(static_cast<unsigned int>(yes), 0u);
  check_mask(mask, met.word);
  met.value &= mask;
  met.word &= mask;
  return met;
}

// The lanes of one mask whose value has the same bits.
template <typename T>
struct Match {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Sent<T> sent[32];
    SPRUE_EACH_LANE(lane, lanes) sent[lane] = sent_by<T>(simdgroup, lane);
    SPRUE_EACH_LANE(lane, lanes) {
      unsigned int equal = 0;
      SPRUE_EACH_LANE(other, lanes) equal |= (sent[other].value == sent[lane].value) << other;
      answer(simdgroup, lane, Sent<T>{static_cast<T>(equal & sent[lane].word), lanes});
    }
  }
};
template <typename T>
SPRUE_INLINE Sent<unsigned int> match(unsigned int mask, T bits) {
  const Sent<T> met = meet<Match<T>>(bits, mask);
  check_mask(mask, met.word);
  return {static_cast<unsigned int>(met.value), met.word & mask};
}

#define SPRUE_OPERATION(name, T, expression)              \
  struct name {                                           \
    SPRUE_INLINE T apply(T a, T b) { return expression; } \
  };
SPRUE_OPERATION(Add, unsigned int, a + b)
SPRUE_OPERATION(And, unsigned int, a& b)
SPRUE_OPERATION(Or, unsigned int, a | b)
SPRUE_OPERATION(Xor, unsigned int, a ^ b)
SPRUE_OPERATION(Least, int, a < b ? a : b)
SPRUE_OPERATION(Most, int, a < b ? b : a)
SPRUE_OPERATION(LeastUnsigned, unsigned int, a < b ? a : b)
SPRUE_OPERATION(MostUnsigned, unsigned int, a < b ? b : a)
#undef SPRUE_OPERATION

// Over the lanes of the lane's own mask.
template <typename Operation, typename T>
struct Reduce {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    Sent<T> sent[32];
    SPRUE_EACH_LANE(lane, lanes) sent[lane] = sent_by<T>(simdgroup, lane);
    SPRUE_EACH_LANE(lane, lanes) {
      T result = sent[lane].value;
      const unsigned int others = lanes & sent[lane].word & ~(1u << lane);
      SPRUE_EACH_LANE(other, others) result = Operation::apply(result, sent[other].value);
      answer(simdgroup, lane, Sent<T>{result, lanes});
    }
  }
};
template <typename Operation, typename T>
SPRUE_INLINE T reduce(unsigned int mask, T value) {
  const Sent<T> met = meet<Reduce<Operation, T>>(value, mask);
  check_mask(mask, met.word);
  return met.value;
}

// What a lane reads from, by CUDA's four rules; its own number where there is nothing to read.
SPRUE_INLINE unsigned int indexed(int source, int width) {
  const unsigned int self = lane_index(), piece = static_cast<unsigned int>(width);
  return (self & ~(piece - 1u)) | (static_cast<unsigned int>(source) & (piece - 1u));
}
SPRUE_INLINE unsigned int above(unsigned int distance, int width) {
  const unsigned int self = lane_index(), place = self & (static_cast<unsigned int>(width) - 1u);
  return distance < static_cast<unsigned int>(width) - place ? self + distance : self;
}
SPRUE_INLINE unsigned int below(unsigned int distance, int width) {
  const unsigned int self = lane_index(), place = self & (static_cast<unsigned int>(width) - 1u);
  return distance <= place ? self - distance : self;
}
// Pieces before the lane's own may be read, those behind it not.
SPRUE_INLINE unsigned int crossed(int lane_mask, int width) {
  const unsigned int self = lane_index(), source = self ^ static_cast<unsigned int>(lane_mask);
  return source <= (self | (static_cast<unsigned int>(width) - 1u)) ? source : self;
}

}  // namespace sprue_cuda

#define SPRUE_SHUFFLES(T)                                                                         \
  SPRUE_INLINE T __shfl_sync(unsigned int mask, T value, int source, int width = 32) {            \
    return sprue_cuda::move(mask, value, sprue_cuda::indexed(source, width));                     \
  }                                                                                               \
  SPRUE_INLINE T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) { \
    return sprue_cuda::move(mask, value, sprue_cuda::below(delta, width));                        \
  }                                                                                               \
  SPRUE_INLINE T __shfl_down_sync(unsigned int mask, T value, unsigned int delta,                 \
                                  int width = 32) {                                               \
    return sprue_cuda::move(mask, value, sprue_cuda::above(delta, width));                        \
  }                                                                                               \
  SPRUE_INLINE T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) {     \
    return sprue_cuda::move(mask, value, sprue_cuda::crossed(lane_mask, width));                  \
  }
SPRUE_SHUFFLES(int)
SPRUE_SHUFFLES(unsigned int)
SPRUE_SHUFFLES(long)
SPRUE_SHUFFLES(unsigned long)
SPRUE_SHUFFLES(long long)
SPRUE_SHUFFLES(unsigned long long)
SPRUE_SHUFFLES(float)
SPRUE_SHUFFLES(double)
#ifdef SPRUE_WITH_HALF
SPRUE_SHUFFLES(__half)
SPRUE_SHUFFLES(__half2)
SPRUE_SHUFFLES(__nv_bfloat16)
SPRUE_SHUFFLES(__nv_bfloat162)
#endif
#undef SPRUE_SHUFFLES

SPRUE_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) { sprue_cuda::vote(mask, true); }
SPRUE_INLINE unsigned int __activemask() { return sprue_cuda::meet<sprue_cuda::Vote>(1u, 0u).word; }
SPRUE_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return sprue_cuda::vote(mask, predicate != 0).value;
}
SPRUE_INLINE int __any_sync(unsigned int mask, int predicate) {
  return sprue_cuda::vote(mask, predicate != 0).value != 0;
}
SPRUE_INLINE int __all_sync(unsigned int mask, int predicate) {
  const sprue_cuda::Sent<unsigned int> met = sprue_cuda::vote(mask, predicate != 0);
  return met.value == met.word;
}
// Values are compared by their bits.
#define SPRUE_MATCHES(T, Bits)                                                         \
  SPRUE_INLINE unsigned int __match_any_sync(unsigned int mask, T value) {             \
    return sprue_cuda::match(mask, __builtin_bit_cast(Bits, value)).value;             \
  }                                                                                    \
  SPRUE_INLINE unsigned int __match_all_sync(unsigned int mask, T value, int* equal) { \
    const sprue_cuda::Sent<unsigned int> met =                                         \
        sprue_cuda::match(mask, __builtin_bit_cast(Bits, value));                      \
    *equal = met.value == met.word;                                                    \
    return *equal ? met.word : 0u;                                                     \
  }
SPRUE_MATCHES(int, unsigned int)
SPRUE_MATCHES(unsigned int, unsigned int)
SPRUE_MATCHES(float, unsigned int)
SPRUE_MATCHES(long, unsigned long)
SPRUE_MATCHES(unsigned long, unsigned long)
SPRUE_MATCHES(long long, unsigned long)
SPRUE_MATCHES(unsigned long long, unsigned long)
SPRUE_MATCHES(double, unsigned long)
#undef SPRUE_MATCHES

#define SPRUE_REDUCTIONS(T, Lowest, Highest)                                          \
  SPRUE_INLINE T __reduce_min_sync(unsigned int mask, T value) {                      \
    return sprue_cuda::reduce<sprue_cuda::Lowest>(mask, value);                       \
  }                                                                                   \
  SPRUE_INLINE T __reduce_max_sync(unsigned int mask, T value) {                      \
    return sprue_cuda::reduce<sprue_cuda::Highest>(mask, value);                      \
  }                                                                                   \
  SPRUE_INLINE T __reduce_add_sync(unsigned int mask, T value) {                      \
    return static_cast<T>(                                                            \
        sprue_cuda::reduce<sprue_cuda::Add>(mask, static_cast<unsigned int>(value))); \
  }
SPRUE_REDUCTIONS(int, Least, Most)
SPRUE_REDUCTIONS(unsigned int, LeastUnsigned, MostUnsigned)
#undef SPRUE_REDUCTIONS
SPRUE_INLINE unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
  return sprue_cuda::reduce<sprue_cuda::And>(mask, value);
}
SPRUE_INLINE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
  return sprue_cuda::reduce<sprue_cuda::Or>(mask, value);
}
SPRUE_INLINE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
  return sprue_cuda::reduce<sprue_cuda::Xor>(mask, value);
}
