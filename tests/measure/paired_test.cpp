#include "measure/paired.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "measure/simulated_machine.h"

namespace sprue {
namespace {

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
            "jit takes 2.00 times as long as native (ratio 2.000, interval 2.000 to 2.000)");
  EXPECT_EQ(result.pairs[1].sentence,
            "cast is 10.0 % faster than native (ratio 0.900, interval 0.900 to 0.900)");
  EXPECT_EQ(result.pairs[2].sentence,
            "cast is 2.22 times as fast as jit (ratio 0.450, interval 0.450 to 0.450)");
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

// ---- Looks: how many trials. ----

// Alternates between two ratios to an arm that always takes 1 ms: never resolved if they straddle a bar.
Arm restless_arm(SimulatedMachine& machine, std::string name, double low, double high) {
  return machine.arm(std::move(name), [low, high, is_high = false](int operations) mutable {
    is_high = !is_high;
    return operations * 1e-3 * (is_high ? high : low);
  });
}

TEST(PairedLooks, StopsAtTheFirstThatResolvesEveryPair) {
  SimulatedMachine machine;
  const auto result =
      run_paired({machine.steady_arm("a", 1e-3), machine.steady_arm("b", 1e-3)}, machine.options());
  EXPECT_EQ(result.trials, 31);
  EXPECT_EQ(result.arms[1].seconds.size(), 31u);
  EXPECT_EQ(result.stopped, StopReason::resolved);
}

TEST(PairedLooks, OneUnresolvedPairExtendsToTheLast) {
  SimulatedMachine machine;
  const auto result = run_paired({machine.steady_arm("a", 1e-3), machine.steady_arm("b", 2e-3),
                                  restless_arm(machine, "c", 0.9, 1.1)},
                                 machine.options());
  EXPECT_EQ(result.trials, 124);
  for (const ArmTimes& arm : result.arms) EXPECT_EQ(arm.seconds.size(), 124u);
  EXPECT_EQ(result.stopped, StopReason::last_look);
  EXPECT_EQ(result.pairs[0].verdict, Verdict::slower);
  EXPECT_EQ(result.pairs[1].verdict, Verdict::unresolved);
  EXPECT_EQ(result.pairs[1].ratios.size(), 124u);
}

TEST(PairedLooks, ALaterLookJudgesAllTrials) {
  SimulatedMachine machine;
  int run = 0;
  // Restless for the calibration and a third of the first look, then 10 % slower: resolved at the second.
  const Arm arm = machine.arm("b", [&](int operations) {
    ++run;
    const bool is_early = run < 36;
    return operations * 1e-3 * (is_early && run % 2 ? 0.9 : 1.1);
  });
  const auto result = run_paired({machine.steady_arm("a", 1e-3), arm}, machine.options());
  EXPECT_EQ(result.trials, 62);
  EXPECT_EQ(result.stopped, StopReason::resolved);
  EXPECT_EQ(result.pairs[0].ratios.size(), 62u);
  EXPECT_EQ(result.pairs[0].verdict, Verdict::slower);
}

TEST(PairedLooks, PairsOfOneBinaryNeverAskForMore) {
  for (const bool is_known : {true, false}) {
    SimulatedMachine machine;
    Arm a = machine.steady_arm("a", 1e-3), b = restless_arm(machine, "b", 0.9, 1.1);
    a.binary = b.binary = is_known ? "4f2a" : "";
    const auto result = run_paired({a, b}, machine.options());
    EXPECT_EQ(result.pairs[0].verdict, Verdict::unresolved);
    EXPECT_EQ(result.trials, is_known ? 31 : 124);
    EXPECT_EQ(result.stopped, is_known ? StopReason::resolved : StopReason::last_look);
  }
}

TEST(PairedLooks, AreTakenAsGivenAndSenselessOnesPassedOver) {
  const auto trials = [](std::vector<int> looks) {
    SimulatedMachine machine;
    PairedOptions options = machine.options();
    options.looks = std::move(looks);
    return run_paired({machine.steady_arm("a", 1e-3), restless_arm(machine, "b", 0.9, 1.1)},
                      options)
        .trials;
  };
  EXPECT_EQ(trials({4}), 4);
  EXPECT_EQ(trials({10, 20}), 20);
  EXPECT_EQ(trials({20, 10, -3, 40}), 40);
  EXPECT_EQ(trials({}), 1);
  EXPECT_EQ(trials({0, -1}), 1);
}

TEST(PairedLooks, NoneBeginsThatWouldEndTooLate) {
  // Two arms of 50 ms: a trial takes 0.1 s, the looks end after 3.1, 6.2 and 12.4 s and some warming up.
  const auto run = [](double longest) {
    SimulatedMachine machine;
    PairedOptions options = machine.options();
    options.longest_total_seconds = longest;
    const double begin = machine.now();
    const auto result =
        run_paired({machine.steady_arm("a", 1e-3), restless_arm(machine, "b", 0.9, 1.1)}, options);
    EXPECT_TRUE(result.trials == 31 || machine.now() - begin <= longest) << longest;
    return std::pair(result.trials, result.stopped);
  };
  EXPECT_EQ(run(0.001), std::pair(31, StopReason::time));
  EXPECT_EQ(run(5.5), std::pair(31, StopReason::time));
  EXPECT_EQ(run(8), std::pair(62, StopReason::time));
  EXPECT_EQ(run(15), std::pair(124, StopReason::last_look));
}

TEST(PairedLooks, WarmingUpIsPartOfTheTime) {
  SimulatedMachine machine;
  PairedOptions options = machine.options();
  options.longest_total_seconds = 8;
  bool is_cold = true;
  const Arm slow_start = machine.arm(
      "a", [&](int operations) { return std::exchange(is_cold, false) ? 3.0 : operations * 1e-3; });
  EXPECT_EQ(run_paired({slow_start, restless_arm(machine, "b", 0.9, 1.1)}, options).trials, 31);
}

TEST(PairedLooks, AnInterruptedRunIsJudgedByWhatItHas) {
  for (const int last : {0, 1, 5, 31, 40}) {
    SimulatedMachine machine;
    PairedOptions options = machine.options();
    int done = -1;
    options.progress = [&](int trial, int) { done = trial + 1; };
    options.stop = [&] { return last == 0 || done >= last; };
    const auto result =
        run_paired({machine.steady_arm("a", 1e-3), restless_arm(machine, "b", 0.9, 1.1)}, options);
    EXPECT_EQ(result.stopped, StopReason::interrupted);
    EXPECT_EQ(result.trials, last);
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].ratios.size(), static_cast<size_t>(last));
    EXPECT_EQ(result.pairs[0].verdict, Verdict::unresolved);
    EXPECT_FALSE(result.pairs[0].sentence.empty());
    if (last > 0) continue;
    EXPECT_EQ(machine.order(), "");  // stopped before anything ran
    EXPECT_EQ(result.operations, 1);
  }
}

