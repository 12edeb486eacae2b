// Comparing ways to do the same work: interleaved trials, so that each is measured beside the others.
//
//   PairedResult result = run_paired({{"native", run_native}, {"jit", run_jit}});
//   for (const PairResult& pair : result.pairs) fmt::print("{}\n", pair.sentence);
//   // jit is 3.1 % faster than native (ratio 0.969, interval 0.951 to 0.985)
//
// A trial runs every arm once, each for the same number of operations, in an order drawn anew for each
// trial (trial_order.h). That number is the largest n <= 200 for which the slowest arm takes at most
// 50 ms, at least 1; finding it warms the arms up. After 31 trials, and again after 62, it stops if every
// pair has a verdict; after 124 in any case. Each look errs in at most 1.6 % of runs, the three together
// in at most 4.8 %. Pairs of one binary are a control: they never ask for more trials.
// An arm runs its operations back to back and returns when they are done; whatever it throws passes
// through. Not for asserting a time: nothing here fails. What is decided once a process (where a page
// lies, which code was compiled) doesn't vary between trials: for that, run fresh processes.
// Belongs to one thread. Cost: trials x arms x 50 ms at most, while an operation is shorter than that.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "measure/comparison.h"

namespace sprue {

struct Arm {
  std::string name;
  std::function<void(int operations)> run;
  // Identity of what runs: arms of equal ones are the same; empty: unknown.
  std::string binary = {};
};

struct PairedOptions {
  std::vector<int> looks = {31, 62, 124};  // trials after which verdicts are made; ascending, >= 1
  int most_operations = 200;
  double longest_seconds = 0.050;  // of one arm in one trial
  // No look is begun that would, at the pace so far, end later than this after the start. The first is.
  double longest_total_seconds = std::numeric_limits<double>::infinity();
  std::function<double()> clock = {};  // seconds, never backwards; empty: the system's steady clock
  // Before each trial: how many are done, of how many up to the next look.
  std::function<void(int done, int trials)> progress = {};
  std::function<bool()> stop = {};  // asked before each trial; true: what was measured is judged
};

enum class StopReason {
  resolved,     // every pair that matters has a verdict
  last_look,    // there is no further look
  time,         // a further look would have taken too long
  interrupted,  // `stop` said so
};
const char* stop_reason_name(StopReason reason);  // "every pair is resolved", ...

struct PairedResult {
  int operations = 0;  // a trial
  int trials = 0;
  StopReason stopped = StopReason::resolved;
  std::vector<ArmTimes> arms;
  std::vector<PairResult> pairs;  // compare_all of `arms`
};

// No arms: an empty result.
PairedResult run_paired(const std::vector<Arm>& arms, const PairedOptions& options = {});

}  // namespace sprue
