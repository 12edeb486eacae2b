// Integer division that can't trap. A processor ends the program at a division by 0 and at the least number
// by -1; a GPU gives some value and goes on. Here the divisor becomes 1 in both cases, so that
//
//   x / 0 == x    x % 0 == 0    INT_MIN / -1 == INT_MIN    INT_MIN % -1 == 0
//
// Costs nothing for constant divisors, a comparison or two for others.
#pragma once

#include <llvm/IR/Module.h>

namespace sprue_clang {

// Runs on what clang emitted: each pass of LLVM may take such a division for impossible and delete what
// depends on it. `7 / 0` of constants alone is gone by then; its result becomes 0.
void make_divisions_safe(llvm::Module& module);

}  // namespace sprue_clang
