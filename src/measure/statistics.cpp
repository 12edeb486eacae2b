#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sprue {
namespace {

constexpr double kErrorRate = 0.016;  // of median_interval
// Standard deviations below the expected number of switches: 2.3 % of independent sequences have fewer.
constexpr double kFewSwitches = 2;

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  // NaN goes last: sorting by < alone would be undefined with it.
  std::sort(copy.begin(), copy.end(),
            [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
  return copy;
}

double quantile_of_sorted(const std::vector<double>& values, double q) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = std::min(static_cast<size_t>(position), values.size() - 1);
  const size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

// By what factor the ranks of an interval lie further apart than for independent values. Above and below
// the threshold are taken for the states of a chain; where it changes state only `share` times as often as
// independent values would, the number of values in one state varies (2 - share) / share times as much.
double widening(std::span<const double> values, double threshold) {
  double above = 0, below = 0, switches = 0;
  bool was_above = false;
  for (const double value : values) {
    if (value == threshold) continue;  // neither: a coarse clock gives many of these
    const bool is_above = value > threshold;
    if (above + below > 0 && is_above != was_above) ++switches;
    ++(is_above ? above : below);
    was_above = is_above;
  }
  const double count = above + below;
  if (above < 1 || below < 1 || count < kFewestForInterval) return 1;
  // The mean and variance of Wald and Wolfowitz. Few by chance isn't few.
  const double expected = 2 * above * below / count;
  const double deviation = std::sqrt(expected * (expected - 1) / (count - 1));
  if (switches >= expected - kFewSwitches * deviation) return 1;
  const double share = switches / expected;
  return std::sqrt((2 - share) / share);
}

}  // namespace

double quantile(std::span<const double> values, double q) {
  return quantile_of_sorted(sorted(values), q);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

Summary summarize(std::span<const double> values) {
  const std::vector<double> ordered = sorted(values);
  const auto at = [&](double q) { return quantile_of_sorted(ordered, q); };
  return {at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

std::vector<double> paired_ratios(std::span<const double> values,
                                  std::span<const double> references) {
  std::vector<double> ratios(values.size());
  for (size_t i = 0; i < ratios.size(); ++i) ratios[i] = values[i] / references[i];
  return ratios;
}

size_t median_interval_rank(size_t count) {
  // Terms of the binomial distribution from their logarithms: 2^-count alone would underflow.
  const auto n = static_cast<double>(count);
  double below = 0;
  size_t rank = 0;
  for (size_t k = 0; k <= count / 2; ++k) {
    const auto successes = static_cast<double>(k);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(successes + 1) -
                      std::lgamma(n - successes + 1) - n * std::log(2.0));
    if (2 * below > kErrorRate) break;
    rank = k + 1;
  }
  return std::max<size_t>(rank, 1);
}

Interval median_interval(std::span<const double> values) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {kNan, kNan};
  const std::vector<double> ordered = sorted(values);
  const size_t independent_rank = median_interval_rank(ordered.size());
  // At the ends too: where one spell of alike values holds the median, only its edge tells of the other.
  const double factor = std::max({widening(values, quantile_of_sorted(ordered, 0.5)),
                                  widening(values, ordered[independent_rank - 1]),
                                  widening(values, ordered[ordered.size() - independent_rank])});
  const double centre = static_cast<double>(ordered.size() + 1) / 2;
  const double distance = (centre - static_cast<double>(independent_rank)) * factor;
  const auto rank = static_cast<size_t>(std::max(centre - distance, 1.0));
  return {ordered[rank - 1], ordered[ordered.size() - rank]};
}

}  // namespace sprue
