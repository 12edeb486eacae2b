// From the module that clang emits to one that can be optimised and run: everything inlined into the
// two entry functions, the mode chosen, threadgroup storage placed in the arena, the thread loop
// annotated (loop mode) or the thread made a coroutine (coroutine mode).
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>

namespace sprue_clang {

struct KernelShape {
  bool coroutine = false;
  uint64_t arena_bytes = 0;
};

// The memory that the threads of a group share, as the dialect calls and limits it.
struct SharedMemory {
  const char* word;  // "threadgroup"
  uint64_t limit;    // bytes
};
inline constexpr SharedMemory kMetalMemory = {"threadgroup", 32768};
// What a block may have on Hopper: 227 KiB.
inline constexpr SharedMemory kCudaMemory = {"__shared__", 232448};

// Text of an error, or empty. Runs before the optimiser. `interleave`: see annotate_thread_loop.
std::string lower_kernel(llvm::Module& module, KernelShape& shape, unsigned interleave,
                         const SharedMemory& memory);

// After the optimiser: adds `sprue_kernel_info`.
void add_kernel_info(llvm::Module& module, const KernelShape& shape, unsigned parameter_count);

}  // namespace sprue_clang
