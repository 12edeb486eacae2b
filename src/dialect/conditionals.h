// `c ? a : b` where half is a class: a half and a float each become the other unasked, so C++ calls it
// ambiguous. Written instead, by insertions behind tokens:
//
//   c ? h : -INFINITY
//   c ? sprue_types::either<decltype(-INFINITY)>(h) : sprue_types::either<decltype(h)>(-INFINITY)
//
// either<Other>(x) is x, or what x becomes beside an Other (metal_cuda_half.h). Left as it is where the
// tokens don't tell the operands' ends (a `>` that may close a template's arguments), and where one has a
// brace, `throw`, a directive or a joined token. Of no use to a text without half. Not for a conditional
// of void: either() takes a value.
//
// Cost: each operand is written twice, so nested ones grow; what gets too long is left as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/code.h"

namespace sprue {

// Adds to `behind[i]`, the text to insert behind token i of `code`. `lowered` is the text as long as the
// source that the tokens' offsets refer to; what `behind` already has is part of it.
void insert_conversions(const Code& code, std::string_view lowered,
                        std::vector<std::string>& behind);

}  // namespace sprue
