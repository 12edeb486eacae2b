#include "measure/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace sprue {
namespace {

constexpr double kFasterBelow = 0.99;
constexpr double kSlowerAbove = 1.01;
// A trial shorter than the clock's step would divide by zero.
constexpr double kShortestSeconds = 1e-12;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double time_arm(const Arm& arm, int operations, const std::function<double()>& clock) {
  const double begin = clock();
  arm.run(operations);
  return std::max(clock() - begin, kShortestSeconds);
}

double slowest(const std::vector<Arm>& arms, int operations, const std::function<double()>& clock) {
  double seconds = 0;
  for (const Arm& arm : arms) {
    // The better of two: a single interruption would otherwise shorten every trial.
    const double first = time_arm(arm, operations, clock);
    seconds = std::max(seconds, std::min(first, time_arm(arm, operations, clock)));
  }
  return seconds;
}

// Grows from 1, for the first operations of an arm may be far slower than the rest.
int find_operations(const std::vector<Arm>& arms, const PairedOptions& options,
                    const std::function<double()>& clock) {
  int operations = 1;
  for (;;) {
    const double seconds = slowest(arms, operations, clock);
    // Half a millionth of slack: a time of exactly the limit must not round to one operation less.
    const double affordable = operations * options.longest_seconds / seconds * (1 + 5e-7);
    const int fitting = static_cast<int>(
        std::clamp(affordable, 1.0, static_cast<double>(std::max(options.most_operations, 1))));
    if (fitting <= operations) return fitting;
    // Not all at once: the estimate from few operations is rough.
    const int larger = static_cast<int>(std::min<int64_t>(fitting, int64_t{operations} * 8));
    operations = larger;
  }
}

Verdict judge(const Interval& interval) {
  if (interval.high < kFasterBelow) return Verdict::faster;
  if (interval.low > kSlowerAbove) return Verdict::slower;
  if (interval.low >= kFasterBelow && interval.high <= kSlowerAbove) return Verdict::same;
  return Verdict::unresolved;
}

std::string write_sentence(const PairResult& pair, const std::string& arm,
                           const std::string& reference) {
  const double ratio = pair.summary.median;
  std::string text;
  if (pair.verdict == Verdict::same) {
    text = fmt::format("{} and {} take the same time within 1 %", arm, reference);
  } else if (pair.verdict == Verdict::unresolved) {
    text = fmt::format("{} and {} show no difference beyond the spread", arm, reference);
  } else if (ratio >= 2) {
    text = fmt::format("{} takes {:.2f} times as long as {}", arm, ratio, reference);
  } else if (ratio <= 0.5) {
    text = fmt::format("{} is {:.2f} times as fast as {}", arm, 1 / ratio, reference);
  } else {
    const bool is_faster = pair.verdict == Verdict::faster;
    text = fmt::format("{} is {:.1f} % {} than {}", arm, 100 * (is_faster ? 1 - ratio : ratio - 1),
                       is_faster ? "faster" : "slower", reference);
  }
  text += fmt::format(" (ratio {:.3f}, spread {:.3f} to {:.3f})", ratio, pair.interval.low,
                      pair.interval.high);
  if (pair.contradicts_medians) {
    text += fmt::format("; but the ratio of the medians is {:.3f}", pair.ratio_of_medians);
  }
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

PairResult compare_times(const ArmResult& arm, const ArmResult& reference) {
  PairResult pair;
  pair.ratios = paired_ratios(arm.seconds, reference.seconds);
  pair.summary = summarize(pair.ratios);
  pair.interval = median_interval(pair.ratios);
  pair.ratio_of_medians = median(arm.seconds) / median(reference.seconds);
  pair.verdict = judge(pair.interval);
  pair.contradicts_medians = (pair.verdict == Verdict::faster && pair.ratio_of_medians >= 1) ||
                             (pair.verdict == Verdict::slower && pair.ratio_of_medians <= 1);
  pair.sentence = write_sentence(pair, arm.name, reference.name);
  return pair;
}

PairedResult run_paired(const std::vector<Arm>& arms, const PairedOptions& options) {
  const std::function<double()> clock = options.clock ? options.clock : steady_seconds;
  PairedResult result;
  if (arms.empty()) return result;
  result.operations = find_operations(arms, options, clock);
  for (const Arm& arm : arms)
    result.arms.push_back({.name = arm.name, .seconds = {}, .summary = {}});
  for (size_t trial = 0; trial < static_cast<size_t>(std::max(options.trials, 1)); ++trial) {
    for (size_t turn = 0; turn < arms.size(); ++turn) {
      const size_t i = (trial + turn) % arms.size();
      const double seconds = time_arm(arms[i], result.operations, clock);
      result.arms[i].seconds.push_back(seconds / result.operations);
    }
  }
  for (ArmResult& arm : result.arms) arm.summary = summarize(arm.seconds);
  for (size_t i = 1; i < arms.size(); ++i) {
    for (size_t reference = 0; reference < i; ++reference) {
      PairResult pair = compare_times(result.arms[i], result.arms[reference]);
      pair.arm = i;
      pair.reference = reference;
      result.pairs.push_back(std::move(pair));
    }
  }
  return result;
}

}  // namespace sprue
