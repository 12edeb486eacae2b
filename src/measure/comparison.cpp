#include "measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sprue {
namespace {

bool is_in_band(double ratio) { return ratio >= kFasterBelow && ratio <= kSlowerAbove; }

bool is_time(double seconds) { return std::isfinite(seconds) && seconds > 0; }

double median_of(const ArmTimes& arm) {
  if (arm.seconds.empty()) return arm.summary.median;
  std::vector<double> usable;
  std::copy_if(arm.seconds.begin(), arm.seconds.end(), std::back_inserter(usable), is_time);
  return median(usable);
}

std::vector<double> usable_ratios(const ArmTimes& arm, const ArmTimes& reference) {
  if (arm.seconds.size() != reference.seconds.size()) return {};
  std::vector<double> ratios = paired_ratios(arm.seconds, reference.seconds);
  for (size_t i = ratios.size(); i-- > 0;)
    if (!is_time(arm.seconds[i]) || !is_time(reference.seconds[i]))
      ratios.erase(ratios.begin() + static_cast<std::ptrdiff_t>(i));
  return ratios;
}

bool medians_say_otherwise(const PairResult& pair) {
  const double ratio = pair.ratio_of_medians;
  switch (pair.verdict) {
    case Verdict::faster:
      return ratio >= 1;
    case Verdict::slower:
      return ratio <= 1;
    case Verdict::same:
      return !is_in_band(ratio);
    case Verdict::unresolved:
      return !is_in_band(ratio) && (ratio < pair.interval.low || ratio > pair.interval.high);
  }
  return false;
}

std::string write_sentence(const PairResult& pair, const std::string& arm,
                           const std::string& reference) {
  if (pair.ratios.empty())
    return fmt::format(
        "{} against {}: not shown: medians alone carry no spread (ratio of medians {:.3f})", arm,
        reference, pair.ratio_of_medians);
  if (pair.ratios.size() < kFewestForInterval)
    return fmt::format("{} against {}: not shown: {} trials are too few (ratio {:.3f})", arm,
                       reference, pair.ratios.size(), pair.ratio());
  std::string text;
  if (pair.verdict == Verdict::same)
    text = fmt::format("{} and {} take the same time within 1 %", arm, reference);
  else if (pair.verdict == Verdict::unresolved)
    text = fmt::format("{} against {}: not resolved: ±{:.1f} %", arm, reference,
                       100 * pair.resolution());
  else
    text = difference_text(arm, reference, pair.ratio());
  text += fmt::format(" (ratio {:.3f}, interval {:.3f} to {:.3f})", pair.ratio(), pair.interval.low,
                      pair.interval.high);
  if (pair.contradicts_medians)
    text += fmt::format("; but the ratio of the medians is {:.3f}", pair.ratio_of_medians);
  return text;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::same:
      return "same";
    case Verdict::unresolved:
      return "unresolved";
  }
  return "unresolved";
}

Verdict judge(const Interval& interval) {
  if (std::isnan(interval.low) || std::isnan(interval.high)) return Verdict::unresolved;
  if (interval.high < kFasterBelow) return Verdict::faster;
  if (interval.low > kSlowerAbove) return Verdict::slower;
  if (is_in_band(interval.low) && is_in_band(interval.high)) return Verdict::same;
  return Verdict::unresolved;
}

std::string difference_text(const std::string& arm, const std::string& reference, double ratio) {
  if (ratio >= 2) return fmt::format("{} takes {:.2f} times as long as {}", arm, ratio, reference);
  if (ratio <= 0.5)
    return fmt::format("{} is {:.2f} times as fast as {}", arm, 1 / ratio, reference);
  return fmt::format("{} is {:.1f} % {} than {}", arm, 100 * std::abs(1 - ratio),
                     ratio < 1 ? "faster" : "slower", reference);
}

PairResult compare_times(const ArmTimes& arm, const ArmTimes& reference) {
  PairResult pair;
  pair.ratio_of_medians = median_of(arm) / median_of(reference);
  pair.ratios = usable_ratios(arm, reference);
  if (!pair.ratios.empty()) {
    pair.summary = summarize(pair.ratios);
    pair.interval = median_interval(pair.ratios);
    if (pair.ratios.size() >= kFewestForInterval) pair.verdict = judge(pair.interval);
    pair.contradicts_medians = medians_say_otherwise(pair);
  }
  pair.sentence = write_sentence(pair, arm.name, reference.name);
  return pair;
}

std::vector<PairResult> compare_all(const std::vector<ArmTimes>& arms) {
  std::vector<PairResult> pairs;
  for (size_t i = 1; i < arms.size(); ++i) {
    for (size_t reference = 0; reference < i; ++reference) {
      pairs.push_back(compare_times(arms[i], arms[reference]));
      pairs.back().arm = i;
      pairs.back().reference = reference;
    }
  }
  return pairs;
}

}  // namespace sprue
