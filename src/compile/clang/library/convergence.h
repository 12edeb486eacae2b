// How the lanes of a simdgroup meet: the order of a thread's waits.
//
//   for (uint k = 0; k < n; ++k) {
//     if (k == lane % 4) continue;
//     sum += simd_sum(v);             // of the lanes that get here in iteration k
//   }
//   total = simd_sum(v);              // of all lanes, whenever they left the loop
//
// The executor completes the wait with the lowest number first, so a lane that skips one goes on and
// waits further down until the others have caught up. That needs numbers in program order, and it needs
// lanes to enter the next iteration together: there the numbers start anew.
#pragma once

#include <llvm/IR/Function.h>

namespace sprue_clang {

// Adds a wait of the simdgroup at the end of each loop in which a lane could overtake another.
void converge_loops(llvm::Function& thread_function);

// Numbers the waits in program order. False if there are none.
bool number_sites(llvm::Function& thread_function);

}  // namespace sprue_clang
