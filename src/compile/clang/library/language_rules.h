// What C++ has and Metal lacks, where clang itself accepts it: recursion, function pointers, new and
// delete, variables that change and outlive a thread. Each is an error at the user's line that names it.
// A recursion counts where the kernel reaches it; that of a constexpr function counts only if it is left
// when everything is inlined, as does a call through a pointer (kernel_passes.cpp).
//
// Not here: the words that the prelude poisons (double, goto, virtual, ...).
#pragma once

#include <clang/AST/ASTContext.h>

namespace sprue_clang {

void check_language_rules(clang::ASTContext& context);

}  // namespace sprue_clang
