// Benchmarks that Sprue ships: kernel files in the program, with the sizes that are usually asked for.
//
//   SPRUE_ASSIGN(const Preset preset, find_preset("int4-gemv"));
//   SPRUE_ASSIGN(const BenchReport report, run_benchmark(preset.source, {.sweep = preset.sweep}));
#pragma once

#include "benchmark/benchmark.h"

namespace sprue {

struct Preset {
  std::string name;
  std::string description;  // one line, for people
  KernelFileSource source;  // reads from the program, not from the file system
  std::vector<SweepAxis> sweep;
};

std::vector<std::string> preset_names();
// Errors: not_found, naming those there are.
Result<Preset> find_preset(const std::string& name);

}  // namespace sprue
