// Times as one size grows: a line an arm, labelled where it ends.
//
//   std::string svg = svg_sweep({.title = "Times by M", .size_name = "M", .value_name = "time"},
//                               {{.name = "jit", .series = 1, .points = {{1024, summary}, ...}}});
//
// Both axes are logarithmic where their values span a factor of eight; ticks stand at the sizes that were
// measured. The vertical bar is the middle half of the trials. Points without a median are left out. Empty
// when no line has two points. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/statistics.h"

namespace sprue {

struct SweepLabels {
  std::string title;
  std::string size_name;
  std::string value_name;  // what the lines show
  bool is_ratio = false;   // values are plain numbers, not seconds
};

struct SweepPoint {
  int64_t size = 0;
  Summary value;  // seconds or ratios; NaN where unknown
};

struct SweepLine {
  std::string name;
  size_t series = 0;
  std::vector<SweepPoint> points;  // sizes rising
};

std::string svg_sweep(const SweepLabels& labels, const std::vector<SweepLine>& lines);

}  // namespace sprue
