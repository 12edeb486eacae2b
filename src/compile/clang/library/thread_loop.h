// The loop over threads of the loop mode.
#pragma once

#include <llvm/IR/Function.h>

namespace sprue_clang {

// Finds the loop with the marker, removes the marker, and tells the vectoriser that its iterations are
// independent where that is true: the threads of a kernel without waits are, unless they share a piece
// of memory that stands for a private array each.
void annotate_thread_loop(llvm::Function& function);

}  // namespace sprue_clang
