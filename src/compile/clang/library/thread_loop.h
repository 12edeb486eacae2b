// The loop over threads of the loop mode.
#pragma once

#include <llvm/IR/Function.h>

namespace sprue_clang {

// Finds the loop with the marker, removes the marker, and tells the vectoriser that its iterations are
// independent where that is true: the threads of a kernel without waits are, unless they share a piece
// of memory that stands for a private array each. `interleave` is how many vectors of threads such a loop
// is to run at once; 0 leaves that to LLVM's cost model.
void annotate_thread_loop(llvm::Function& function, unsigned interleave);

}  // namespace sprue_clang
