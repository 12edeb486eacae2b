// Addresses as a GPU takes them: a vector may be read from wherever its elements may lie.
//
//   float4 v = *(const device float4*)(x + 1);      // 4-byte aligned; clang would assume 16
//
// clang derives an access's alignment from the type that the text names, and LLVM picks instructions
// that trap where it is wrong. Nothing is assumed here; what can be proved (variables of a thread,
// mostly) the optimiser finds out again. On x86-64 unaligned instructions cost nothing extra on
// aligned addresses.
#pragma once

#include <llvm/IR/Function.h>

namespace sprue_clang {

// Of every load, store and copy but the atomic ones, which need their alignment.
void forget_alignment(llvm::Function& function);

}  // namespace sprue_clang
