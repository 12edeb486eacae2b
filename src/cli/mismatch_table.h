// How an output differs from what was expected, for people: several aligned lines.
//
//   1 of 9 elements differ
//          index  got  expected  absolute  relative       ulp
//   first  [8]     18        17         1    0.0588  5.24e+05
//   worst  [8]     18        17         1    0.0588  5.24e+05
//
// Below, where there are any, the counts of NaN and infinite elements. Mismatch::text() is the same
// in one line.
#pragma once

#include <string>
#include <vector>

#include "kernel_file/expectation.h"

namespace sprue::cli {

std::vector<std::string> mismatch_table(const Mismatch& mismatch);  // lines, without their ends

}  // namespace sprue::cli
