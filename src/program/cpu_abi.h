// The contract between a CPU binary and the code that runs it. Three parties share this text: the
// prelude (compiled by clang with the kernel), the passes of the compiler library, and the executor.
// It includes nothing, and any change of layout raises kSprueCpuAbiVersion.
//
// A CPU binary is a shared object without imports that exports
//   sprue_kernel_info   const SprueKernelInfo
//   sprue_run_groups    loop mode:      void(const SprueLaunch*, SprueWorker*)
//   sprue_run_thread    coroutine mode: void*(const SprueLaunch*, SprueThread*, void* frame)
// and no other symbol; which of the two functions is there, sprue_kernel_info.mode says.
//
// Loop mode: runs the threadgroups [first_group, last_group) in linear order (x fastest).
// Coroutine mode: the call runs one thread up to its first wait or its end, and returns the frame; the
// frame's first word is the resume function, void(*)(void* frame). Waits and the end are told through
// SprueThread::state.
#pragma once

#define SPRUE_CPU_ABI_VERSION 1u

typedef unsigned int sprue_u32;
typedef unsigned long sprue_u64;
static_assert(sizeof(sprue_u64) == 8, "the CPU ABI is for LP64 targets");

enum SprueMode : sprue_u32 { kSprueLoopMode = 0, kSprueCoroutineMode = 1 };

struct SprueKernelInfo {
  sprue_u32 abi_version;
  sprue_u32 mode;         // SprueMode
  sprue_u64 frame_bytes;  // coroutine mode: memory of one thread's frame, 16-byte aligned
  sprue_u64 arena_bytes;  // threadgroup memory, 64-byte aligned
  sprue_u32 parameter_count;
  sprue_u32 reserved;
};

// One parameter of the signature. A buffer uses `address`. A 0-d value uses `address`, or `value` if
// the address is null. shape and strides use `address`, with their number in `value`; ndim uses `value`.
struct SprueArgument {
  const void* address;
  sprue_u64 value;
};

struct SprueLaunch {
  const SprueArgument* arguments;  // one for each parameter of the signature
  sprue_u32 grid[3];               // threads
  sprue_u32 threadgroup[3];        // threads of a full group; each axis at most the grid's
  sprue_u32 groups[3];             // groups along each axis, the last one partial if need be
};

struct SprueWorker {
  sprue_u64 first_group;  // linear index
  sprue_u64 last_group;   // one past the end
  void* arena;            // threadgroup memory of this worker
};

enum SprueThreadState : sprue_u32 {
  kSprueReady = 0,       // can be resumed
  kSprueCollective = 1,  // waits for the lanes of its simdgroup at `site`
  kSprueBarrier = 2,     // waits for the threads of its group
  kSprueDone = 3,
};

struct SprueGroup {
  void* arena;
  sprue_u32 position[3];  // of this group in the grid of groups
  sprue_u32 size[3];      // threads of this group, smaller at an edge
  sprue_u32 thread_count;
};

struct SprueSimdgroup {
  // One value a lane while a collective waits: the lane's own going in, its result coming out. Of a
  // value larger than this its address, in the waiting thread's frame.
  sprue_u64 values[32];
  sprue_u32 thread_count;  // lanes that exist, 32 but for the last simdgroup of a group
  sprue_u32 index;         // in its group; or a kSprueTornWarp
};

// Put in the place of a simdgroup's index by a lane of a CUDA warp which finds that another, which its mask
// names, waits elsewhere. Bits 8 to 15 are the finding lane, bits 0 to 7 the missing one; both are the same
// where the mask doesn't name its own lane.
enum : sprue_u32 { kSprueTornWarp = 0x80000000u };

// Turns the values of the lanes in `lanes` (bit i: lane i takes part) into their results.
typedef void (*SprueCombine)(SprueSimdgroup* simdgroup, sprue_u32 lanes);

// The threads of a simdgroup stand one behind the other in memory.
struct SprueThread {
  sprue_u32 state;  // SprueThreadState
  sprue_u32 site;   // number of the wait in program order, for the collective in question
  SprueCombine combine;
  SprueSimdgroup* simdgroup;
  const SprueGroup* group;
  sprue_u32 position[3];  // in the group
  sprue_u32 index;        // linear index in the group; lane = index % 32
};
