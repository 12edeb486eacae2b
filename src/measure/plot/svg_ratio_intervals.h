// Ratios of pairs with their intervals, above one another on one axis: which differences are shown.
//
//   std::string svg = svg_ratio_intervals("Ratios of row default",
//       {{.name = "jit / native", .low = 0.951, .ratio = 0.969, .high = 0.985, .verdict = Verdict::faster}});
//
// The bar is the interval, the mark on it the ratio: its shape and a word give the verdict. The equivalence
// band (comparison.h) is shaded and 1 marked. A pair without an interval shows its ratio as an open circle.
// Empty when there is nothing to draw. Pure.
#pragma once

#include <string>
#include <vector>

#include "measure/comparison.h"

namespace sprue {

struct RatioInterval {
  std::string name;
  double low = 0, ratio = 1, high = 0;  // NaN where unknown
  Verdict verdict = Verdict::unresolved;
  bool is_control = false;  // both arms are the same binary
};

std::string svg_ratio_intervals(const std::string& title, const std::vector<RatioInterval>& pairs);

}  // namespace sprue
