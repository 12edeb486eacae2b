// Two ways to do the same work, judged from times that were measured in pairs, trial by trial.
//
//   PairResult pair = compare_times(jit, native);
//   pair.verdict, pair.interval;      // faster, 0.951 to 0.985
//   pair.sentence;                    // "jit is 3.1 % faster than native (ratio 0.969, interval ...)"
//
// A ratio is the arm's time over the reference's: below 1 the arm is faster. The verdict follows from
// median_interval of the ratios alone (statistics.h), which assumes nothing of their distribution.
// Not for medians without trials: those have no spread, and the verdict is unresolved; so is that of
// fewer than kFewestForInterval trials. Pure functions; a pair costs a sort of its trials.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "measure/statistics.h"

namespace sprue {

// The equivalence band: a difference within it is none.
inline constexpr double kFasterBelow = 0.99;
inline constexpr double kSlowerAbove = 1.01;

enum class Verdict {
  faster,      // the interval lies wholly below 0.99
  slower,      // wholly above 1.01
  same,        // wholly between the two
  unresolved,  // none of these
};
const char* verdict_name(Verdict verdict);
// An interval with a NaN resolves nothing.
Verdict judge(const Interval& interval);

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr Summary kUnknownSummary = {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};

struct ArmTimes {
  std::string name;
  std::vector<double> seconds = {};   // of one operation, by trial; empty: only the median is known
  Summary summary = kUnknownSummary;  // of `seconds`; else NaN but for the median
};

struct PairResult {
  size_t arm = 0, reference = 0;             // positions in the list of arms; reference < arm
  std::vector<double> ratios = {};           // arm's time / reference's time, trial by trial
  Summary summary = kUnknownSummary;         // of `ratios`; NaN without trials
  Interval interval = {kUnknown, kUnknown};  // median_interval of `ratios`; NaN without trials
  double ratio_of_medians = kUnknown;
  Verdict verdict = Verdict::unresolved;
  // The ratio of medians says otherwise: it isn't below 1 where the verdict is faster, not above 1
  // where it is slower, outside the band where it is same, outside band and interval where it is
  // unresolved.
  bool contradicts_medians = false;
  std::string sentence = {};

  // Half the interval's width: differences below it can't be told. NaN without trials.
  double resolution() const { return (interval.high - interval.low) / 2; }
  // The best there is: the median of the ratios, without trials the ratio of medians.
  double ratio() const { return ratios.empty() ? ratio_of_medians : summary.median; }
};

// Trials are paired by position. Where the two have unequally many, nobody knows which belong together,
// and only their medians are compared. A trial that took no positive, finite time isn't counted.
PairResult compare_times(const ArmTimes& arm, const ArmTimes& reference);

// Every pair once: (1, 0), (2, 0), (2, 1), ...
std::vector<PairResult> compare_all(const std::vector<ArmTimes>& arms);

// "jit is 3.1 % faster than native", "jit is 2.00 times as fast as native"
std::string difference_text(const std::string& arm, const std::string& reference, double ratio);

}  // namespace sprue
