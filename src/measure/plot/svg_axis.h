// An axis: a range that ends at round numbers, its ticks, and where a value stands on it.
//
//   Axis axis = linear_axis(11.83, 12.94, 6);      // 11.8 to 13, ticks each 0.2
//   double x = left + axis.fraction(12.31) * width;
//   std::vector<std::string> labels = time_labels(axis);
//
// Not for dates or categories. Any input gives a usable axis: limits that are equal, swapped or not finite
// are widened or replaced. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace sprue {

struct Axis {
  double low = 0, high = 1;
  bool is_logarithmic = false;
  double step = 1;            // between ticks of a linear axis
  std::vector<double> ticks;  // rising, within [low, high]; steps of 1, 2 or 5 times a power of ten

  // 0 at `low`, 1 at `high`, outside that beyond them; minus infinity for what a logarithm can't show.
  double fraction(double value) const;
  bool holds(double value) const { return value >= low && value <= high; }
};

// `most_ticks` counts as 3 where it is less.
Axis linear_axis(double low, double high, int most_ticks);
Axis logarithmic_axis(double low, double high, int most_ticks);

// Logarithmic for positive values of which the largest is more than eight times the smallest; else linear,
// from 0 where the smallest is less than 0.4 of the largest.
Axis fitting_axis(double low, double high, int most_ticks);

// One a tick, each with its unit: "12.2 µs".
std::vector<std::string> time_labels(const Axis& axis);
// Plain numbers with as many decimals as the step needs, at least `decimals`: "0.95".
std::vector<std::string> number_labels(const Axis& axis, int decimals = 0);

}  // namespace sprue
