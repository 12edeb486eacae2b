// How the threads of a group meet under CUDA: a simdgroup is a warp, the same 32 threads.
//
// Collectives are shuffles of 32-bit words among the active lanes. A lane that isn't active gives no
// value, so its words are never used. Which lanes are active is the machine's to say: threads that left
// a branch together have met again, as CUDA's compiler arranges it.
#pragma once

namespace metal {

// Orders all memory among the group's threads, as __syncthreads does.
SPRUE_INLINE void threadgroup_barrier(mem_flags) { ::__syncthreads(); }
SPRUE_INLINE void simdgroup_barrier(mem_flags) { ::__syncwarp(::__activemask()); }

}  // namespace metal

namespace sprue_simdgroup {

constexpr uint kAll = ~0u;

// Blocks are one-dimensional.
SPRUE_INLINE uint lane() { return ::threadIdx.x % 32; }
SPRUE_INLINE bool has_lane(uint lanes, uint lane) { return (lanes >> lane & 1u) != 0; }

// A value whose words each went through `send`.
template <typename T, typename Send>
SPRUE_INLINE T sent(const T& value, Send send) {
  constexpr int kBytes = element<T>::count * sizeof(typename element<T>::type);
  constexpr int kWords = (kBytes + 3) / 4;
  uint words[kWords] = {};
  SPRUE_COPY_BYTES(words, &value, kBytes);
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = send(words[i]);
  T result;
  SPRUE_COPY_BYTES(&result, words, kBytes);
  return result;
}

// Of an active lane; `lanes` are all of them.
template <typename T>
SPRUE_INLINE T from_lane(uint lanes, const T& value, uint source) {
  return sent(value, [=](uint word) { return ::__shfl_sync(lanes, word, source); });
}

}  // namespace sprue_simdgroup

// clang-format off
#ifdef SPRUE_WITH_SIMD_REDUCTIONS
#include "metal_cuda_simdgroup_reduce.h"
#endif
#ifdef SPRUE_WITH_SIMD_MOVES
#include "metal_cuda_simdgroup_move.h"
#endif
#ifdef SPRUE_WITH_SIMDGROUP_MATRICES
#include "metal_cuda_simdgroup_matrix.h"
#endif
// clang-format on
