#include "measure/row_pairs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sprue {

const ArmTimes* times_of(const BenchRow& row, const std::string& arm) {
  const auto found = std::find_if(row.times.begin(), row.times.end(),
                                  [&](const ArmTimes& times) { return times.name == arm; });
  return found == row.times.end() ? nullptr : &*found;
}

const ArmIdentity* identity_of(const BenchRow& row, const std::string& arm) {
  const auto found = std::find_if(row.arms.begin(), row.arms.end(),
                                  [&](const ArmIdentity& one) { return one.name == arm; });
  return found == row.arms.end() ? nullptr : &*found;
}

bool are_same_binary(const BenchRow& row, const std::string& arm, const std::string& reference) {
  const ArmIdentity* first = identity_of(row, arm);
  const ArmIdentity* second = identity_of(row, reference);
  return first && second && !first->digest.empty() && first->digest == second->digest;
}

std::optional<PairResult> pair_between(const BenchRow& row, const std::string& arm,
                                       const std::string& reference) {
  const ArmTimes* first = times_of(row, arm);
  const ArmTimes* second = times_of(row, reference);
  if (!first || !second) return std::nullopt;
  // The row may have judged this pair already: compare_all's order.
  const auto i = static_cast<size_t>(first - row.times.data());
  const auto k = static_cast<size_t>(second - row.times.data());
  const size_t place = i > k ? i * (i - 1) / 2 + k : row.pairs.size();
  const bool is_judged =
      place < row.pairs.size() && row.pairs[place].arm == i && row.pairs[place].reference == k;
  PairResult pair = is_judged ? row.pairs[place] : compare_times(*first, *second);
  if (!std::isfinite(pair.ratio())) return std::nullopt;
  return pair;
}

std::vector<NamedPair> pairs_of(const std::vector<BenchRow>& rows) {
  std::vector<NamedPair> pairs;
  std::set<std::pair<std::string, std::string>> seen;
  for (const BenchRow& row : rows) {
    for (size_t i = 1; i < row.times.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const NamedPair pair = {row.times[i].name, row.times[k].name};
        if (pair.arm != pair.reference && seen.insert(std::minmax(pair.arm, pair.reference)).second)
          pairs.push_back(pair);
      }
    }
  }
  return pairs;
}

}  // namespace sprue
