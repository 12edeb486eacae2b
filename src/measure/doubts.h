// Why the figures of a benchmark might mislead, seen from the figures themselves, in words.
//
//   find_reversals(report.rows);   // {"native: K=32768 (2.440 ms) takes less than K=28672 (2.680 ms)"}
//
// Each function finds one kind of doubt; none found is an empty list, not a proof. Not about the machine
// (noise.h) nor about what others said (claims.h). Pure functions.
#pragma once

#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

// Arms of one binary that come out different: the machine or the method is suspect, in every row.
std::vector<std::string> find_failed_controls(const std::vector<BenchRow>& rows);
// Pairs whose trial-by-trial ratio and ratio of medians disagree.
std::vector<std::string> find_contradictions(const std::vector<BenchRow>& rows);
// Rows that differ in one size only, where more work takes less time, by more than both arms' intervals
// (medians alone: by more than 1 %). A size that leaves declared bytes and operations as they are is a
// setting, not work, and may do what it likes.
std::vector<std::string> find_reversals(const std::vector<BenchRow>& rows);
// Arms of which two or more of route, optimization, source, target and compiler are known to differ.
std::vector<std::string> find_confounded_arms(const std::vector<BenchRow>& rows);
// Calls whose bytes nobody declared: no bandwidth can be computed.
std::vector<std::string> find_undeclared_bytes(const std::vector<BenchRow>& rows);

}  // namespace sprue
