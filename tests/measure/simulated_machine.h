// A machine whose time passes only where an arm spends it, and the weather that such a machine may have:
// noise, drift, outliers, clocks that switch. All of it drawn from a seed, the same on every platform.
//
//   SimulatedMachine machine;
//   run_paired({machine.steady_arm("a", 1e-3)}, machine.options());
//   simulate_pair(1.02, {.noise = 0.005}, seed).pairs[0].verdict;   // b takes 2 % longer than a
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <utility>

#include "measure/paired.h"

namespace sprue {

class SimulatedMachine {
 public:
  // `cost`: seconds of so many operations.
  Arm arm(std::string name, std::function<double(int operations)> cost, std::string binary = "") {
    return {name,
            [this, name, cost](int operations) {
              order_ += name;
              now_ += cost(operations);
              operations_ = operations;
            },
            std::move(binary)};
  }
  Arm steady_arm(std::string name, double seconds, std::string binary = "") {
    return arm(
        std::move(name), [seconds](int operations) { return operations * seconds; },
        std::move(binary));
  }
  PairedOptions options() {
    PairedOptions options;
    options.clock = [this] { return now_; };
    return options;
  }
  const std::string& order() const { return order_; }
  int last_operations() const { return operations_; }
  double now() const { return now_; }

 private:
  double now_ = 100;
  std::string order_;  // the arms' names, run after run
  int operations_ = 0;
};

class Chance {
 public:
  // Not a multiple of the step: neighbouring seeds would draw the same numbers, shifted.
  explicit Chance(uint64_t seed) : state_(seed * 0xd1342543de82ef95) {}
  uint64_t bits() {
    uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) / 9007199254740992.0; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  bool happens(double probability) { return uniform() < probability; }

 private:
  uint64_t state_;
};

// What befalls a run of an arm. The defaults are a machine that always takes the same time.
struct Weather {
  double noise = 0;        // of a run's logarithm: standard deviation
  double heavy_share = 0;  // runs with five times that noise
  double skew = 0;         // mean of an exponential delay, as a share of the run
  double wander = 0;       // of the machine's logarithmic speed, a step a run: neighbours are alike
  double drift = 1;        // slowness after 124 trials over that at the start
  double outlier_share = 0;  // runs that take ten times as long
  double machine_clock = 1;  // slowness in the machine's slow state
  double arm_clock = 1;      // slowness in an arm's own slow state
  double switching = 0.1;    // probability of a change of either state, a run
};

// b against a, whose operations take `effect` times as long.
inline PairedResult simulate_pair(double effect, const Weather& weather, uint64_t seed,
                                  std::vector<int> looks = PairedOptions().looks) {
  SimulatedMachine machine;
  Chance chance(seed);
  double speed = 0;
  int runs = 0;
  bool is_machine_slow = chance.happens(0.5);
  const auto run = [&](double seconds, bool& is_arm_slow) {
    speed += weather.wander * chance.normal();
    is_machine_slow ^= chance.happens(weather.switching);
    is_arm_slow ^= chance.happens(weather.switching);
    const double noise = weather.noise * (chance.happens(weather.heavy_share) ? 5 : 1);
    double slowness = std::exp(speed + noise * chance.normal());
    slowness *= 1 + weather.skew * -std::log(chance.uniform());
    slowness *= std::pow(weather.drift, runs++ / 248.0);
    if (chance.happens(weather.outlier_share)) slowness *= 10;
    if (is_machine_slow) slowness *= weather.machine_clock;
    if (is_arm_slow) slowness *= weather.arm_clock;
    return seconds * slowness;
  };
  bool is_a_slow = chance.happens(0.5), is_b_slow = chance.happens(0.5);
  PairedOptions options = machine.options();
  options.looks = std::move(looks);
  // 50 ms an operation: one a trial, so that the noise is that of a trial.
  return run_paired({machine.arm("a", [&](int n) { return n * run(0.05, is_a_slow); }),
                     machine.arm("b", [&](int n) { return n * run(0.05 * effect, is_b_slow); })},
                    options);
}

}  // namespace sprue
