// What stands around an address-space word in its declaration: enough to tell storage from a pointee.
//
//   const float threadgroup tile[4];
//   specifiers before: a type, const;  behind: one word, the name, and then '['
//
// Each call looks at kLookahead tokens at most, in both directions.
#pragma once

#include <cstddef>

#include "dialect/code.h"

namespace sprue {

struct SpecifiersBefore {
  bool has_type = false;  // as in `float threadgroup x`
  bool has_const = false;
  bool has_typedef = false;       // or `using X =`
  size_t boundary = Code::kNone;  // the token in front of the declaration; kNone at the start
};

struct SpecifiersBehind {
  size_t words = 0;                // built-in types and names, a qualified one counted once
  size_t last_word = Code::kNone;  // the declared name, if there is one
  bool has_const = false;
  size_t end = 0;  // the first token that is no specifier and no plain name
};

// `first` is the first token that can belong to the same declaration.
SpecifiersBefore specifiers_before(const Code& code, size_t word, size_t first);
SpecifiersBehind specifiers_behind(const Code& code, size_t word);

// The closing bracket of the [[...]] that opens at `open`, or kNone.
size_t attribute_end(const Code& code, size_t open);

}  // namespace sprue
