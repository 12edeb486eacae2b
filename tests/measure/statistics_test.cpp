#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

}  // namespace
}  // namespace sprue
