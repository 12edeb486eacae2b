// What `sprue bench` was asked for. Internal to cli/bench*.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"

namespace sprue::cli {

struct BenchOptions {
  std::string file, preset, read;  // one of these
  std::string call, casting, device = "cpu";
  std::vector<std::string> arms;   // empty: all that can be built
  std::vector<std::string> sweep;  // "K=8192,16384"
  std::string vs, vs_git;
  int runs = 1;
  int trials = 124;
  double seconds = 90;
  std::string bar;     // "5%"
  double parity = -1;  // below 0: by dtype
  std::string report;  // HTML file
  bool json = false;
};

// "K=8192,16384" and "K=8192" as an axis. Errors: invalid_argument.
Result<SweepAxis> parse_sweep(const std::string& text);
// "5%", "5 %" and "0.05" as 0.05.
Result<double> parse_share(const std::string& text);

// The benchmark in so many fresh processes of this program, combined.
Result<BenchReport> bench_in_fresh_processes(
    const BenchOptions& options, const std::function<void(const std::string&)>& progress);

}  // namespace sprue::cli
