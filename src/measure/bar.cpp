#include "measure/bar.h"

#include <fmt/format.h>

#include <algorithm>

namespace sprue {

namespace {

// The intervals of a pair: of each run where there were several, else the row's own.
std::vector<Interval> intervals_of(const BenchReport& report, const BenchRow& row,
                                   const PairResult& pair) {
  for (const BenchReport::RunPairs& run : report.run_pairs)
    if (run.call == row.call && run.arm == row.arms[pair.arm].name &&
        run.reference == row.arms[pair.reference].name)
      return run.intervals;
  return {pair.interval};
}

}  // namespace

BarResult check_bar(const BenchReport& report, double bar) {
  BarResult result;
  for (const BenchRow& row : report.rows)
    for (const PairResult& pair : row.pairs) {
      if (pair.reference != 0) continue;
      double low = 0, high = 0;
      bool known = true;
      for (const Interval& interval : intervals_of(report, row, pair)) {
        known &= interval.low <= interval.high;  // false for NaN: medians alone have no interval
        low = std::max(low, interval.low);
        high = std::max(high, interval.high);
      }
      const bool met = known && high <= 1 + bar;
      const char* verdict = met ? "met" : known && low > 1 + bar ? "MISSED" : "NOT RESOLVED";
      result.met &= met;
      result.sentences.push_back(fmt::format(
          "[{}] {} at most {:.3g} % slower than {}: {} (at most {:.3f} of its time)", row.call,
          row.arms[pair.arm].name, 100 * bar, row.arms[pair.reference].name, verdict, high));
    }
  return result;
}

}  // namespace sprue
