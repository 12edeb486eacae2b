// Constants that hold the address of a variable whose place is only known at run time: clang makes one of
// the initialiser in
//
//   threadgroup float* buffers[2] = {a, b};
//
#pragma once

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>

namespace sprue_clang {

// Puts a private variable, filled by stores behind `place` in the function's entry block, in place of each
// constant that holds the address of `variable`, or that of such a constant. `variable` is used by
// instructions and by expressions in them afterwards.
void unfold_pointer_constants(llvm::GlobalVariable& variable, llvm::Instruction& place);

}  // namespace sprue_clang
