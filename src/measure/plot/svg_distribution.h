// How the times of several arms are spread: one strip an arm, above one another on one axis.
//
//   std::string svg = svg_distribution("Times of row default",
//                                      {{.name = "jit", .series = 1, .seconds = {...}, .summary = ...}});
//
// A dot is a trial, the first on top, so drift shows as a slant; the box holds the middle half; the bar is
// the median. The axis covers what lies within three interquartile ranges of a box; trials beyond it are
// counted in words. Strips without trials show their median alone. Empty when there is nothing to draw.
// Not for comparing arms: that is svg_ratio_intervals.h, from pairs. Pure.
#pragma once

#include <string>
#include <vector>

#include "measure/statistics.h"

namespace sprue {

struct DistributionStrip {
  std::string name;
  size_t series = 0;            // colour and shape
  std::vector<double> seconds;  // trial by trial; may be empty
  Summary summary;              // NaN where unknown
};

std::string svg_distribution(const std::string& title,
                             const std::vector<DistributionStrip>& strips);

}  // namespace sprue
