#include "measure/trial_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "measure/comparison.h"

namespace sprue {
namespace {

const std::vector<int> kLooks = {31, 62, 124};

TEST(TrialOrder, HoldsEveryArmOnceInEveryTrial) {
  for (size_t arms = 1; arms <= 9; ++arms) {
    const TrialOrder order(arms, kLooks);
    for (size_t trial = 0; trial < 124; ++trial) {
      const auto one = order.trial(trial);
      EXPECT_EQ(std::set(one.begin(), one.end()).size(), arms);
      EXPECT_EQ(*std::max_element(one.begin(), one.end()), arms - 1);
    }
  }
}

TEST(TrialOrder, NoArmHasFixedNeighbours) {
  for (size_t arms = 3; arms <= 6; ++arms) {
    const TrialOrder order(arms, kLooks);
    std::map<std::pair<size_t, size_t>, int> follows;
    for (size_t trial = 0; trial < 124; ++trial)
      for (size_t i = 1; i < arms; ++i)
        ++follows[{order.trial(trial)[i - 1], order.trial(trial)[i]}];
    EXPECT_EQ(follows.size(), arms * (arms - 1));
    const int expected =
        124 / static_cast<int>(arms);  // trials in which one follows a certain other
    for (const auto& [pair, count] : follows) EXPECT_LT(count, 2 * expected) << pair.first;
  }
}

TEST(TrialOrder, IsNeitherPeriodicNorAlternating) {
  const TrialOrder order(2, kLooks);
  for (size_t period = 1; period <= 31; ++period) {
    int equal = 0;
    for (size_t trial = 0; trial + period < 124; ++trial)
      equal += order.trial(trial)[0] == order.trial(trial + period)[0];
    const int compared = 124 - static_cast<int>(period);
    EXPECT_GT(equal, compared / 4) << period;
    EXPECT_LT(equal, compared * 3 / 4) << period;
  }
}

// Whichever arm goes first pays 5 %: that is no difference between the arms.
TEST(TrialOrder, ACostOfGoingFirstGivesNoVerdict) {
  for (size_t arms = 2; arms <= 8; ++arms) {
    const TrialOrder order(arms, {1, 31, 62, 124});  // one trial can't be balanced, the others can
    for (const size_t look : {31, 62, 124}) {
      for (size_t a = 0; a < arms; ++a) {
        for (size_t b = 0; b < a; ++b) {
          ArmTimes one{.name = "a"}, other{.name = "b"};
          for (size_t trial = 0; trial < look; ++trial) {
            const auto row = order.trial(trial);
            const bool is_first =
                std::find(row.begin(), row.end(), a) < std::find(row.begin(), row.end(), b);
            one.seconds.push_back(is_first ? 1.05 : 1);
            other.seconds.push_back(is_first ? 1 : 1.05);
          }
          EXPECT_EQ(compare_times(one, other).verdict, Verdict::unresolved)
              << arms << " arms, " << look << " trials";
        }
      }
    }
  }
}

TEST(TrialOrder, ManyArmsAndShortLooksAreStillOrdered) {
  EXPECT_EQ(TrialOrder(40, {3}).trial(2).size(), 40u);
  EXPECT_EQ(TrialOrder(2, {1}).trial(0).size(), 2u);
}

}  // namespace
}  // namespace sprue
