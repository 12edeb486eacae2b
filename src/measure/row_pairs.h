// The arms of a benchmark's rows, found by name: rows need not hold the same arms, nor in one order.
//
//   for (const NamedPair& names : pairs_of(rows))
//     for (const BenchRow& row : rows)
//       if (auto pair = pair_between(row, names.arm, names.reference)) use(*pair);
//
// Not for the pairs of one row alone: those stand in row.pairs. Pure functions; what doesn't fit together
// in a report that somebody wrote by hand (an arm without times, a pair of arms that aren't there) is
// passed over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

// nullptr if the row has none of this name.
const ArmTimes* times_of(const BenchRow& row, const std::string& arm);
const ArmIdentity* identity_of(const BenchRow& row, const std::string& arm);

// Both digests are known, and equal.
bool are_same_binary(const BenchRow& row, const std::string& arm, const std::string& reference);

// The two arms compared, in this direction; nullopt if the row lacks one, or a time for one.
std::optional<PairResult> pair_between(const BenchRow& row, const std::string& arm,
                                       const std::string& reference);

struct NamedPair {
  std::string arm, reference;
};
// Every pair that some row has, once, in the direction in which it comes first.
std::vector<NamedPair> pairs_of(const std::vector<BenchRow>& rows);

}  // namespace sprue
