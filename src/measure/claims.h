// What was said of the figures elsewhere, held against the figures.
//
//   for (const std::string& flag : find_false_claims(report.rows, report.claims)) ...
//   // "claimed: cast-fast is 7.5 % faster than jit (K=20480, ratio 0.925); contradicts its own row:
//   //  cast-fast is 7.3 % slower than jit (ratio of medians 1.073)"
//
// With trials a claim must lie in the interval of its row; with medians alone it must follow from them as
// far as they are rounded: a table's 1.77 stands for 1.765 to 1.775. Where a claim names no row, no row
// may say the opposite, and it must lie within the range of the rows.
// Not a proof of what isn't flagged: see the conclusions for what is shown. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

std::vector<std::string> find_false_claims(const std::vector<BenchRow>& rows,
                                           const std::vector<Claim>& claims);

// Half a unit of the last decimal place that any of the values needs: by how much each may be rounded.
// 1.83, 2.4 and 5: 0.005. Twelve digits are looked at; 0 where they don't suffice, and for no values.
double rounding_of(const std::vector<double>& values);

}  // namespace sprue
