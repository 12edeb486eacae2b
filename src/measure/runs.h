// Several runs of one benchmark, each in a fresh process, as one report.
//
//   SPRUE_ASSIGN(const BenchReport report, combine_runs(std::move(reports)));
//   report.runs       // medians of each arm by run, and the spread between runs
//   report.run_pairs  // ratios of each pair by run
//
// What is decided once a process (where a page lies, what was compiled) varies between runs and not
// within one, so the interval of a single run knows nothing of it. A verdict stands only if all runs
// come to it; else the pair is unresolved, and says so. Pure functions.
#pragma once

#include "base/result.h"
#include "measure/report.h"

namespace sprue {

// The first run's report, with the others beside it. Errors: invalid_argument if the runs don't have
// the same rows and arms, or there is none.
Result<BenchReport> combine_runs(std::vector<BenchReport> reports);

// Makes pairs unresolved on which the runs disagree; says in the sentence what each run found.
void apply_run_pairs(BenchReport& report);

}  // namespace sprue
