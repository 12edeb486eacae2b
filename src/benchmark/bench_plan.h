// What is to be measured, read and checked before anything runs. Internal to benchmark/.
#pragma once

#include "benchmark/benchmark.h"

namespace sprue {

struct PlannedRow {
  std::string label;  // of the row: the call's name, the swept sizes, or both
  KernelFile file;
  CallSpec spec;
};

// A row for each combination of swept sizes and each call.
Result<std::vector<PlannedRow>> plan_rows(const KernelFileSource& source,
                                          const BenchmarkOptions& options);

// Measures one row over arms that are built already. Past `seconds` from now no further look is begun.
Result<BenchRow> measure_row(const PlannedRow& plan, const std::vector<BuiltArm>& arms,
                             const BenchmarkOptions& options, double seconds);

}  // namespace sprue
