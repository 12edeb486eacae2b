// Comparing ways to do the same work: interleaved trials, so that each is measured beside the others.
//
//   PairedResult result = run_paired({{"native", run_native}, {"jit", run_jit}});
//   for (const PairResult& pair : result.pairs) fmt::print("{}\n", pair.sentence);
//   // jit is 3.1 % faster than native (ratio 0.969, spread 0.951 to 0.985)
//
// A trial runs every arm once, each for the same number of operations; the arm that begins changes from
// trial to trial. That number is the largest n <= 200 for which the slowest arm takes at most 50 ms, at
// least 1; finding it warms the arms up. An arm runs its operations back to back and returns when they
// are done; whatever it throws passes through. Not for asserting a time: nothing here fails.
// Belongs to one thread. Cost: trials x arms x 50 ms at most, while an operation is shorter than that.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/statistics.h"

namespace sprue {

struct Arm {
  std::string name;
  std::function<void(int operations)> run;
};

struct PairedOptions {
  int trials = 31;
  int most_operations = 200;
  double longest_seconds = 0.050;  // of one arm in one trial
  std::function<double()> clock;   // seconds, never backwards; empty: the system's steady clock
};

struct ArmResult {
  std::string name;
  std::vector<double> seconds;  // of one operation, trial by trial
  Summary summary;              // of `seconds`
};

enum class Verdict {
  faster,      // the interval lies wholly below 0.99
  slower,      // wholly above 1.01
  same,        // wholly between the two
  unresolved,  // none of these: the difference, if any, is within the spread
};
const char* verdict_name(Verdict verdict);

struct PairResult {
  size_t arm = 0, reference = 0;  // positions in PairedResult::arms; reference < arm
  std::vector<double> ratios;     // arm's time / reference's time, trial by trial
  Summary summary;                // of `ratios`
  Interval interval;              // median_interval of `ratios`
  double ratio_of_medians = 0;
  Verdict verdict = Verdict::unresolved;
  bool contradicts_medians = false;  // the ratio of medians says the opposite of the verdict
  std::string sentence;
};

struct PairedResult {
  int operations = 0;  // a trial
  std::vector<ArmResult> arms;
  std::vector<PairResult> pairs;  // every pair once: (1, 0), (2, 0), (2, 1), ...
};

PairedResult run_paired(const std::vector<Arm>& arms, const PairedOptions& options = {});

// The comparison alone, for times that were measured elsewhere, trial by trial.
PairResult compare_times(const ArmResult& arm, const ArmResult& reference);

}  // namespace sprue
