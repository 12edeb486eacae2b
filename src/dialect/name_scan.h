// Which of a set of names a kernel's body uses.
//
//   const std::string names[] = {"grid_size", "x_shape"};
//   scan_names(code, names)    // {false, true} for "uint grid_size = 1; y[0] = x_shape[0];"
//
// A use is a token of that spelling, in the body or in a macro that it defines. It isn't one after
// `.`,
// `->` or `::`, in a comment, a string or a preprocessor condition (which sees macros only), or
// where the body means a name of its own: a variable, a parameter, a loop variable, a structured
// binding, a macro, a macro's parameter, within its scope. A name that the body declares in its
// outermost block is never used, since a parameter of that name couldn't stand beside it.
//
// Not a parser: `a * b;` counts as a declaration, as C++ would have it if `a` were a type. A false
// use costs an unused parameter. Linear in the text's size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dialect/code.h"

namespace sprue {

std::vector<bool> scan_names(const Code& code, std::span<const std::string> names);

}  // namespace sprue
