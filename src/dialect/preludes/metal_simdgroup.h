// Barriers, and what a body calls on the lanes of a simdgroup: in the files that the end of this one
// includes.
//
// This text is for every target and says what is computed. How lanes meet is the target's, which defines
// behind it what is declared here and in those files (metal_simdgroup_cpu.h, metal_cuda_simdgroup.h).
#pragma once

namespace metal {

template <typename T, int N, bool kPacked>
struct vec;  // metal_vector.h

struct mem_flags {
  enum flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
  flags value;
  SPRUE_MEMBER constexpr mem_flags(flags value_) : value(value_) {}
};
SPRUE_INLINE constexpr mem_flags operator|(mem_flags::flags a, mem_flags::flags b) {
  return mem_flags(static_cast<mem_flags::flags>(static_cast<int>(a) | static_cast<int>(b)));
}
SPRUE_INLINE constexpr mem_flags operator|(mem_flags a, mem_flags::flags b) { return a.value | b; }
// Both spellings are in use: mem_flags::mem_threadgroup and mem_threadgroup.
static constexpr mem_flags::flags mem_none = mem_flags::mem_none;
static constexpr mem_flags::flags mem_device = mem_flags::mem_device;
static constexpr mem_flags::flags mem_threadgroup = mem_flags::mem_threadgroup;

SPRUE_INLINE void threadgroup_barrier(mem_flags);
SPRUE_INLINE void simdgroup_barrier(mem_flags);

}  // namespace metal

namespace sprue_simdgroup {

// The thread's number in its simdgroup.
SPRUE_INLINE uint lane();

// What may travel between lanes, and the components that it is made of.
template <typename T>
struct element {
  typedef T type;
  static constexpr int count = 1;
  static constexpr bool is_value = SPRUE_IS_ARITHMETIC(T) || SPRUE_IS_SAME(T, half) ||
                                   SPRUE_IS_SAME(T, bfloat) || SPRUE_IS_SAME(T, complex64_t);
  static constexpr bool is_integer = SPRUE_IS_INTEGRAL(T) && !SPRUE_IS_SAME(T, bool);
  static constexpr bool is_number =
      is_value && !SPRUE_IS_SAME(T, bool) && !SPRUE_IS_SAME(T, complex64_t);
};
template <typename T, int N, bool kPacked>
struct element<metal::vec<T, N, kPacked>> : element<T> {
  static constexpr int count = N;
};

}  // namespace sprue_simdgroup

// The generated text chooses the rest: dialect/prelude_parts.h.
// clang-format off
#ifdef SPRUE_WITH_SIMD_REDUCTIONS
#include "metal_simdgroup_reduce.h"
#endif
#ifdef SPRUE_WITH_SIMD_MOVES
#include "metal_simdgroup_move.h"
#endif
#ifdef SPRUE_WITH_QUADGROUPS
#include "metal_quadgroup.h"
#endif
#ifdef SPRUE_WITH_SIMDGROUP_MATRICES
#include "metal_simdgroup_matrix.h"
#endif
// clang-format on
