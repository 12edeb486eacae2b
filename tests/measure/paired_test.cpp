#include "measure/paired.h"

#include <gtest/gtest.h>

#include <random>

namespace sprue {
namespace {

// Time passes only where an arm spends it.
class SimulatedMachine {
 public:
  Arm arm(std::string name, std::function<double(int operations)> cost) {
    return {name, [this, name, cost](int operations) {
              order_ += name;
              now_ += cost(operations);
              operations_ = operations;
            }};
  }
  Arm steady_arm(std::string name, double seconds) {
    return arm(std::move(name), [seconds](int operations) { return operations * seconds; });
  }
  PairedOptions options() {
    PairedOptions options;
    options.clock = [this] { return now_; };
    return options;
  }
  const std::string& order() const { return order_; }
  int last_operations() const { return operations_; }

 private:
  double now_ = 100;
  std::string order_;
  int operations_ = 0;
};

TEST(Paired, TheSlowestArmDecidesTheNumberOfOperations) {
  struct Case {
    double fast, slow;  // seconds an operation
    int operations;
  };
  for (const Case& one :
       {Case{1e-6, 1e-5, 200}, Case{1e-3, 1e-3, 50}, Case{1e-6, 0.013, 3}, Case{1e-6, 0.05, 1},
        Case{1e-6, 7.0, 1}, Case{1e-9, 0.00025, 200}, Case{1e-9, 0.000251, 199}, Case{0, 0, 200}}) {
    SimulatedMachine machine;
    const auto result = run_paired(
        {machine.steady_arm("a", one.fast), machine.steady_arm("b", one.slow)}, machine.options());
    EXPECT_EQ(result.operations, one.operations) << one.slow;
    EXPECT_EQ(machine.last_operations(), one.operations);
  }
}

TEST(Paired, AColdStartDoesNotShortenTheTrials) {
  SimulatedMachine machine;
  bool is_cold = true;
  const Arm arm = machine.arm(
      "a", [&](int operations) { return std::exchange(is_cold, false) ? 3.0 : operations * 1e-3; });
  EXPECT_EQ(run_paired({arm}, machine.options()).operations, 50);
}

TEST(Paired, AFixedCostPerTrialIsPartOfTheLimit) {
  SimulatedMachine machine;
  const auto cost = [](int operations) { return 0.010 + operations * 1e-3; };
  const auto result = run_paired({machine.arm("a", cost)}, machine.options());
  EXPECT_LE(cost(result.operations), 0.0501);
  EXPECT_GE(result.operations, 30);
}

TEST(Paired, EveryTrialRunsEveryArmAndTheFirstRotates) {
  SimulatedMachine machine;
  PairedOptions options = machine.options();
  options.trials = 4;
  run_paired({machine.steady_arm("a", 1), machine.steady_arm("b", 1), machine.steady_arm("c", 1)},
             options);
  EXPECT_TRUE(machine.order().ends_with("abcbcacababc")) << machine.order();
}

TEST(Paired, TimesArePerOperationAndEveryPairIsThere) {
  SimulatedMachine machine;
  const auto result =
      run_paired({machine.steady_arm("native", 1e-4), machine.steady_arm("jit", 2e-4),
                  machine.steady_arm("cast", 0.9e-4)},
                 machine.options());
  ASSERT_EQ(result.arms.size(), 3u);
  EXPECT_EQ(result.arms[1].seconds.size(), 31u);
  EXPECT_NEAR(result.arms[1].summary.median, 2e-4, 1e-10);
  ASSERT_EQ(result.pairs.size(), 3u);
  EXPECT_EQ(result.pairs[2].arm, 2u);
  EXPECT_EQ(result.pairs[2].reference, 1u);
  EXPECT_EQ(result.pairs[0].sentence,
            "jit takes 2.00 times as long as native (ratio 2.000, spread 2.000 to 2.000)");
  EXPECT_EQ(result.pairs[1].sentence,
            "cast is 10.0 % faster than native (ratio 0.900, spread 0.900 to 0.900)");
  EXPECT_EQ(result.pairs[2].sentence,
            "cast is 2.22 times as fast as jit (ratio 0.450, spread 0.450 to 0.450)");
  EXPECT_EQ(result.pairs[1].verdict, Verdict::faster);
}

TEST(Paired, ADriftThatHitsBothArmsLeavesTheRatioAlone) {
  SimulatedMachine machine;
  double load = 1;
  const auto drifting = [&](double seconds) {
    return [&load, seconds](int operations) { return operations * seconds * (load *= 1.01); };
  };
  const auto result = run_paired(
      {machine.arm("a", drifting(1e-3)), machine.arm("b", drifting(1.1e-3))}, machine.options());
  EXPECT_NEAR(result.pairs[0].summary.median, 1.1, 0.02);
  EXPECT_EQ(result.pairs[0].verdict, Verdict::slower);
  EXPECT_GT(result.arms[0].summary.maximum, 1.5 * result.arms[0].summary.minimum);
}

ArmResult times(std::string name, const std::vector<double>& seconds) {
  return {std::move(name), seconds, summarize(seconds)};
}

TEST(Paired, VerdictsAndTheirSentences) {
  const std::vector<double> ones(31, 1.0);
  const auto judged = [&](double low, double high) {
    std::vector<double> seconds;
    for (int i = 0; i < 31; ++i) seconds.push_back(i % 2 ? low : high);
    return compare_times(times("jit", seconds), times("native", ones));
  };
  EXPECT_EQ(judged(0.96, 0.98).verdict, Verdict::faster);
  EXPECT_EQ(judged(1.02, 1.05).verdict, Verdict::slower);
  EXPECT_EQ(judged(0.995, 1.005).verdict, Verdict::same);
  EXPECT_EQ(judged(0.9, 1.1).verdict, Verdict::unresolved);
  EXPECT_EQ(judged(0.98, 0.995).verdict, Verdict::unresolved);
  EXPECT_EQ(judged(0.995, 1.005).sentence,
            "jit and native take the same time within 1 % (ratio 1.005, spread 0.995 to 1.005)");
  EXPECT_EQ(
      judged(0.9, 1.1).sentence,
      "jit and native show no difference beyond the spread (ratio 1.100, spread 0.900 to 1.100)");
  EXPECT_EQ(judged(1.042, 1.042).sentence,
            "jit is 4.2 % slower than native (ratio 1.042, spread 1.042 to 1.042)");
  EXPECT_STREQ(verdict_name(Verdict::unresolved), "unresolved");
}

TEST(Paired, ARatioThatContradictsTheMediansIsFlagged) {
  // Trial by trial the arm is faster, but its own median lies in the slow half of the run.
  std::vector<double> arm, reference;
  for (int i = 0; i < 31; ++i) {
    const bool is_slow_spell = i % 2 == 0;
    arm.push_back(is_slow_spell ? 9.5 : 0.95);
    reference.push_back(is_slow_spell ? 10 : 1);
  }
  EXPECT_FALSE(compare_times(times("a", arm), times("b", reference)).contradicts_medians);
  reference[0] = reference[2] = 1;  // two trials whose reference was lucky
  const PairResult pair = compare_times(times("a", arm), times("b", reference));
  EXPECT_EQ(pair.verdict, Verdict::faster);
  EXPECT_TRUE(pair.contradicts_medians);
  EXPECT_NE(pair.sentence.find("; but the ratio of the medians is 9.500"), std::string::npos)
      << pair.sentence;
}

TEST(Paired, EqualArmsRarelyDifferAndAPlantedDifferenceIsFound) {
  std::mt19937 engine(1);
  std::normal_distribution<double> noise(1, 0.01);
  int false_alarms = 0, found = 0;
  constexpr int kRuns = 500;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> a(31), b(31), c(31);
    for (int i = 0; i < 31; ++i) {
      a[i] = noise(engine);
      b[i] = noise(engine);
      c[i] = 1.03 * noise(engine);
    }
    const Verdict equal = compare_times(times("b", b), times("a", a)).verdict;
    false_alarms += equal == Verdict::faster || equal == Verdict::slower;
    found += compare_times(times("c", c), times("a", a)).verdict == Verdict::slower;
  }
  EXPECT_LE(false_alarms, kRuns / 100);
  EXPECT_GE(found, kRuns * 8 / 10);
}

TEST(Paired, NoArmsAndOneArm) {
  EXPECT_TRUE(run_paired({}).arms.empty());
  SimulatedMachine machine;
  EXPECT_TRUE(run_paired({machine.steady_arm("a", 1)}, machine.options()).pairs.empty());
}

TEST(Paired, WhatAnArmThrowsPassesThrough) {
  EXPECT_THROW(run_paired({{"a", [](int) { throw 3; }}}), int);
}

}  // namespace
}  // namespace sprue
