// In which order the arms run, trial by trial: drawn anew for each trial, the same in every process.
//
//   const TrialOrder order(3, {31, 62, 124});
//   for (size_t arm : order.trial(0)) run(arm);   // 2, 0, 1
//
// Any fixed pattern has disturbances in step with it: with a, b, a, b one of the period of a trial hits
// always b, with a, b, b, a one of twice that period. Drawn by lot, whatever the machine does hits either
// arm of a pair with equal chance in every trial, independently, which is what median_interval needs.
// Draws in which, at one of the looks, one arm of a pair goes first so often that a cost of going first
// would by itself give a verdict are drawn again.
// Not a source of chance for anything else. Cost: a table of arms x trials, made once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sprue {

class TrialOrder {
 public:
  // `looks`: the numbers of trials after which verdicts may be made, ascending; the last is the most.
  TrialOrder(size_t arms, const std::vector<int>& looks);

  // The arms' positions, each once. Trial < last look.
  std::span<const size_t> trial(size_t trial) const {
    return std::span(order_).subspan(trial * arms_, arms_);
  }

 private:
  void draw(size_t trials, uint64_t seed);
  bool is_balanced(const std::vector<int>& looks) const;

  size_t arms_;
  std::vector<size_t> order_;  // trial after trial
};

}  // namespace sprue