TEST(PairedLooks, ProgressCountsTheTrialsOfTheLookUnderWay) {
  SimulatedMachine machine;
  PairedOptions options = machine.options();
  std::vector<std::pair<int, int>> seen;
  options.progress = [&](int done, int trials) { seen.emplace_back(done, trials); };
  run_paired({machine.steady_arm("a", 1e-3), restless_arm(machine, "b", 0.9, 1.1)}, options);
  ASSERT_EQ(seen.size(), 124u);
  EXPECT_EQ(seen.front(), std::pair(0, 31));
  EXPECT_EQ(seen[30], std::pair(30, 31));
  EXPECT_EQ(seen[31], std::pair(31, 62));
  EXPECT_EQ(seen.back(), std::pair(123, 124));
}

// ---- The order within a trial. ----

TEST(PairedOrder, EveryTrialRunsEveryArmOnceAndTwoRunsAreAlike) {
  const auto order = [] {
    SimulatedMachine machine;
    run_paired({machine.steady_arm("a", 1e-3), machine.steady_arm("b", 2e-3),
                machine.steady_arm("c", 3e-3)},
               machine.options());
    return machine.order().substr(machine.order().size() - 3 * 31);
  };
  const std::string trials = order();
  for (size_t i = 0; i < trials.size(); i += 3) {
    std::string one = trials.substr(i, 3);
    std::sort(one.begin(), one.end());
    EXPECT_EQ(one, "abc") << i;
  }
  EXPECT_EQ(trials, order());
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
