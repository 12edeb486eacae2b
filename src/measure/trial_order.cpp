#include "measure/trial_order.h"

#include <numeric>
#include <utility>

#include "measure/statistics.h"

namespace sprue {
namespace {

// Beyond this many arms' worth of pairs no draw may satisfy all of them; then the last one serves.
constexpr uint64_t kMostDraws = 200;

// SplitMix64: the standard library's shuffle differs between implementations.
class Lots {
 public:
  explicit Lots(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace

TrialOrder::TrialOrder(size_t arms, const std::vector<int>& looks) : arms_(arms) {
  const auto trials = static_cast<size_t>(looks.empty() ? 0 : looks.back());
  for (uint64_t seed = 1; seed <= kMostDraws; ++seed) {
    draw(trials, seed);
    if (is_balanced(looks)) return;
  }
}

void TrialOrder::draw(size_t trials, uint64_t seed) {
  order_.resize(trials * arms_);
  Lots lots(seed);
  for (size_t trial = 0; trial < trials; ++trial) {
    size_t* order = order_.data() + trial * arms_;
    std::iota(order, order + arms_, size_t{0});
    for (size_t left = arms_; left > 1; --left)
      std::swap(order[left - 1], order[lots.next() % left]);
  }
}

bool TrialOrder::is_balanced(const std::vector<int>& looks) const {
  std::vector<size_t> first(arms_ * arms_);  // [a, b]: in how many trials a ran before b
  size_t trial_count = 0;
  for (const int look : looks) {
    const auto trials = static_cast<size_t>(look);
    for (; trial_count < trials; ++trial_count) {
      const auto order = trial(trial_count);
      for (size_t early = 0; early < arms_; ++early)
        for (size_t late = early + 1; late < arms_; ++late)
          ++first[order[early] * arms_ + order[late]];
    }
    if (trials < kFewestForInterval) continue;
    const size_t rank = median_interval_rank(trials);
    for (size_t a = 0; a < arms_; ++a)
      for (size_t b = 0; b < arms_; ++b)
        if (a != b && first[a * arms_ + b] < rank) return false;
  }
  return true;
}

}  // namespace sprue
