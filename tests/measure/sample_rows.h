// Rows of a benchmark made by hand: medians, or trials that alternate closely around one.
//
//   row_of("K=1", {{"K", 1}}, {median_arm("jit", 2e-3), trials_arm("cast", 1e-3)});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/report.h"

namespace sprue {

struct SampleArm {
  ArmIdentity identity;
  ArmTimes times;
};

inline SampleArm median_arm(std::string name, double seconds) {
  SampleArm arm{.identity = {.name = name}, .times = {.name = name}};
  arm.times.summary.median = seconds;
  return arm;
}

// 31 trials within `spread` on either side of the median.
inline SampleArm trials_arm(std::string name, double seconds, double spread = 0) {
  SampleArm arm{.identity = {.name = name}, .times = {.name = name}};
  for (int i = 0; i < 31; ++i) arm.times.seconds.push_back(seconds * (1 + (i % 3 - 1) * spread));
  arm.times.summary = summarize(arm.times.seconds);
  return arm;
}

inline BenchRow row_of(std::string call, std::vector<std::pair<std::string, int64_t>> sizes,
                       const std::vector<SampleArm>& arms) {
  BenchRow row;
  row.call = std::move(call);
  row.sizes = std::move(sizes);
  for (const SampleArm& arm : arms) {
    row.arms.push_back(arm.identity);
    row.times.push_back(arm.times);
  }
  row.pairs = compare_all(row.times);
  return row;
}

}  // namespace sprue
