// Blocks on the CPU: barriers of all threads, with and without a count, and fences.
//
// Threads that have returned don't count. The threads of a block run one at a time, so a plain variable
// in shared memory can count; it costs three barriers.
#pragma once

extern "C" SprueThread* __sprue_thread();
extern "C" void __sprue_yield(sprue_u32* site);

static constexpr int warpSize = 32;

SPRUE_INLINE void __syncthreads() {
  SprueThread* thread = __sprue_thread();
  thread->state = kSprueBarrier;
  __sprue_yield(&thread->site);
}

namespace sprue_cuda {

SPRUE_DYN static unsigned int yes_count, no_count;

struct Tally {
  unsigned int yes, no;
};
SPRUE_INLINE Tally tally(bool yes) {
  __syncthreads();  // the last count has been read
  yes_count = 0;
  no_count = 0;
  __syncthreads();
  (yes ? yes_count : no_count) += 1;
  __syncthreads();
  return {yes_count, no_count};
}

}  // namespace sprue_cuda

SPRUE_INLINE int __syncthreads_count(int predicate) {
  return static_cast<int>(sprue_cuda::tally(predicate != 0).yes);
}
SPRUE_INLINE int __syncthreads_and(int predicate) {
  return sprue_cuda::tally(predicate != 0).no == 0;
}
SPRUE_INLINE int __syncthreads_or(int predicate) {
  return sprue_cuda::tally(predicate != 0).yes != 0;
}

SPRUE_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SPRUE_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SPRUE_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
