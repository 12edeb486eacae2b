#include "measure/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sprue {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ArmTimes times(std::string name, const std::vector<double>& seconds) {
  return {std::move(name), seconds, summarize(seconds)};
}

ArmTimes median_only(std::string name, double seconds) {
  ArmTimes arm{.name = std::move(name)};
  arm.summary.median = seconds;
  return arm;
}

// 31 trials of which every second has the one ratio, the rest the other.
PairResult judged(double low, double high) {
  std::vector<double> seconds;
  for (int i = 0; i < 31; ++i) seconds.push_back(i % 2 ? low : high);
  return compare_times(times("jit", seconds), times("native", std::vector<double>(31, 1.0)));
}

TEST(Comparison, TheIntervalsPlaceInTheBandIsTheVerdict) {
  EXPECT_EQ(judge({0.96, 0.9899}), Verdict::faster);
  EXPECT_EQ(judge({0.96, 0.99}), Verdict::unresolved);
  EXPECT_EQ(judge({1.0101, 1.05}), Verdict::slower);
  EXPECT_EQ(judge({1.01, 1.05}), Verdict::unresolved);
  EXPECT_EQ(judge({0.99, 1.01}), Verdict::same);
  EXPECT_EQ(judge({0.9899, 1.0}), Verdict::unresolved);
  EXPECT_EQ(judge({1.0, 1.0101}), Verdict::unresolved);
  EXPECT_EQ(judge({0.5, 2}), Verdict::unresolved);
  EXPECT_EQ(judge({kNan, 0.5}), Verdict::unresolved);
  EXPECT_EQ(judge({2, kNan}), Verdict::unresolved);
  EXPECT_EQ(judge({0, 0.5}), Verdict::faster);
  EXPECT_EQ(judge({2, kInfinity}), Verdict::slower);
}

TEST(Comparison, EveryVerdictHasItsSentence) {
  EXPECT_EQ(judged(0.96, 0.96).sentence,
            "jit is 4.0 % faster than native (ratio 0.960, interval 0.960 to 0.960)");
  EXPECT_EQ(judged(1.02, 1.05).sentence,
            "jit is 5.0 % slower than native (ratio 1.050, interval 1.020 to 1.050)");
  EXPECT_EQ(judged(2.5, 2.5).sentence,
            "jit takes 2.50 times as long as native (ratio 2.500, interval 2.500 to 2.500)");
  EXPECT_EQ(judged(0.4, 0.4).sentence,
            "jit is 2.50 times as fast as native (ratio 0.400, interval 0.400 to 0.400)");
  EXPECT_EQ(judged(0.995, 1.005).sentence,
            "jit and native take the same time within 1 % (ratio 1.005, interval 0.995 to 1.005)");
  EXPECT_EQ(judged(0.981, 1.027).sentence,
            "jit against native: not resolved: ±2.3 % (ratio 1.027, interval 0.981 to 1.027)");
  EXPECT_NEAR(judged(0.981, 1.027).resolution(), 0.023, 1e-12);
  EXPECT_STREQ(verdict_name(Verdict::faster), "faster");
  EXPECT_STREQ(verdict_name(Verdict::slower), "slower");
  EXPECT_STREQ(verdict_name(Verdict::same), "same");
  EXPECT_STREQ(verdict_name(Verdict::unresolved), "unresolved");
}

TEST(Comparison, MediansAloneShowNothing) {
  const std::string sentence =
      "cast against jit: not shown: medians alone carry no spread (ratio of medians 1.073)";
  const PairResult pair = compare_times(median_only("cast", 1.77), median_only("jit", 1.65));
  EXPECT_EQ(pair.sentence, sentence);
  EXPECT_EQ(pair.verdict, Verdict::unresolved);
  EXPECT_TRUE(std::isnan(pair.interval.low) && std::isnan(pair.summary.median));
  EXPECT_TRUE(std::isnan(pair.resolution()));
  EXPECT_NEAR(pair.ratio(), 1.77 / 1.65, 1e-12);
  EXPECT_FALSE(pair.contradicts_medians);
  // Nor does one whose trials are known, or trials that don't belong together.
  const ArmTimes jit = times("jit", std::vector<double>(31, 1.65));
  EXPECT_EQ(compare_times(median_only("cast", 1.77), jit).sentence, sentence);
  EXPECT_EQ(compare_times(times("cast", std::vector<double>(30, 1.77)), jit).sentence, sentence);
}

TEST(Comparison, TooFewTrialsShowNothing) {
  const auto pair_of = [](size_t trials) {
    return compare_times(times("a", std::vector<double>(trials, 3.0)),
                         times("b", std::vector<double>(trials, 1.0)));
  };
  EXPECT_EQ(pair_of(6).verdict, Verdict::unresolved);
  EXPECT_EQ(pair_of(6).sentence, "a against b: not shown: 6 trials are too few (ratio 3.000)");
  EXPECT_EQ(pair_of(1).verdict, Verdict::unresolved);
  EXPECT_EQ(pair_of(7).verdict, Verdict::slower);
}

