#include "measure/claims.h"

#include <gtest/gtest.h>

#include <limits>

#include "measure/sample_rows.h"

namespace sprue {
namespace {

using Texts = std::vector<std::string>;

// A table's row, in milliseconds of two decimals.
BenchRow table_row(const std::string& call, double jit, double cast) {
  return row_of(call, {}, {median_arm("jit", jit * 1e-3), median_arm("cast", cast * 1e-3)});
}

Texts check(const std::vector<BenchRow>& rows, double ratio, const std::string& call = "x") {
  return find_false_claims(rows, {{"cast", "jit", call, ratio}});
}

TEST(Claims, RoundingIsHalfTheLastPlaceThatAnyValueNeeds) {
  EXPECT_NEAR(rounding_of({1.83, 2.4, 5}), 0.005, 1e-12);
  EXPECT_NEAR(rounding_of({1.83e-3, 5.00e-3}), 0.000005, 1e-15);
  EXPECT_NEAR(rounding_of({1.83 * 1e-3}), 0.000005, 1e-15);  // not exactly 0.00183
  EXPECT_NEAR(rounding_of({100, 2500}), 50, 1e-9);
  EXPECT_NEAR(rounding_of({1}), 0.5, 1e-12);
  EXPECT_EQ(rounding_of({1.0 / 3, 5}), 0);
  EXPECT_EQ(rounding_of({}), 0);
  EXPECT_EQ(rounding_of({0, std::numeric_limits<double>::infinity()}), 0);
}

TEST(Claims, AreHeldAgainstMediansAsFarAsThoseAreRounded) {
  const std::vector<BenchRow> rows = {table_row("x", 1.65, 1.77)};
  // 1.765 / 1.655 to 1.775 / 1.645: 1.0665 to 1.0790.
  EXPECT_TRUE(check(rows, 1.073).empty());
  EXPECT_TRUE(check(rows, 1.067).empty());
  EXPECT_TRUE(check(rows, 1.079).empty());
  EXPECT_EQ(
      check(rows, 1.081),
      Texts{"claimed: cast is 8.1 % slower than jit (x, ratio 1.081); doesn't follow from its "
            "row: cast is 7.3 % slower than jit (ratio of medians 1.073)"});
  EXPECT_EQ(check(rows, 1.064).size(), 1u);
  EXPECT_EQ(
      check(rows, 0.925),
      Texts{"claimed: cast is 7.5 % faster than jit (x, ratio 0.925); contradicts its own row: "
            "cast is 7.3 % slower than jit (ratio of medians 1.073)"});
}

TEST(Claims, PreciseMediansLeaveNoRoom) {
  const std::vector<BenchRow> rows = {table_row("x", 1.650123456789, 1.770987654321)};
  EXPECT_TRUE(check(rows, 1.073).empty());
  EXPECT_FALSE(check(rows, 1.075).empty());
}

TEST(Claims, ACoarseClaimIsNoLicence) {
  const std::vector<BenchRow> rows = {table_row("x", 1.650123456789, 1.770987654321)};
  EXPECT_FALSE(check(rows, 1.1).empty());  // one decimal: 1.05 to 1.15, were it taken by its word
  EXPECT_TRUE(check(rows, 1.07).empty());
}

TEST(Claims, AreHeldAgainstTheIntervalWhereThereIsOne) {
  const std::vector<BenchRow> rows = {
      row_of("x", {}, {trials_arm("jit", 1e-3), trials_arm("cast", 1.05e-3, 0.02)})};
  EXPECT_TRUE(check(rows, 1.034).empty());
  EXPECT_TRUE(check(rows, 1.065).empty());
  EXPECT_EQ(
      check(rows, 0.951),
      Texts{"claimed: cast is 4.9 % faster than jit (x, ratio 0.951); contradicts its own row: "
            "cast is 5.0 % slower than jit (ratio 1.050, interval 1.029 to 1.071)"});
  EXPECT_EQ(check(rows, 1.104).size(), 1u);
}

TEST(Claims, WithoutARowSpeakOfAll) {
  const std::vector<BenchRow> rows = {table_row("x", 2.00, 1.80), table_row("y", 2.00, 1.90),
                                      table_row("z", 2.00, 2.21)};
  EXPECT_EQ(
      check(rows, 0.931, ""),
      Texts{"claimed: cast is 6.9 % faster than jit (everywhere, ratio 0.931); contradicted in 1 "
            "of 3 rows: z: cast is 10.5 % slower than jit (ratio of medians 1.105)"});
  const std::vector<BenchRow> agreeing = {rows[0], rows[1]};
  EXPECT_TRUE(check(agreeing, 0.931, "").empty());
  EXPECT_EQ(
      check(agreeing, 0.801, ""),
      Texts{"claimed: cast is 19.9 % faster than jit (everywhere, ratio 0.801); doesn't follow "
            "from the rows: ratios 0.900 to 0.950"});
}

TEST(Claims, AboutWhatIsNotThere) {
  EXPECT_EQ(check({table_row("x", 1, 1)}, 0.9, "y"),
            Texts{"claimed: cast is 10.0 % faster than jit (y, ratio 0.900); no row has these two "
                  "arms"});
  EXPECT_EQ(find_false_claims({table_row("x", 1, 1)}, {{"gold", "jit", "x", 0.9}}).size(), 1u);
  EXPECT_EQ(find_false_claims({}, {{"cast", "jit", "", 0.9}}).size(), 1u);
  EXPECT_TRUE(find_false_claims({table_row("x", 1, 1)}, {}).empty());
}

TEST(Claims, SenselessRatiosAreFalse) {
  const std::vector<BenchRow> rows = {table_row("x", 1.65, 1.77)};
  for (const double ratio : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()})
    EXPECT_EQ(check(rows, ratio).size(), 1u) << ratio;
}

TEST(Claims, OfNoDifference) {
  const std::vector<BenchRow> rows = {table_row("x", 1.65, 1.77)};
  ASSERT_EQ(check(rows, 1).size(), 1u);
  EXPECT_TRUE(check(rows, 1)[0].starts_with("claimed: cast takes as long as jit (x, ratio 1.000)"));
}

}  // namespace
}  // namespace sprue
