// What may be said of a benchmark beyond one row, and what a reader must know before believing it.
//
//   review(report);                     // fills report.conclusions and report.flags
//   report.conclusions[1].sentence;     // "cast-fast beats jit: not shown (faster in 1 of 4 rows, ...)"
//   report.flags;                       // "native: K=32768 (2.440 ms) takes less than K=28672 (2.680 ms)"
//
// One thing beats another only if it is faster in every row. Works on medians alone too, as tables have
// them: then nothing is shown, but what contradicts itself is still seen.
// Not for judging a pair in one row: comparison.h. Pure functions.
#pragma once

#include <vector>

#include "measure/report.h"

namespace sprue {

// One for each pair of names, in the order and direction in which they first appear; the counts are those
// of `arm` against `reference`, the sentence is about whichever is ahead. None for fewer than two rows.
std::vector<PairConclusion> conclude(const std::vector<BenchRow>& rows);

// Replaces the conclusions; adds to the flags those of doubts.h and claims.h that aren't there yet.
void review(BenchReport& report);

}  // namespace sprue
