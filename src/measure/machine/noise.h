// How quiet the machine was while something was measured.
//
//   NoiseWatch watch;
//   measure();
//   const Noise noise = watch.finish();     // noise.flags: why the figures are suspect
//
// Reads what Linux tells of load, stolen time, clocks and throttling before and after, and times a
// fixed loop that nothing but the machine can slow down. What a system doesn't tell stays 0 and raises
// no flag. Not a calibration: no figure is corrected by it. Belongs to one thread. Cost: about 20 ms.
#pragma once

#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

class NoiseWatch {
 public:
  // `root` is what stands before /proc and /sys; tests give their own.
  explicit NoiseWatch(std::string root = "");
  Noise finish();

 private:
  struct Reading {
    double load = 0;
    double stolen_ticks = 0, ticks = 0;
    int64_t throttled = 0, preempted = 0;
    std::vector<double> clocks;  // Hz, one a processor
  };
  Reading read() const;

  const std::string root_;
  Reading before_;
  std::vector<double> control_;  // seconds of the fixed loop
};

}  // namespace sprue
