// The builds of a kernel file's calls beside each other: outputs compared, then timed in pairs.
//
//   BenchmarkOptions options;
//   options.sweep = {{"K", {8192, 16384}}};
//   SPRUE_ASSIGN(const BenchReport report, run_benchmark({.path = "gemv.toml"}, options));
//   fmt::print("{}", report_text(report));
//
// Everything that can be wrong with the files and their sizes is found before anything is compiled.
// What is measured, and how verdicts follow, is in measure/paired.h and comparison.h; the machine's
// ceilings and its noise are measured in the same run. Not for asserting a time.
//
// Belongs to one thread at a time. Cost: a compile for each arm and distinct specialisation, then at
// most (trials x arms x 50 ms) a row while an operation is shorter than that, and up to 256 MB of copies
// of inputs.
#pragma once

#include "benchmark/built_arm.h"
#include "measure/report.h"

namespace sprue {

// A kernel file and how it is read: from the file system unless read.read_text says otherwise.
struct KernelFileSource {
  std::string path;
  std::string shown = "";  // as reports name it: "HEAD~1:scale.toml"; empty: the path
  ReadOptions read = {};
};

struct SweepAxis {
  std::string name;  // of a size
  std::vector<int64_t> values;
};

struct BenchmarkOptions {
  ArmChoice arms = {.names = {std::begin(kArmNames), std::end(kArmNames)}};
  std::string call;              // only the call of this name; empty: all
  std::vector<SweepAxis> sweep;  // every combination is a row
  int most_trials = 124;         // 31, 62 or 124: where to stop, resolved or not
  double seconds = 90;           // in all, beyond which no row gets more than the first 31 trials
  std::optional<double> parity_bar;                  // of arms that aren't promised to be identical
  std::function<void(const std::string&)> progress;  // what is going on, for people
};

Result<BenchReport> run_benchmark(const KernelFileSource& source, const BenchmarkOptions& options);

// Two texts, just-in-time, on the inputs of the first: `changed` against `reference`. Their calls are
// matched by name, their inputs and outputs too. Arms are called "new" and "old".
Result<BenchReport> compare_versions(const KernelFileSource& changed,
                                     const KernelFileSource& reference,
                                     const BenchmarkOptions& options);

// The file as it was at a revision of the git repository that it lies in. Needs git.
Result<KernelFileSource> at_git_revision(const std::string& path, const std::string& revision);

}  // namespace sprue
