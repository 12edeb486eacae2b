#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sprue {
namespace {

constexpr double kErrorRate = 0.016;  // of median_interval

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
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
  const size_t rank = median_interval_rank(ordered.size());
  return {ordered[rank - 1], ordered[ordered.size() - rank]};
}

}  // namespace sprue
