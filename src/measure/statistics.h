// Summaries of repeated measurements, without assuming how they are distributed.
//
//   Summary s = summarize(seconds);             // s.median, s.lower_quartile, ...
//   Interval i = median_interval(ratios);       // holds the true median in at least 98.4 % of runs
//
// Not for streams: every function sorts a copy. NaN counts as the largest value; no values give NaN.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sprue {

struct Summary {
  double minimum, lower_quartile, median, upper_quartile, maximum;
};

struct Interval {
  double low, high;
};

// The value below which the fraction q of the values lies, between neighbours by linear interpolation.
double quantile(std::span<const double> values, double q);
double median(std::span<const double> values);
Summary summarize(std::span<const double> values);

// values[i] / references[i]: pairs of measurements that were made next to each other, so that a slow
// spell of the machine hits both. Both spans have one length.
std::vector<double> paired_ratios(std::span<const double> values,
                                  std::span<const double> references);

// The k-th smallest and k-th largest of n independent values enclose the median of their distribution,
// whatever it is, except with probability 2 P(B < k), B binomial(n, 1/2). This is the largest such k for
// at most 1.6 %: 9 of 31, 22 of 62, 49 of 124. 1 where n is too small for any.
size_t median_interval_rank(size_t count);
inline constexpr size_t kFewestForInterval = 7;  // 2 / 2^7 is 1.56 %

// Those two values; wider where neighbours in `values`, which stand in the order of measurement, are more
// alike than chance makes them: a clock that stays slow for some trials leaves fewer independent ones
// than were measured. At most the whole range. A state that outlasts all of the values can't be seen.
Interval median_interval(std::span<const double> values);

}  // namespace sprue
