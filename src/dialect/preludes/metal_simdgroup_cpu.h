// How the lanes of a simdgroup meet on the CPU.
//
// A collective hands over the lane's value, names the function that combines the values of all lanes,
// and waits. The executor calls that function once, for the lanes that wait at the same site, and
// resumes them. Lanes that have returned or wait elsewhere take no part: they are Metal's inactive
// threads.
//
//   struct Larger { static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes); };  // results in place
//   float top = sprue_simdgroup::collective<Larger>(x);
#pragma once

extern "C" SprueThread* __sprue_thread();
extern "C" void __sprue_yield(sprue_u32* site);

namespace metal {

SPRUE_INLINE void threadgroup_barrier(mem_flags) {
  SprueThread* thread = __sprue_thread();
  thread->state = kSprueBarrier;
  __sprue_yield(&thread->site);
}

}  // namespace metal

namespace sprue_simdgroup {

// A slot holds 8 bytes. A larger value stays where it is, in the waiting thread, and its slot holds the
// address; that of a lane which takes no part holds anything, so it must not be followed.
template <typename T>
SPRUE_INLINE T lane_value(const SprueSimdgroup* simdgroup, uint lane) {
  if constexpr (sizeof(T) > 8) {
    return *reinterpret_cast<const T*>(simdgroup->values[lane]);
  } else {
    T value;
    __builtin_memcpy(&value, &simdgroup->values[lane], sizeof(T));
    return value;
  }
}

template <typename T>
SPRUE_INLINE void set_lane_value(SprueSimdgroup* simdgroup, uint lane, T value) {
  if constexpr (sizeof(T) > 8)
    *reinterpret_cast<T*>(simdgroup->values[lane]) = value;
  else
    __builtin_memcpy(&simdgroup->values[lane], &value, sizeof(T));
}

// For combining functions. Loops over lanes stay loops, for what they cost the compiler; those below
// have no branch where values fit their slots, so that they become vector code.
#define SPRUE_ROLLED _Pragma("clang loop unroll(disable)")
#define SPRUE_EACH_LANE(lane) SPRUE_ROLLED for (uint lane = 0; lane < 32; ++lane)
SPRUE_INLINE bool has_lane(sprue_u32 lanes, uint lane) { return lanes >> lane & 1u; }

// The lanes' values; `missing` for those that take no part.
template <typename T>
SPRUE_INLINE void gather(T (&values)[32], const SprueSimdgroup* simdgroup, sprue_u32 lanes,
                         T missing) {
  SPRUE_EACH_LANE(lane) {
    if constexpr (sizeof(T) > 8) {
      values[lane] = missing;
      if (has_lane(lanes, lane)) values[lane] = lane_value<T>(simdgroup, lane);
    } else {
      const T value = lane_value<T>(simdgroup, lane);
      values[lane] = has_lane(lanes, lane) ? value : missing;
    }
  }
}

// result(lane) into the slots of the lanes that take part.
template <typename Result>
SPRUE_INLINE void scatter(SprueSimdgroup* simdgroup, sprue_u32 lanes, Result result) {
  typedef decltype(result(0u)) T;
  SPRUE_EACH_LANE(lane) {
    if constexpr (sizeof(T) > 8) {
      if (has_lane(lanes, lane)) set_lane_value(simdgroup, lane, result(lane));
    } else {
      const T value = result(lane);
      sprue_u64 slot = 0;
      __builtin_memcpy(&slot, &value, sizeof(T));
      simdgroup->values[lane] = has_lane(lanes, lane) ? slot : simdgroup->values[lane];
    }
  }
}

SPRUE_INLINE uint lane() { return __sprue_thread()->index % 32; }

template <typename Combine, typename T>
SPRUE_INLINE T collective(T value) {
  SprueThread* thread = __sprue_thread();
  const uint lane = thread->index % 32;
  if constexpr (sizeof(T) > 8)
    thread->simdgroup->values[lane] = reinterpret_cast<sprue_u64>(&value);
  else
    set_lane_value(thread->simdgroup, lane, value);
  thread->combine = &Combine::run;
  thread->state = kSprueCollective;
  __sprue_yield(&thread->site);
  if constexpr (sizeof(T) > 8)
    return value;
  else
    return lane_value<T>(thread->simdgroup, lane);
}

struct Nothing {
  static void run(SprueSimdgroup*, sprue_u32) {}
};

}  // namespace sprue_simdgroup

namespace metal {

// Waits for the lanes of the simdgroup; a collective without a value.
SPRUE_INLINE void simdgroup_barrier(mem_flags) {
  sprue_simdgroup::collective<sprue_simdgroup::Nothing>(0u);
}

}  // namespace metal

// clang-format off
#ifdef SPRUE_WITH_SIMD_REDUCTIONS
#include "metal_simdgroup_reduce_cpu.h"
#endif
#ifdef SPRUE_WITH_SIMD_MOVES
#include "metal_simdgroup_move_cpu.h"
#endif
#ifdef SPRUE_WITH_SIMDGROUP_MATRICES
#include "metal_simdgroup_matrix_cpu.h"
#endif
// clang-format on
