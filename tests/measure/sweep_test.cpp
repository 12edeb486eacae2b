#include "measure/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "measure/sample_rows.h"

namespace sprue {
namespace {

// One row a ratio of b to a, measured in trials.
std::vector<BenchRow> rows_with(const std::vector<double>& ratios, double spread = 0) {
  std::vector<BenchRow> rows;
  for (const double ratio : ratios) {
    const auto number = static_cast<int64_t>(rows.size()) + 1;
    rows.push_back(row_of("call " + std::to_string(number), {{"K", number}},
                          {trials_arm("a", 1e-3), trials_arm("b", ratio * 1e-3, spread)}));
  }
  return rows;
}

std::string sentence_of(const std::vector<double>& ratios, double spread = 0) {
  const auto conclusions = conclude(rows_with(ratios, spread));
  return conclusions.size() == 1 ? conclusions[0].sentence : "";
}

TEST(Sweep, OneArmBeatsAnotherOnlyIfItDoesInEveryRow) {
  EXPECT_EQ(sentence_of({0.9, 0.95, 0.8}),
            "b beats a: shown (faster in all 3 rows, ratios 0.800 to 0.950)");
  EXPECT_EQ(sentence_of({0.9, 0.95, 1.0}),
            "b beats a: not shown (faster in 2 of 3 rows, same in 1; ratios 0.900 to 1.000)");
  EXPECT_EQ(sentence_of({0.9, 0.95, 1.2, 1.0}),
            "b beats a: not shown (faster in 2 of 4 rows, slower in 1, same in 1; ratios 0.900 to "
            "1.200)");
  EXPECT_EQ(sentence_of({0.95, 0.95}, 0.1),
            "b beats a: not shown (not resolved in 2 of 2 rows; ratios 0.950 to 0.950)");
}

TEST(Sweep, TheSentenceIsAboutWhicheverIsAhead) {
  EXPECT_EQ(sentence_of({1.25, 2}),
            "a beats b: shown (faster in all 2 rows, ratios 0.500 to 0.800)");
  EXPECT_EQ(sentence_of({1.25, 1, 2, 0.8}),
            "a beats b: not shown (faster in 2 of 4 rows, slower in 1, same in 1; ratios 0.500 to "
            "1.250)");
  const auto conclusions = conclude(rows_with({1.25, 1, 2, 0.8}));
  EXPECT_EQ(conclusions[0].arm, "b");  // whose counts they are
  EXPECT_EQ(conclusions[0].slower, 2);
  EXPECT_EQ(conclusions[0].faster, 1);
  EXPECT_EQ(conclusions[0].same, 1);
  EXPECT_EQ(conclusions[0].unresolved, 0);
}

TEST(Sweep, EqualInEveryRowIsShownToo) {
  EXPECT_EQ(sentence_of({1.0, 1.005}),
            "b and a take the same time within 1 %: shown (in all 2 rows, ratios 1.000 to 1.005)");
}

TEST(Sweep, OneRowIsNoSweep) {
  EXPECT_TRUE(conclude(rows_with({0.5})).empty());
  EXPECT_TRUE(conclude({}).empty());
}

TEST(Sweep, RowsThatLackAnArmShowNothingForIt) {
  auto rows = rows_with({0.9, 0.9});
  rows.push_back(row_of("without", {{"K", 3}}, {trials_arm("a", 1)}));
  ASSERT_EQ(conclude(rows).size(), 1u);
  EXPECT_EQ(
      conclude(rows)[0].sentence,
      "b beats a: not shown (faster in 2 of 3 rows, not measured in 1; ratios 0.900 to 0.900)");
}

TEST(Sweep, ArmsAreFoundByNameInWhateverOrder) {
  auto rows = rows_with({0.8});
  rows.push_back(row_of("turned", {{"K", 2}}, {trials_arm("b", 0.9), trials_arm("a", 1)}));
  ASSERT_EQ(conclude(rows).size(), 1u);
  EXPECT_EQ(conclude(rows)[0].sentence,
            "b beats a: shown (faster in all 2 rows, ratios 0.800 to 0.900)");
}

TEST(Sweep, MediansAloneShowNothingButTheirDirection) {
  const auto sentence = [](std::vector<double> ratios) {
    std::vector<BenchRow> rows;
    for (const double ratio : ratios)
      rows.push_back(row_of("call", {}, {median_arm("a", 1), median_arm("b", ratio)}));
    return conclude(rows).at(0).sentence;
  };
  EXPECT_EQ(sentence({0.9, 0.8}),
            "b beats a: not shown (medians alone carry no spread; their ratios, 0.800 to 0.900, "
            "agree in direction: faster in 2 of 2 rows)");
  EXPECT_EQ(sentence({0.9, 1.25, 1.25}),
            "a beats b: not shown (medians alone carry no spread; their ratios, 0.800 to 1.111, "
            "disagree in direction: faster in 2 of 3 rows, slower in 1)");
}

TEST(Sweep, ArmsOfOneBinaryAreAControl) {
  auto rows = rows_with({0.9, 1.0});
  for (BenchRow& row : rows) row.arms[0].digest = row.arms[1].digest = "4f2a";
  EXPECT_EQ(conclude(rows)[0].sentence,
            "b and a are the same binary, a control: faster in 1 of 2 rows, same in 1");
  rows[1].arms[1].digest = "77";  // not in every row: a comparison
  EXPECT_TRUE(conclude(rows)[0].sentence.starts_with("b beats a: not shown"));
}

TEST(Sweep, WhatDoesNotFitTogetherIsPassedOver) {
  auto rows = rows_with({0.9, 0.9, 0.9});
  rows[0].arms.clear();
  rows[0].pairs[0].reference = 5;
  rows[0].pairs[0].verdict = Verdict::slower;
  rows[1].pairs.clear();
  rows[2].pairs[0].arm = 17;
  rows[2].pairs[0].verdict = Verdict::slower;
  EXPECT_EQ(conclude(rows)[0].sentence,
            "b beats a: shown (faster in all 3 rows, ratios 0.900 to 0.900)");
  rows[0].times[1].seconds[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(conclude(rows).size(), 1u);
  const BenchRow nothing_known = row_of("x", {}, {median_arm("a", kUnknown), median_arm("b", 1)});
  EXPECT_TRUE(conclude({nothing_known, nothing_known}).empty());
  rows.push_back(nothing_known);
  EXPECT_TRUE(conclude(rows)[0].sentence.starts_with(
      "b beats a: not shown (faster in 3 of 4 rows, not measured in 1;"));
  BenchReport report{.rows = rows};
  review(report);
}

TEST(Sweep, AReviewMadeTwiceIsTheSame) {
  BenchReport report{.rows = rows_with({0.9, 1.2})};
  report.flags = {"somebody else's"};
  review(report);
  const auto flags = report.flags;
  EXPECT_EQ(flags.front(), "somebody else's");
  EXPECT_GE(flags.size(), 2u);
  review(report);
  EXPECT_EQ(report.flags, flags);
  EXPECT_EQ(report.conclusions.size(), 1u);
}

// ---- A table that was published with a conclusion that it doesn't bear. ----

BenchReport published_table() {
  std::ifstream file(SPRUE_TEST_DATA "/measure/int4_gemv_public.json");
  const auto json = nlohmann::ordered_json::parse(file);
  BenchReport report;
  report.kernel = json["kernel"];
  for (const auto& call : json["calls"]) {
    std::vector<SampleArm> arms;
    for (const auto& one : call["arms"]) {
      arms.push_back(median_arm(one["name"], one["seconds"]["median"]));
      arms.back().identity.route = one["route"];
      arms.back().identity.optimization = one["optimization"];
    }
    report.rows.push_back(row_of(call["call"], {{"K", call["sizes"]["K"]}}, arms));
  }
  for (const auto& one : json["claims"])
    report.claims.push_back({one["arm"], one["reference"], one["call"], one["ratio"]});
  return report;
}

TEST(Sweep, ThePublishedTableIsSeenThrough) {
  BenchReport report = published_table();
  ASSERT_EQ(report.rows.size(), 4u);
  ASSERT_EQ(report.claims.size(), 5u);
  review(report);
  const std::vector<std::string> flags = {
      "claimed: cast-fast is 7.5 % faster than jit (K=20480, ratio 0.925); contradicts its own "
      "row: "
      "cast-fast is 7.3 % slower than jit (ratio of medians 1.073)",
      "native: K=32768 (2.440 ms) takes less than K=28672 (2.680 ms)",
      "jit: K=32768 (2.380 ms) takes less than K=28672 (2.640 ms)",
      "cast-fast: K=32768 (2.350 ms) takes less than K=28672 (2.520 ms)",
      "cast-fast against native: differs in route and optimization at once: no cause can be named",
      "cast-fast against jit: differs in route and optimization at once: no cause can be named",
      "bytes aren't declared: N is not stated: no bandwidth can be computed (K=20480, K=28672, "
      "K=32768, K=40960)"};
  EXPECT_EQ(report.flags, flags);
  ASSERT_EQ(report.conclusions.size(), 3u);
  EXPECT_EQ(report.conclusions[2].sentence,
            "cast-fast beats jit: not shown (medians alone carry no spread; their ratios, 0.955 to "
            "1.073, disagree in direction: faster in 2 of 4 rows, slower in 1, same in 1)");
  EXPECT_EQ(report.conclusions[2].unresolved, 4);
  EXPECT_EQ(report.conclusions[1].sentence,
            "cast-fast beats native: not shown (medians alone carry no spread; their ratios, 0.940 "
            "to 0.967, agree in direction: faster in 4 of 4 rows)");
}

}  // namespace
}  // namespace sprue
