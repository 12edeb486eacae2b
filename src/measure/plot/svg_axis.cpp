#include "measure/plot/svg_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/report/quantity.h"

namespace sprue {
namespace {

// A range around 0 has a tick there and one on each side.
constexpr int kFewestTicks = 3;
constexpr double kSmallest = 1e-300, kLargest = 1e300;
// Steps are 1, 2, 5, 10, ...: the n-th counts from 1.
double round_step(int n) {
  constexpr double kSteps[] = {1, 2, 5};
  const int decade = n >= 0 ? n / 3 : -((2 - n) / 3);
  const double digit = kSteps[n - 3 * decade];
  // Dividing by 10^k is exact where multiplying by 10^-k isn't: 5 / 100 is 0.05.
  return decade >= 0 ? digit * std::pow(10.0, decade) : digit / std::pow(10.0, -decade);
}

int step_at_most(double value) {
  int n = 3 * static_cast<int>(std::floor(std::log10(value))) - 1;
  while (round_step(n + 1) <= value * (1 + 1e-12)) ++n;
  return n;
}

// Decimals that a step needs: 0.2 one, 0.05 two, 20 none.
int step_decimals(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
}

void repair_limits(double& low, double& high) {
  if (!std::isfinite(low) || !std::isfinite(high)) {
    const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
    low = has_low ? low : has_high ? high : 0;
    high = has_high ? high : has_low ? low : 1;
  }
  if (low > high) std::swap(low, high);
  low = std::clamp(low, -kLargest, kLargest);
  high = std::clamp(high, -kLargest, kLargest);
}

}  // namespace

double Axis::fraction(double value) const {
  if (!is_logarithmic) return (value - low) / (high - low);
  if (!(value > 0)) return -std::numeric_limits<double>::infinity();
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

Axis linear_axis(double low, double high, int most_ticks) {
  repair_limits(low, high);
  const double least = std::max({std::abs(low) * 1e-4, std::abs(high) * 1e-4, kSmallest * 1e12});
  if (high - low < least) {
    low -= low == 0 ? 0 : least / 2;
    high = low + least;
  }
  most_ticks = std::max(most_ticks, kFewestTicks);
  for (int n = step_at_most((high - low) / most_ticks);; ++n) {
    const double step = round_step(n);
    const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
    if (last - first + 1 > most_ticks) continue;
    Axis axis{.low = first * step, .high = last * step, .step = step, .ticks = {}};
    for (double i = first; i <= last; ++i) axis.ticks.push_back(i * step);
    return axis;
  }
}

Axis logarithmic_axis(double low, double high, int most_ticks) {
  repair_limits(low, high);
  low = std::clamp(low, kSmallest, kLargest / 10);
  high = std::max(high, low * 2);
  most_ticks = std::max(most_ticks, kFewestTicks);
  const int first = step_at_most(low);
  int last = step_at_most(high);
  if (round_step(last) < high * (1 - 1e-12)) ++last;
  Axis axis{
      .low = round_step(first), .high = round_step(last), .is_logarithmic = true, .ticks = {}};
  // Every step of 1, 2, 5; else every decade; else every second, third, ... decade.
  for (int stride = 1;; stride = stride == 1 ? 3 : stride + 3) {
    axis.ticks.clear();
    for (int n = first; n <= last; ++n) {
      if (n % stride == 0) axis.ticks.push_back(round_step(n));
    }
    if (static_cast<int>(axis.ticks.size()) <= most_ticks) return axis;
  }
}

Axis fitting_axis(double low, double high, int most_ticks) {
  repair_limits(low, high);
  if (low > 0 && high / low > 8) return logarithmic_axis(low, high, most_ticks);
  return linear_axis(low > 0 && low < 0.4 * high ? 0 : low, high, most_ticks);
}

std::vector<std::string> time_labels(const Axis& axis) {
  std::vector<std::string> labels;
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  const TimeUnit common = time_unit(largest);
  for (double tick : axis.ticks) {
    if (axis.is_logarithmic) {
      const TimeUnit unit = time_unit(tick);
      labels.push_back(fmt::format("{:.6g} {}", tick / unit.seconds, unit.name));
    } else if (axis.step / common.seconds < 1e-6 || largest / common.seconds >= 1e6) {
      labels.push_back(fmt::format("{:.6g} {}", tick / common.seconds, common.name));
    } else {
      labels.push_back(fmt::format("{:.{}f} {}", tick / common.seconds,
                                   step_decimals(axis.step / common.seconds), common.name));
    }
  }
  return labels;
}

std::vector<std::string> number_labels(const Axis& axis, int decimals) {
  std::vector<std::string> labels;
  for (double tick : axis.ticks) {
    const double size = std::abs(tick);
    if (size != 0 && (size < 1e-4 || size >= 1e6)) {
      labels.push_back(fmt::format("{:.6g}", tick));
    } else {
      const double step = axis.is_logarithmic ? round_step(step_at_most(size)) : axis.step;
      labels.push_back(fmt::format("{:.{}f}", tick, std::max(decimals, step_decimals(step))));
    }
  }
  return labels;
}

}  // namespace sprue
