// Lowers Metal text to C++ for the CPU, in place: every byte that isn't an address-space word stays
// where it was, so lines and columns of diagnostics are the user's.
//
//   threadgroup float tile[64];            SPRUE_TG    float tile[64];
//   device const float* p = x + 4;                const float* p = x + 4;
//   constant float kScale = 0.5f;          const    float kScale = 0.5f;
//   threadgroup float* q = tile;                       float* q = tile;
//
// `device` and `thread` go. `constant` becomes const, unless one stands beside it. `threadgroup`
// goes where it qualifies what a pointer or reference points to; where it declares storage it
// becomes SPRUE_TG, a macro of the prelude that makes the variable a static one which a compiler
// pass moves to the group's arena. A swizzle becomes a macro's name of the same length, and 1.5bf a
// literal that C++ has (swizzle.h). Words behind `.`, `->` or `::`, in comments, strings and
// [[attributes]] stay.
//
// Where the text alone can't tell which of the two it is, or where no C++ of the same length says
// the same, the result is an error: never text that means something else. Errors: unbalanced
// brackets, unended comments and strings, a threadgroup variable with an initialiser or outside the
// body, kernel functions. Not for types, which the compiler checks. Linear in the text's size.
#pragma once

#include <set>
#include <string>
#include <tl/expected.hpp>

#include "dialect/code.h"
#include "dialect/swizzle.h"

namespace sprue {

enum class TextRole { header, body };

struct LoweringOptions {
  // Floating literals without suffix get an `f`, for compilers that have no option which makes them
  // float, as they are in Metal. Columns behind one then shift by one.
  bool suffix_literals = false;
  // Bytes that are no UTF-8, and 0x1a, become blanks: where they may stand, in comments, NVRTC takes the one
  // for a part of what follows, a line's end too, and ends the text at the other.
  bool plain_bytes = false;
  // Conditionals are written so that a half and a float may be their operands: conditionals.h.
  bool half_is_class = false;
};

struct LoweredText {
  std::string text;  // as long as the source, line by line, but for what the options insert
  bool has_threadgroup_storage = false;  // SPRUE_TG stands in it
  std::set<std::string> swizzles = {};   // swizzle_name()s that stand in it, of two letters or more
};

// `members`: of the header and the body.
tl::expected<LoweredText, SourceError> lower(const Code& code, std::string_view source,
                                             TextRole role, const OwnMembers& members = {},
                                             const LoweringOptions& options = {});

}  // namespace sprue
