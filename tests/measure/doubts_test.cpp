#include "measure/doubts.h"

#include <gtest/gtest.h>

#include "measure/sample_rows.h"

namespace sprue {
namespace {

using Sizes = std::vector<std::pair<std::string, int64_t>>;
using Texts = std::vector<std::string>;

BenchRow jit_row(const Sizes& sizes, double seconds) {
  return row_of("call", sizes, {median_arm("jit", seconds)});
}

TEST(Doubts, ALargerSizeThatTakesLessTime) {
  const Texts flag = {"jit: K=2 (1.000 s) takes less than K=1 (2.000 s)"};
  EXPECT_EQ(find_reversals({jit_row({{"K", 1}}, 2), jit_row({{"K", 2}}, 1)}), flag);
  EXPECT_EQ(find_reversals({jit_row({{"K", 2}}, 1), jit_row({{"K", 1}}, 2)}), flag);
  EXPECT_TRUE(find_reversals({jit_row({{"K", 1}}, 1), jit_row({{"K", 2}}, 2)}).empty());
  // Once, not again for every row beyond.
  EXPECT_EQ(
      find_reversals({jit_row({{"K", 1}}, 2), jit_row({{"K", 2}}, 1), jit_row({{"K", 3}}, 1)}),
      flag);
}

TEST(Doubts, OnlyRowsThatDifferInOneSizeAreSteps) {
  EXPECT_EQ(find_reversals({jit_row({{"M", 4}, {"N", 1}}, 2), jit_row({{"M", 4}, {"N", 2}}, 1)}),
            Texts{"jit: N=2 (1.000 s) takes less than N=1 (2.000 s) at M=4"});
  EXPECT_TRUE(
      find_reversals({jit_row({{"M", 4}, {"N", 1}}, 2), jit_row({{"M", 5}, {"N", 2}}, 1)}).empty());
  EXPECT_TRUE(
      find_reversals({jit_row({{"M", 4}, {"N", 1}}, 2), jit_row({{"M", 3}, {"N", 2}}, 1)}).empty());
  EXPECT_TRUE(find_reversals({jit_row({{"M", 1}}, 2), jit_row({{"N", 2}}, 1)}).empty());
  EXPECT_TRUE(find_reversals({jit_row({}, 2), jit_row({}, 1)}).empty());
  EXPECT_TRUE(find_reversals({jit_row({{"M", 1}}, 2), jit_row({{"M", 1}, {"N", 1}}, 1)}).empty());
  EXPECT_TRUE(find_reversals({jit_row({{"M", 1}}, 2), jit_row({{"M", 2}, {"N", 1}}, 1)}).empty());
  EXPECT_TRUE(find_reversals({jit_row({{"M", 1}, {"N", 1}}, 2), jit_row({{"M", 2}}, 1)}).empty());
  // A grid: each row against its next one in either size.
  EXPECT_EQ(find_reversals({jit_row({{"M", 1}, {"N", 1}}, 3), jit_row({{"M", 1}, {"N", 2}}, 2),
                            jit_row({{"M", 2}, {"N", 1}}, 2), jit_row({{"M", 2}, {"N", 2}}, 2)})
                .size(),
            2u);
}

TEST(Doubts, RowsOfTheSameSizesDifferInSomethingElse) {
  EXPECT_TRUE(
      find_reversals({jit_row({{"K", 1}}, 2), jit_row({{"K", 1}}, 1), jit_row({{"K", 2}}, 1)})
          .empty());
  EXPECT_TRUE(
      find_reversals({jit_row({{"K", 1}}, 2), jit_row({{"K", 2}}, 1), jit_row({{"K", 2}}, 1)})
          .empty());
}

TEST(Doubts, AReversalMustExceedTheBandAndTheIntervals) {
  EXPECT_TRUE(find_reversals({jit_row({{"K", 1}}, 1), jit_row({{"K", 2}}, 0.995)}).empty());
  EXPECT_FALSE(find_reversals({jit_row({{"K", 1}}, 1), jit_row({{"K", 2}}, 0.985)}).empty());
  const auto measured = [](double spread) {
    return find_reversals({row_of("a", {{"K", 1}}, {trials_arm("jit", 1, spread)}),
                           row_of("b", {{"K", 2}}, {trials_arm("jit", 0.95, spread)})})
        .size();
  };
  const BenchRow exact = row_of("a", {{"K", 1}}, {trials_arm("jit", 1)});
  const BenchRow vague = row_of("b", {{"K", 2}}, {trials_arm("jit", 0.95, 0.1)});
  EXPECT_TRUE(find_reversals({exact, vague}).empty());
  EXPECT_EQ(measured(0.001), 1u);
  EXPECT_EQ(measured(0.1), 0u);
}

TEST(Doubts, ASizeThatIsNoWorkMayDoWhatItLikes) {
  const auto count = [](std::optional<double> small, std::optional<double> large) {
    BenchRow first = jit_row({{"split", 1}}, 2), second = jit_row({{"split", 2}}, 1);
    first.bytes = small;
    second.bytes = large;
    return find_reversals({first, second}).size();
  };
  EXPECT_EQ(count(100, 100), 0u);
  EXPECT_EQ(count(100, 50), 0u);
  EXPECT_EQ(count(100, 200), 1u);
  EXPECT_EQ(count({}, {}), 1u);
  BenchRow first = jit_row({{"K", 1}}, 2), second = jit_row({{"K", 2}}, 1);
  first.bytes = second.bytes = 100;
  first.ops = 1;
  second.ops = 2;
  EXPECT_EQ(find_reversals({first, second}).size(), 1u);
  second.bytes = 99;
  EXPECT_EQ(find_reversals({first, second}).size(), 0u);
}

TEST(Doubts, ArmsThatDifferInMoreThanOneThing) {
  const ArmIdentity base = {.route = "jit",
                            .optimization = "default",
                            .source = "a.toml",
                            .target = "cpu",
                            .compiler = "clang"};
  const auto flags = [&](auto&& change) {
    BenchRow row = row_of("call", {}, {median_arm("old", 1), median_arm("new", 1)});
    row.arms[0] = row.arms[1] = base;
    row.arms[0].name = "old";
    row.arms[1].name = "new";
    change(row.arms[1]);
    return find_confounded_arms({row, row});
  };
  EXPECT_TRUE(flags([](ArmIdentity&) {}).empty());
  EXPECT_TRUE(flags([](ArmIdentity& arm) { arm.route = "cast"; }).empty());
  EXPECT_EQ(
      flags([](ArmIdentity& arm) {
        arm.route = "cast";
        arm.optimization = "fast";
      }),
      Texts{"new against old: differs in route and optimization at once: no cause can be named"});
  EXPECT_EQ(
      flags([](ArmIdentity& arm) {
        arm.source = "b.toml";
        arm.target = "cuda";
        arm.compiler = "nvrtc";
      }),
      Texts{"new against old: differs in source, target and compiler at once: no cause can be "
            "named"});
  // What isn't known doesn't differ.
  EXPECT_TRUE(flags([](ArmIdentity& arm) {
                arm.route = "cast";
                arm.optimization = arm.source = arm.compiler = "";
              }).empty());
}

TEST(Doubts, OneBinaryDiffersInNothing) {
  BenchRow row = row_of("call", {}, {median_arm("jit", 1), median_arm("cast", 1)});
  row.arms[0].route = "jit";
  row.arms[1].route = "cast";
  row.arms[0].compiler = "clang 18";
  row.arms[1].compiler = "clang 19";
  EXPECT_EQ(find_confounded_arms({row}).size(), 1u);
  row.arms[0].digest = row.arms[1].digest = "4f2a";
  EXPECT_TRUE(find_confounded_arms({row}).empty());
}

TEST(Doubts, AControlThatComesOutDifferentSuspectsTheRun) {
  const auto flags = [](double ratio, const char* digest) {
    BenchRow row = row_of("K=1", {}, {trials_arm("jit", 1e-3), trials_arm("cast", ratio * 1e-3)});
    row.arms[0].digest = row.arms[1].digest = digest;
    return find_failed_controls({row});
  };
  EXPECT_EQ(
      flags(1.05, "4f2a"),
      Texts{"cast and jit are the same binary, yet in K=1 cast is 5.0 % slower than jit (ratio "
            "1.050, interval 1.050 to 1.050): the machine or the method is suspect, and with it "
            "every row"});
  EXPECT_EQ(flags(0.95, "4f2a").size(), 1u);
  EXPECT_TRUE(flags(1.005, "4f2a").empty());
  EXPECT_TRUE(flags(1.05, "").empty());
}

TEST(Doubts, ARatioThatTheMediansContradict) {
  BenchRow row = row_of("K=1", {}, {trials_arm("jit", 1), trials_arm("cast", 1.2)});
  EXPECT_TRUE(find_contradictions({row}).empty());
  row.pairs[0].contradicts_medians = true;
  ASSERT_EQ(find_contradictions({row}).size(), 1u);
  EXPECT_TRUE(find_contradictions({row})[0].starts_with(
      "K=1: trial by trial and by medians differ: cast is 20.0 % slower than jit"));
}

TEST(Doubts, BytesThatNobodyDeclared) {
  const auto flags = [](const Sizes& sizes, std::optional<double> bytes) {
    BenchRow row = jit_row(sizes, 1);
    row.bytes = bytes;
    return find_undeclared_bytes({row});
  };
  EXPECT_TRUE(flags({{"K", 1}}, 100).empty());
  EXPECT_EQ(flags({{"K", 1}}, {}),
            Texts{"bytes aren't declared: N is not stated: no bandwidth can be computed (call)"});
  EXPECT_EQ(flags({{"K", 1}, {"N", 1}}, {}),
            Texts{"bytes aren't declared: no bandwidth can be computed (call)"});
  EXPECT_EQ(flags({}, 0),
            Texts{"bytes aren't declared: no size is stated: no bandwidth can be computed (call)"});
}

TEST(Doubts, NothingInNothing) {
  EXPECT_TRUE(find_failed_controls({}).empty());
  EXPECT_TRUE(find_contradictions({BenchRow()}).empty());
  EXPECT_TRUE(find_reversals({BenchRow()}).empty());
  EXPECT_TRUE(find_confounded_arms({BenchRow()}).empty());
}

}  // namespace
}  // namespace sprue
