#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace sprue {
namespace {

TEST(Statistics, QuantilesInterpolateBetweenNeighbours) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_EQ(median(values), 2.5);
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 4);
  EXPECT_EQ(quantile(values, 0.25), 1.75);
  EXPECT_EQ(median(std::vector<double>{5, 9, 7}), 7);
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
  const Summary summary = summarize(std::vector<double>{5, 1, 2, 4, 3});
  EXPECT_EQ(summary.minimum, 1);
  EXPECT_EQ(summary.lower_quartile, 2);
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.upper_quartile, 4);
  EXPECT_EQ(summary.maximum, 5);
}

TEST(Statistics, RatiosArePairedByPosition) {
  EXPECT_EQ(paired_ratios(std::vector<double>{2, 9}, std::vector<double>{4, 3}),
            (std::vector<double>{0.5, 3}));
}

// Pascal's triangle in place of the closed form.
double coverage(size_t count, size_t rank) {
  std::vector<double> row = {1};
  for (size_t n = 0; n < count; ++n) {
    std::vector<double> next(row.size() + 1);
    for (size_t k = 0; k < row.size(); ++k) {
      next[k] += row[k] / 2;
      next[k + 1] += row[k] / 2;
    }
    row = next;
  }
  double outside = 0;
  for (size_t k = 0; k < rank; ++k) outside += 2 * row[k];
  return 1 - outside;
}

TEST(Statistics, TheIntervalOfTheMedianHasTheRanksOfTheBinomial) {
  EXPECT_EQ(median_interval_rank(31), 9u);
  EXPECT_EQ(median_interval_rank(62), 22u);
  EXPECT_EQ(median_interval_rank(124), 49u);
  for (size_t count = 8; count <= 300; ++count) {
    const size_t rank = median_interval_rank(count);
    EXPECT_GE(coverage(count, rank), 0.984) << count;
    EXPECT_LT(coverage(count, rank + 1), 0.984) << count;
  }
  EXPECT_EQ(median_interval_rank(3), 1u);
  EXPECT_EQ(median_interval_rank(1), 1u);
  std::vector<double> values(31);
  for (size_t i = 0; i < 31; ++i) values[(i * 7) % 31] = static_cast<double>(i + 1);
  EXPECT_EQ(median_interval(values).low, 9);
  EXPECT_EQ(median_interval(values).high, 23);
}

TEST(Statistics, TheIntervalHoldsTheMedianAsOftenAsItSays) {
  std::mt19937 engine(1);
  std::exponential_distribution<double> skewed(1);
  int held = 0;
  constexpr int kRuns = 5000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(31);
    for (double& value : values) value = skewed(engine);
    const Interval interval = median_interval(values);
    held += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
  }
  EXPECT_GE(held, kRuns * 0.984);
  EXPECT_LT(held, kRuns * 0.998);  // an interval that always holds says nothing
}

// Two spells of alike values: there is no telling which of them is typical.
TEST(Statistics, TheIntervalIsWiderWhereNeighboursAreAlike) {
  std::vector<double> values(62);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 37 % 62);
  const Interval independent = median_interval(values);
  EXPECT_EQ(independent.low, 21);
  EXPECT_EQ(independent.high, 40);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(median_interval(values).low, 0);
  EXPECT_EQ(median_interval(values).high, 61);
  // One spell holds the median, so that only its edge tells of the other.
  std::vector<double> spells(31);
  for (size_t i = 0; i < 31; ++i)
    spells[i] = (i < 23 ? 1.0 : 2.0) + (i % 2 == 0 ? 0.3 : 0) + static_cast<double>(i) / 1000;
  EXPECT_GT(median_interval(spells).high, 2);
  for (double& value : spells) value = -value;
  EXPECT_LT(median_interval(spells).low, -2);
  // And where the edges lie well mixed in spells of their own, only the median tells.
  for (size_t i = 0; i < 31; ++i)
    spells[i] = i < 15 ? 1 + (i % 2 == 1 && i < 12 ? 0.3 : 0) : 2 + (i % 2 == 0 ? 0.3 : 0);
  EXPECT_EQ(median_interval(spells).high, 2.3);
  for (size_t i = 0; i < 31; ++i) spells[i] += static_cast<double>(i) / 1000;
  EXPECT_GT(median_interval(spells).high, 2.3);
}

TEST(Statistics, EqualValuesAreNoSpell) {
  EXPECT_EQ(median_interval(std::vector<double>(31, 5.0)).high, 5);
  std::vector<double> one_outlier(31, 5.0);
  one_outlier[30] = 50;
  EXPECT_EQ(median_interval(one_outlier).high, 5);
}

TEST(Statistics, IndependentValuesAreSeldomTakenForSpells) {
  std::mt19937 engine(1);
  int widened = 0;
  constexpr int kRuns = 1000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(62);
    std::iota(values.begin(), values.end(), 1.0);
    std::shuffle(values.begin(), values.end(), engine);
    widened += median_interval(values).low != 22;
  }
  EXPECT_LE(widened, kRuns / 10);
  EXPECT_GE(widened, kRuns / 100);
}

// Each value is 0.7 of the one before and a draw of its own.
TEST(Statistics, TheIntervalHoldsTheMedianOfDependentValuesToo) {
  std::mt19937 engine(1);
  std::normal_distribution<double> draw(0, 1);
  int held = 0;
  constexpr int kRuns = 1000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(124);
    double value = draw(engine) / std::sqrt(1 - 0.7 * 0.7);
    for (double& one : values) one = value = 0.7 * value + draw(engine);
    const Interval interval = median_interval(values);
    held += interval.low <= 0 && interval.high >= 0;
  }
  EXPECT_GE(held, kRuns * 95 / 100);
}

TEST(Statistics, NaNCountsAsTheLargest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(median(std::vector<double>{nan, 1, 4, 3, 2}), 3);
  EXPECT_EQ(quantile(std::vector<double>{2, nan, 1}, 0), 1);
}

TEST(Statistics, FewAndNoValues) {
  EXPECT_TRUE(std::isnan(median_interval(std::vector<double>{}).low));
  EXPECT_EQ(median_interval(std::vector<double>{3}).high, 3);
  EXPECT_EQ(median_interval(std::vector<double>{3, 1, 2}).low, 1);
  EXPECT_EQ(median_interval_rank(kFewestForInterval), 1u);
  EXPECT_GE(coverage(kFewestForInterval, 1), 0.984);
  EXPECT_LT(coverage(kFewestForInterval - 1, 1), 0.984);
}

}  // namespace
}  // namespace sprue
