// Metal's address spaces, checked on a tree that has lost them: every pointer's and reference's space
// follows from the user's words, from the storage it points to, or isn't known; what is known on
// both sides and differs is an error at the user's line.
//
// Checked: initialisers, assignments, arguments, returned values, fields. Unknown, so accepted: what
// went through a typedef, a pointer to a pointer, a deduced template parameter, a macro, a cast that
// names no space; constant references, `this`, and the operators of classes. A kernel's read-only
// input is in device or constant memory, as its size says. Linear in the user's text; no parse.
#pragma once

#include <clang/AST/ASTContext.h>

#include "user_text.h"

namespace sprue_clang {

void check_address_spaces(clang::ASTContext& context, const UserTexts& texts);

}  // namespace sprue_clang
