// Integer expressions over named sizes, as they stand in kernel files: "ceildiv(M * N, 4) - 1".
//
//   const Sizes sizes = {{"M", 8}, {"N", 128}};
//   SPRUE_ASSIGN(int64_t elements, evaluate_expression("M * N", sizes));   // 1024
//
//   sum      = product { ("+" | "-") product }           left to right
//   product  = factor { ("*" | "/" | "%") factor }       left to right
//   factor   = "-" factor | number | name | "(" sum ")" | function "(" sum "," sum ")"
//   function = "ceildiv" | "min" | "max"
//   number   = decimal digits;  name = a letter or _, then letters, digits and _
//
// Values are 64-bit signed integers. / drops the fraction and a % b has the sign of a, as in C;
// ceildiv(a, b) is the exact quotient rounded up, towards plus infinity, whatever the signs:
// ceildiv(7, 2) = 4, ceildiv(-7, 2) = -3. Not for real numbers, comparisons or conditions.
//
// A pure function: thread-safe, one pass, time linear in the text. Errors (invalid_argument) quote
// the expression and give the column (1-based, in bytes): a syntax error, an unknown name, a
// division by zero, a value beyond 64 bits at any step, more than 1,000 bytes, more than 64 levels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sprue {

using Sizes = std::vector<std::pair<std::string, int64_t>>;  // in order of appearance

[[nodiscard]] Result<int64_t> evaluate_expression(std::string_view text, const Sizes& sizes);

// The size of this name; null if there is none.
const int64_t* find_size(const Sizes& sizes, std::string_view name);
// Whether an expression can name a size so: a name of at most 64 bytes that is no function's.
bool is_size_name(std::string_view name);
// "M, N, K", for errors; "none" if there are none.
std::string list_sizes(const Sizes& sizes);

}  // namespace sprue
