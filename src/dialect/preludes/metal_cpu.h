// What a Metal body sees when it is compiled for the CPU, and how the generated wrappers run it.
//
// Waits (barriers, collectives) are written with two markers that passes of the compiler library
// replace once everything is inlined: __sprue_thread() is the running thread, __sprue_yield(&site)
// stores the wait's number in program order and suspends the thread. __sprue_independent() stands in
// the loop over threads and tells which loop that is. See program/cpu_abi.h for the structures.
#pragma once
#pragma clang system_header

// The library is written for value-preserving arithmetic, whatever the user's text is compiled with.
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma clang fp contract(off)
// clang-format off
#include "cpu_abi.h"
#include "metal_target_cpu.h"
#include "metal_parts.h"
#include "metal_simdgroup_cpu.h"
// clang-format on
#pragma float_control(pop)

#include "metal_text.h"

// Threadgroup storage: passes collect the variables of this section and place them in the arena.
#define SPRUE_TG static __attribute__((section(".sprue_threadgroup")))
#define SPRUE_KERNEL static inline __attribute__((always_inline))
#define SPRUE_EXPORT __attribute__((visibility("default")))
#define SPRUE_INLINE_LAMBDA __attribute__((always_inline))

extern "C" void __sprue_independent();

namespace sprue_cpu {

using sprue_types::Positions, sprue_types::uint3;

template <typename T>
SPRUE_INLINE T* buffer(const SprueArgument& argument) {
  return static_cast<T*>(const_cast<void*>(argument.address));
}

template <typename T>
SPRUE_INLINE T value(const SprueArgument& argument) {
  T result;
  __builtin_memcpy(&result, argument.address ? argument.address : &argument.value, sizeof(T));
  return result;
}

SPRUE_INLINE uint3 load3(const sprue_u32* extent) { return uint3(extent[0], extent[1], extent[2]); }

// The loop mode: every thread of the worker's groups, one after the other.
// kFused: the body asks for nothing that depends on the group, so that neighbouring groups along x
// run as one loop.
template <bool kFused, typename Body>
SPRUE_INLINE void for_each_thread(const SprueLaunch* launch, const SprueWorker* worker, Body body) {
  const uint3 grid = load3(launch->grid), full = load3(launch->threadgroup);
  const uint3 groups = load3(launch->groups);
  const sprue_u64 last = worker->last_group;
  for (sprue_u64 index = worker->first_group; index < last;) {
    const uint3 group(index % groups.x, index / groups.x % groups.y, index / groups.x / groups.y);
    const sprue_u64 row = groups.x - group.x;
    const sprue_u64 count = !kFused ? 1 : row < last - index ? row : last - index;
    const sprue_u64 left = grid.x - static_cast<sprue_u64>(group.x) * full.x;
    const uint width = count * full.x < left ? count * full.x : left;
    const uint height = full.y < grid.y - group.y * full.y ? full.y : grid.y - group.y * full.y;
    const uint depth = full.z < grid.z - group.z * full.z ? full.z : grid.z - group.z * full.z;
    const uint3 size(width, height, depth);
    for (uint z = 0; z < depth; ++z)
      for (uint y = 0; y < height; ++y)
        for (uint x = 0; x < width; ++x) {
          __sprue_independent();
          const uint linear = (z * height + y) * width + x;
          body(Positions{grid, groups, full, group, size, uint3(x, y, z), linear});
        }
    index += count;
  }
}

// The coroutine mode: one thread, as the executor describes it.
struct CoroutinePositions : Positions {
  SPRUE_MEMBER CoroutinePositions(const SprueLaunch* launch, const SprueThread* thread_)
      : Positions{load3(launch->grid),
                  load3(launch->groups),
                  load3(launch->threadgroup),
                  load3(thread_->group->position),
                  load3(thread_->group->size),
                  load3(thread_->position),
                  thread_->index} {}
};

}  // namespace sprue_cpu

// What Metal lacks, in the text that follows.
#pragma GCC poison double goto thread_local typeid dynamic_cast virtual asm
