// What a CUDA body sees when it is compiled for the CPU, and how the generated wrappers run it.
//
// Waits are written with the markers of the compiler library, as in metal_cpu.h: __sprue_thread() is the
// running thread, __sprue_yield(&site) suspends it, __sprue_independent() stands in the loop over threads.
// A body gets its threadIdx, blockIdx, blockDim and gridDim as parameters, so that one which doesn't wait
// runs as a loop; what stands outside of it (helpers, macros) sees the objects below, which ask the thread.
#pragma once
#pragma clang system_header

// The library is written for value-preserving arithmetic, whatever the user's text is compiled with.
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma clang fp contract(off)
// Each uses those before it.
// clang-format off
#include "cpu_abi.h"
#include "math.h"
#include "cuda_types.h"
#include "cuda_rounding.h"
#include "cuda_math.h"
#include "cuda_integer.h"
#include "cuda_block.h"
// The generated text chooses these: dialect/cuda/cuda_parts.h.
#ifdef SPRUE_WITH_HALF
#include "cuda_half.h"
#ifdef SPRUE_WITH_HALF_FUNCTIONS
#include "cuda_half_functions.h"
#endif
#endif
#ifdef SPRUE_WITH_WARPS
#include "cuda_warp.h"
#endif
#ifdef SPRUE_WITH_ATOMICS
#include "cuda_atomic.h"
#endif
#include "cuda_std.h"
#include "cuda_utils.h"
#include "cuda_positions.h"
#ifdef SPRUE_WITH_GROUPS
#include "cuda_groups.h"
#endif
#include "cuda_unavailable.h"
// clang-format on
#pragma float_control(pop)

namespace cooperative_groups {}

static_assert(sizeof(1.0) == sizeof(double),
              "CUDA text needs double constants: the compiler library is older than this program");

#define __CUDACC__ 1
#define __CUDA_ARCH__ 800

#define SPRUE_KERNEL static inline __attribute__((always_inline))
#define SPRUE_EXPORT __attribute__((visibility("default")))
#define SPRUE_INLINE_LAMBDA __attribute__((always_inline))

extern "C" void __sprue_independent();

namespace sprue_cuda {

template <typename T>
SPRUE_INLINE T* buffer(const SprueArgument& argument) {
  return static_cast<T*>(const_cast<void*>(argument.address));
}
// Of a 0-d input, which may be a value without memory.
template <typename T>
SPRUE_INLINE T* scalar(const SprueArgument& argument) {
  const void* address = argument.address ? argument.address : &argument.value;
  return static_cast<T*>(const_cast<void*>(address));
}
// A shape or strides, with zeros behind it. `value` is their number.
template <typename Extents, typename T>
SPRUE_INLINE Extents extents(const SprueArgument& argument) {
  Extents result{};
  const T* from = buffer<const T>(argument);
  for (sprue_u64 i = 0; i < argument.value && i < Extents::size(); ++i) result[i] = from[i];
  return result;
}
SPRUE_INLINE int ndim(const SprueArgument& argument) { return static_cast<int>(argument.value); }

struct Position {
  uint3 thread, block;
  dim3 block_size, grid_size;  // threads of a block, blocks of the grid
};
SPRUE_INLINE uint3 load3(const sprue_u32* extent) { return {extent[0], extent[1], extent[2]}; }

// Loop mode: every thread of the worker's blocks, one after the other. All blocks are whole.
template <typename Body>
SPRUE_INLINE void for_each_thread(const SprueLaunch* launch, const SprueWorker* worker, Body body) {
  const uint3 size = load3(launch->threadgroup), blocks = load3(launch->groups);
  for (sprue_u64 index = worker->first_group; index < worker->last_group; ++index) {
    const uint3 block = {static_cast<uint>(index % blocks.x),
                         static_cast<uint>(index / blocks.x % blocks.y),
                         static_cast<uint>(index / blocks.x / blocks.y)};
    for (uint z = 0; z < size.z; ++z)
      for (uint y = 0; y < size.y; ++y)
        for (uint x = 0; x < size.x; ++x) {
          __sprue_independent();
          body(Position{{x, y, z}, block, size, blocks});
        }
  }
}

// Coroutine mode: one thread, as the executor describes it.
SPRUE_INLINE Position position_of(const SprueLaunch* launch, const SprueThread* thread) {
  return {load3(thread->position), load3(thread->group->position), load3(launch->threadgroup),
          load3(launch->groups)};
}

}  // namespace sprue_cuda
