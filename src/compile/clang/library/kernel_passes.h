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

// Text of an error, or empty. Runs before the optimiser. `interleave`: see annotate_thread_loop.
std::string lower_kernel(llvm::Module& module, KernelShape& shape, unsigned interleave);

// After the optimiser: adds `sprue_kernel_info`.
void add_kernel_info(llvm::Module& module, const KernelShape& shape, unsigned parameter_count);

}  // namespace sprue_clang
