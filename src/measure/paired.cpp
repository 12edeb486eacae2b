#include "measure/paired.h"

#include <algorithm>
#include <chrono>

#include "measure/trial_order.h"

namespace sprue {
namespace {

// A trial shorter than the clock's step would divide by zero.
constexpr double kShortestSeconds = 1e-12;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class PairedRun {
 public:
  PairedRun(const std::vector<Arm>& arms, const PairedOptions& options)
      : arms_(arms),
        options_(options),
        clock_(options.clock ? options.clock : steady_seconds),
        begin_(clock_()) {
    for (const int look : options.looks)
      if (look > (looks_.empty() ? 0 : looks_.back())) looks_.push_back(look);
    if (looks_.empty()) looks_ = {1};
    for (const Arm& arm : arms) result_.arms.push_back({.name = arm.name});
  }

  PairedResult run() {
    result_.operations = find_operations();
    trials_begin_ = clock_();
    const TrialOrder order(arms_.size(), looks_);
    for (const int look : looks_) {
      if (look != looks_.front() && !may_extend_to(look)) break;
      while (result_.trials < look) {
        if (is_stopped()) {
          judge_pairs();
          result_.stopped = StopReason::interrupted;
          return std::move(result_);
        }
        if (options_.progress) options_.progress(result_.trials, look);
        run_trial(order.trial(static_cast<size_t>(result_.trials)));
      }
      judge_pairs();
      if (is_resolved()) break;
    }
    return std::move(result_);
  }

 private:
  bool is_stopped() const { return options_.stop && options_.stop(); }

  double time_arm(const Arm& arm, int operations) const {
    const double begin = clock_();
    arm.run(operations);
    return std::max(clock_() - begin, kShortestSeconds);
  }

  double slowest(int operations) const {
    double seconds = 0;
    for (const Arm& arm : arms_) {
      if (is_stopped()) break;
      // The better of two: a single interruption would otherwise shorten every trial.
      const double first = time_arm(arm, operations);
      seconds = std::max(seconds, std::min(first, time_arm(arm, operations)));
    }
    return std::max(seconds, kShortestSeconds);
  }

  // Grows from 1, for the first operations of an arm may be far slower than the rest.
  int find_operations() const {
    int operations = 1;
    for (;;) {
      const double seconds = slowest(operations);
      if (is_stopped()) return operations;
      // Half a millionth of slack: a time of exactly the limit must not round to one operation less.
      const double affordable = operations * options_.longest_seconds / seconds * (1 + 5e-7);
      const int fitting = static_cast<int>(
          std::clamp(affordable, 1.0, static_cast<double>(std::max(options_.most_operations, 1))));
      if (fitting <= operations) return fitting;
      // Not all at once: the estimate from few operations is rough.
      operations = static_cast<int>(std::min<int64_t>(fitting, int64_t{operations} * 8));
    }
  }

  void run_trial(std::span<const size_t> order) {
    for (const size_t i : order) {
      const double seconds = time_arm(arms_[i], result_.operations);
      result_.arms[i].seconds.push_back(seconds / result_.operations);
    }
    ++result_.trials;
  }

  void judge_pairs() {
    for (ArmTimes& arm : result_.arms) arm.summary = summarize(arm.seconds);
    result_.pairs = compare_all(result_.arms);
  }

  // Also says why it stops, if it does.
  bool is_resolved() {
    result_.stopped = StopReason::resolved;
    for (const PairResult& pair : result_.pairs) {
      const std::string& binary = arms_[pair.arm].binary;
      const bool is_control = !binary.empty() && binary == arms_[pair.reference].binary;
      if (!is_control && pair.verdict == Verdict::unresolved)
        result_.stopped = StopReason::last_look;
    }
    return result_.stopped == StopReason::resolved;
  }

  bool may_extend_to(int look) {
    const double now = clock_();
    const double of_a_trial = (now - trials_begin_) / result_.trials;
    const double expected_end = now + of_a_trial * (look - result_.trials);
    if (expected_end - begin_ <= options_.longest_total_seconds) return true;
    result_.stopped = StopReason::time;
    return false;
  }

  const std::vector<Arm>& arms_;
  const PairedOptions& options_;
  const std::function<double()> clock_;
  const double begin_;
  double trials_begin_ = 0;
  std::vector<int> looks_;
  PairedResult result_;
};

}  // namespace

const char* stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::resolved:
      return "every pair is resolved";
    case StopReason::last_look:
      return "the last look";
    case StopReason::time:
      return "the time is up";
    case StopReason::interrupted:
      return "interrupted";
  }
  return "interrupted";
}

PairedResult run_paired(const std::vector<Arm>& arms, const PairedOptions& options) {
  if (arms.empty()) return {};
  return PairedRun(arms, options).run();
}

}  // namespace sprue
