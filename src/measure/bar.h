// A bar for a pipeline: no arm may be slower than the first one by more than so much.
//
//   const BarResult bar = check_bar(report, 0.05);   // 5 %
//   if (!bar.met) return 1;
//
// Met in a row if the whole interval of the ratio lies at or below 1 + bar; missed if wholly above; else
// not resolved, which isn't met either: a noisy machine must not let a slow build through. With several
// runs, each must meet it. Outputs that differ beyond their bar are another matter (ArmParity). Pure.
#pragma once

#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

struct BarResult {
  bool met = true;
  std::vector<std::string> sentences;  // one for each arm and row
};

BarResult check_bar(const BenchReport& report, double bar);

}  // namespace sprue