TEST(Comparison, TrialsWithoutATimeAreNotCounted) {
  std::vector<double> arm(31, 1.1), reference(31, 1.0);
  arm[0] = 0;
  arm[1] = -1;
  arm[2] = kNan;
  reference[3] = 0;
  reference[4] = kInfinity;
  const ArmTimes a{.name = "a", .seconds = arm}, b{.name = "b", .seconds = reference};
  ArmTimes none = b;
  std::fill(none.seconds.begin(), none.seconds.end(), 0.0);
  EXPECT_EQ(compare_times(b, none).verdict, Verdict::unresolved);
  const PairResult pair = compare_times(a, b);
  EXPECT_EQ(pair.ratios.size(), 26u);
  EXPECT_EQ(pair.verdict, Verdict::slower);
  EXPECT_NEAR(pair.interval.high, 1.1, 1e-12);
  std::fill(arm.begin(), arm.begin() + 16, 0.0);  // more than half
  EXPECT_NEAR(compare_times({.name = "a", .seconds = arm}, b).ratio_of_medians, 1.1, 1e-12);
}

TEST(Comparison, ARatioThatTheMediansContradictSaysSo) {
  // Trial by trial the arm is faster, but its own median lies in the slow half of the run.
  std::vector<double> arm, reference;
  for (int i = 0; i < 31; ++i) {
    const bool is_slow_spell = i % 2 == 0;
    arm.push_back(is_slow_spell ? 9.5 : 0.95);
    reference.push_back(is_slow_spell ? 10 : 1);
  }
  EXPECT_FALSE(compare_times(times("a", arm), times("b", reference)).contradicts_medians);
  reference[0] = reference[2] = 1;  // two trials whose reference was lucky
  const PairResult faster = compare_times(times("a", arm), times("b", reference));
  EXPECT_EQ(faster.verdict, Verdict::faster);
  EXPECT_TRUE(faster.contradicts_medians);
  EXPECT_TRUE(faster.sentence.ends_with("; but the ratio of the medians is 9.500"))
      << faster.sentence;

  for (double& seconds : arm) seconds *= 1 / 0.95;
  const PairResult same = compare_times(times("a", arm), times("b", reference));
  EXPECT_EQ(same.verdict, Verdict::same);
  EXPECT_TRUE(same.contradicts_medians);

  const PairResult slower = compare_times(times("b", reference), times("a", std::vector(arm)));
  EXPECT_EQ(slower.verdict, Verdict::same);
  for (double& seconds : arm) seconds *= 0.9;
  const PairResult reversed = compare_times(times("b", reference), times("a", arm));
  EXPECT_EQ(reversed.verdict, Verdict::slower);
  EXPECT_TRUE(reversed.contradicts_medians);
}

TEST(Comparison, UnresolvedPairsContradictOnlyMediansBeyondTheirInterval) {
  EXPECT_FALSE(judged(0.9, 1.1).contradicts_medians);
  std::vector<double> arm, reference;
  for (int i = 0; i < 31; ++i) {
    const double spell = i % 2 == 0 ? 10 : 1;
    arm.push_back(spell * (i % 4 < 2 ? 0.98 : 1.02));
    reference.push_back(spell);
  }
  reference[0] = reference[2] = 1;
  const PairResult pair = compare_times(times("a", arm), times("b", reference));
  EXPECT_EQ(pair.verdict, Verdict::unresolved);
  EXPECT_TRUE(pair.contradicts_medians);

  // Nor is a ratio of medians within the band a contradiction.
  for (int i = 0; i < 31; ++i) {
    reference[static_cast<size_t>(i)] = i % 2 == 0 ? 1.02 : 1;
    arm[static_cast<size_t>(i)] = reference[static_cast<size_t>(i)] * (i % 4 < 2 ? 0.983 : 0.995);
  }
  reference[0] = reference[4] = 1;
  const PairResult close = compare_times(times("a", arm), times("b", reference));
  EXPECT_EQ(close.verdict, Verdict::unresolved);
  EXPECT_GT(close.ratio_of_medians, close.interval.high);
  EXPECT_FALSE(close.contradicts_medians);
}

TEST(Comparison, EveryPairOnce) {
  const auto pairs = compare_all({median_only("a", 1), median_only("b", 2), median_only("c", 4)});
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].arm, 1u);
  EXPECT_EQ(pairs[0].reference, 0u);
  EXPECT_EQ(pairs[1].arm, 2u);
  EXPECT_EQ(pairs[1].reference, 0u);
  EXPECT_EQ(pairs[2].arm, 2u);
  EXPECT_EQ(pairs[2].reference, 1u);
  EXPECT_EQ(pairs[1].ratio_of_medians, 4);
  EXPECT_TRUE(compare_all({}).empty());
  EXPECT_TRUE(compare_all({median_only("a", 1)}).empty());
}

TEST(Comparison, DifferencesInWords) {
  EXPECT_EQ(difference_text("a", "b", 0.925), "a is 7.5 % faster than b");
  EXPECT_EQ(difference_text("a", "b", 1.073), "a is 7.3 % slower than b");
  EXPECT_EQ(difference_text("a", "b", 2), "a takes 2.00 times as long as b");
  EXPECT_EQ(difference_text("a", "b", 0.5), "a is 2.00 times as fast as b");
}

}  // namespace
}  // namespace sprue
