// Reads the start of a C++ declaration from tokens, without a symbol table.
//
//   "const device float* p = x;"      name: p
//   "vec<float, 4> a[2], b;"          name: a
//   "auto [u, v] = f();"              names: u and v
//   "x = a * b;", "return n;"         none
//
// What is read as a declaration: specifiers and qualifiers in any order, a type of one name (with
// `::` and template arguments) or of built-in words, pointer operators, a name. Whether that is one
// is the caller's to judge from what follows. Each call looks at a bounded number of tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "dialect/code.h"

namespace sprue {

// The names that a declaration starting at token `begin` declares first, ascending: one, several
// for a structured binding or a type that is defined with its first variable, none if it isn't one.
std::vector<size_t> declared_names(const Code& code, size_t begin);

// The name of the next declarator of the same declaration, after a ',' at begin - 1; or kNone.
size_t next_declarator(const Code& code, size_t begin);

// Index behind `<...>` whose '<' is at `open`, or kNone if no '>' closes it soon.
size_t skip_template_arguments(const Code& code, size_t open);

// Words of a type without a name of its own: "unsigned", "float", "auto", ...
bool is_builtin_type_word(std::string_view word);
// Words that stand among specifiers without being a type: "const", "device", "static", ...
bool is_qualifier_word(std::string_view word);
// Words that no type or variable can have: "return", "case", "sizeof", ...
bool is_statement_word(std::string_view word);

// Declarations and template argument lists are looked at for so many tokens at most: it keeps the
// scans linear on any input.
inline constexpr size_t kLookahead = 256;

}  // namespace sprue
