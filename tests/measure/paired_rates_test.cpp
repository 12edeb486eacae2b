// How often verdicts are right, on machines whose truth is known. Seeds are fixed: nothing here is flaky.
#include <gtest/gtest.h>

#include "measure/simulated_machine.h"

namespace sprue {
namespace {

struct Rates {
  int runs = 0, faster = 0, slower = 0, same = 0, unresolved = 0;
  int covered = 0;  // the interval holds the true ratio
  int trials = 0;
  int different() const { return faster + slower; }
  // Verdicts that say something false, of those that say something.
  int claims() const { return faster + slower + same; }
  int wrong(double effect) const {
    return (effect < 1 ? 0 : faster) + (effect > 1 ? 0 : slower) +
           (std::abs(effect - 1) <= 0.01 ? 0 : same);
  }
};

Rates rates_of(double effect, const Weather& weather, int runs,
               const std::vector<int>& looks = PairedOptions().looks) {
  Rates rates{.runs = runs};
  for (int run = 0; run < runs; ++run) {
    const PairedResult result =
        simulate_pair(effect, weather, static_cast<uint64_t>(run + 1), looks);
    const PairResult& pair = result.pairs.front();
    rates.faster += pair.verdict == Verdict::faster;
    rates.slower += pair.verdict == Verdict::slower;
    rates.same += pair.verdict == Verdict::same;
    rates.unresolved += pair.verdict == Verdict::unresolved;
    rates.covered += pair.interval.low <= effect && effect <= pair.interval.high;
    rates.trials += result.trials;
  }
  return rates;
}

const Weather kQuiet = {.noise = 0.005, .wander = 0.002};
const Weather kNoisy = {.noise = 0.05, .heavy_share = 0.1, .wander = 0.01};

struct NamedWeather {
  const char* name;
  Weather weather;
};
const NamedWeather kWeathers[] = {
    {"still", {}},
    {"quiet", kQuiet},
    {"noisy", kNoisy},
    {"skewed", {.skew = 0.1}},
    {"drifting", {.noise = 0.005, .drift = 1.2}},
    {"drifting fast", {.noise = 0.005, .drift = 4}},
    {"outliers", {.noise = 0.005, .outlier_share = 0.05}},
    {"two clocks of the machine", {.noise = 0.005, .machine_clock = 1.3, .switching = 0.05}},
    {"two restless clocks", {.noise = 0.005, .machine_clock = 1.3, .switching = 0.5}},
    {"a clock for each arm", {.noise = 0.005, .arm_clock = 1.3, .switching = 0.3}},
    {"a sluggish clock for each arm", {.noise = 0.005, .arm_clock = 1.3, .switching = 0.1}},
};

TEST(PairedRates, EqualArmsComeOutSameOrUnresolvedInAnyWeather) {
  for (const auto& [name, weather] : kWeathers) {
    const Rates rates = rates_of(1, weather, 400);
    EXPECT_LE(rates.different(), rates.runs * 5 / 100) << name;
  }
}

TEST(PairedRates, EqualArmsOnAQuietMachineComeOutSame) {
  const Rates rates = rates_of(1, kQuiet, 400);
  EXPECT_GE(rates.same, rates.runs * 95 / 100);
  EXPECT_EQ(rates.different(), 0);
}

TEST(PairedRates, APlantedDifferenceOfTwoPerCentIsFoundOnAQuietMachine) {
  const Rates slower = rates_of(1.02, kQuiet, 400), faster = rates_of(0.98, kQuiet, 400);
  EXPECT_GE(slower.slower, slower.runs * 95 / 100);
  EXPECT_GE(faster.faster, faster.runs * 95 / 100);
  EXPECT_EQ(slower.wrong(1.02) + faster.wrong(0.98), 0);
  EXPECT_LT(slower.trials / slower.runs, 62);  // and soon
}

TEST(PairedRates, APlantedDifferenceIsFoundThroughDriftOutliersAndClocks) {
  for (const auto& [name, weather] : kWeathers) {
    if (weather.noise == kNoisy.noise || weather.skew > 0 || weather.arm_clock != 1) continue;
    if (weather.switching == 0.5) continue;  // half of all trials straddle a change of 30 %
    const Rates rates = rates_of(1.03, weather, 400);
    EXPECT_GE(rates.slower, rates.runs * 95 / 100) << name;
    EXPECT_EQ(rates.wrong(1.03), 0) << name;
  }
}

TEST(PairedRates, ANoisyMachineResolvesRightlyOrSaysHowMuchItCannotTell) {
  int claims = 0, wrong = 0;
  for (const double effect : {0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1}) {
    const Rates rates = rates_of(effect, kNoisy, 400);
    claims += rates.claims();
    wrong += rates.wrong(effect);
    EXPECT_LE(rates.wrong(effect), rates.runs * 5 / 100) << effect;
  }
  EXPECT_GE(claims, 800);  // it does resolve something
  EXPECT_LE(wrong, claims * 5 / 100);

  const PairResult pair = simulate_pair(1.02, kNoisy, 1).pairs.front();
  ASSERT_EQ(pair.verdict, Verdict::unresolved);
  EXPECT_GT(pair.resolution(), 0.005);
  EXPECT_LT(pair.resolution(), 0.05);
  EXPECT_NE(pair.sentence.find("not resolved: ±"), std::string::npos) << pair.sentence;
}

TEST(PairedRates, TheIntervalHoldsTheTrueRatioAsOftenAsStated) {
  constexpr int kRuns = 800;
  for (const Weather& weather : {kQuiet, kNoisy, Weather{.skew = 0.1}}) {
    for (const int look : {31, 62, 124}) {
      const Rates rates = rates_of(1.02, weather, kRuns, {look});
      // Three standard deviations of a binomial count below 98.4 %.
      EXPECT_GE(rates.covered, kRuns * 0.984 - 3 * std::sqrt(kRuns * 0.984 * 0.016)) << look;
      EXPECT_LT(rates.covered, kRuns * 0.999) << "an interval that always holds says nothing";
    }
    const Rates rates = rates_of(1.02, weather, kRuns);
    EXPECT_GE(rates.covered, kRuns * 0.95);
  }
}

TEST(PairedRates, ClocksThatEachArmHasForItselfWidenTheInterval) {
  const Weather weather = {.noise = 0.005, .arm_clock = 1.3, .switching = 0.1};
  const Rates rates = rates_of(1, weather, 400, {124});
  EXPECT_GE(rates.covered, rates.runs * 95 / 100);
}

TEST(PairedRates, OneSlowTrialChangesNothing) {
  for (int slow_run = 0; slow_run < 80; ++slow_run) {
    SimulatedMachine machine;
    int run = 0;
    const auto cost = [&](int operations) {
      return operations * 0.05 * (run++ == slow_run ? 100 : 1);
    };
    const auto result =
        run_paired({machine.arm("a", cost), machine.arm("b", cost)}, machine.options());
    EXPECT_EQ(result.trials, 31) << slow_run;
    EXPECT_EQ(result.pairs[0].verdict, Verdict::same) << slow_run;
  }
}

// ---- A disturbance in step with the order of the arms. ----

// Slows `length` runs in a row of every `period`, by 8 %.
struct Beat {
  size_t period, length, phase;
  double slowness(size_t run) const { return (run + phase) % period < length ? 1.08 : 1; }
};

Verdict verdict_with_fixed_order(const std::string& pattern, const Beat& beat) {
  ArmTimes a{.name = "a"}, b{.name = "b"};
  for (size_t run = 0; run < 248; ++run)
    (pattern[run % pattern.size()] == 'a' ? a : b).seconds.push_back(beat.slowness(run));
  return compare_times(b, a).verdict;
}

std::vector<PairResult> pairs_with_our_order(int arms, const Beat& beat) {
  SimulatedMachine machine;
  size_t run = 0;
  const auto cost = [&](int operations) { return operations * 0.05 * beat.slowness(run++); };
  std::vector<Arm> list;
  for (int i = 0; i < arms; ++i) list.push_back(machine.arm(std::string(1, char('a' + i)), cost));
  return run_paired(list, machine.options()).pairs;
}

bool is_different(Verdict verdict) {
  return verdict == Verdict::faster || verdict == Verdict::slower;
}

TEST(PairedResonance, FixedOrdersAreFooled) {
  EXPECT_EQ(verdict_with_fixed_order("ab", {2, 1, 1}), Verdict::slower);
  EXPECT_EQ(verdict_with_fixed_order("abba", {4, 2, 3}), Verdict::slower);
  EXPECT_EQ(verdict_with_fixed_order("abbabaab", {2, 1, 1}), Verdict::unresolved);
}

TEST(PairedResonance, OursIsNotByAnyPeriodLengthOrPhase) {
  for (const int arms : {2, 3, 4}) {
    int pairs = 0, fooled = 0;
    for (size_t period = 2; period <= 12; ++period)
      for (size_t length = 1; length < period; ++length)
        for (size_t phase = 0; phase < period; ++phase)
          for (const PairResult& pair : pairs_with_our_order(arms, {period, length, phase})) {
            ++pairs;
            fooled += is_different(pair.verdict);
          }
    EXPECT_LE(fooled, pairs * 5 / 100) << arms;
  }
  EXPECT_FALSE(is_different(pairs_with_our_order(2, {2, 1, 0})[0].verdict));
  EXPECT_FALSE(is_different(pairs_with_our_order(2, {2, 1, 1})[0].verdict));
  for (size_t phase = 0; phase < 4; ++phase)
    EXPECT_FALSE(is_different(pairs_with_our_order(2, {4, 2, phase})[0].verdict)) << phase;
}

}  // namespace
}  // namespace sprue
