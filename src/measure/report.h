// What a benchmark found, as data: measured once, then printed, written as JSON, read back, drawn.
//
//   BenchReport report = ...;                                  // cli/bench measures
//   fmt::print("{}", report_text(report));                     // report_text.h
//   SPRUE_CHECK(write_file_atomically("out.json", report_json(report).dump(2)));   // report_json.h
//   SPRUE_CHECK(write_file_atomically("out.html", report_html(report)));           // report_html.h
//
// Plain data, no behaviour: verdicts are made in comparison.h, what goes beyond one row in sweep.h.
// All times are seconds of one operation. What wasn't measured is NaN, 0 or empty, as stated.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/comparison.h"

namespace sprue {

// What an arm is. Two arms with equal, non-empty digests are the same binary.
struct ArmIdentity {
  std::string name;   // "native", "jit", "jit-fast", "cast", "cast-fast", "c++", "new", "old"
  std::string route;  // how it was built: "native", "jit", "cast", "c++"
  std::string optimization;  // "default" or "fast"
  std::string source;        // which text: a path, "HEAD~1:scale.toml"
  std::string target;        // "cpu:x86-64-v3"
  std::string compiler;      // "clang 19.1.7"
  std::string options;       // of the compile, one line
  std::string digest;        // of the binary; empty where there is no one binary
  std::string form;          // "loop" or "coroutine"; empty for native code
  int64_t code_bytes = 0;    // of the binary; 0: unknown
  int64_t frame_bytes = 0;   // of a waiting thread's saved state; 0: none
};

// An arm's outputs against another's, compared before anything was timed.
struct ArmParity {
  std::string arm, reference;
  bool identical = false;  // bit for bit
  double deviation = 0;    // largest |difference| over the largest |value|, of all outputs
  double bar = 0;          // what deviation may be; 0: must be identical
  std::string mismatch;    // where it doesn't hold: how many elements, the first, the worst
  bool holds() const { return identical || deviation <= bar; }
};

// What limits a row, inferred: the roof that the declared work would take longest under.
struct RowBound {
  std::string by;        // "launch", "bandwidth", "arithmetic"; empty: no bytes or ops declared
  double seconds = 0;    // under that roof alone
  double bandwidth = 0;  // bytes a second: the roof for this working set, measured
  std::string memory;    // where the working set lives: "L2", "L3", "memory"
};

// One call of the kernel at one set of sizes.
struct BenchRow {
  std::string call;
  std::vector<std::pair<std::string, int64_t>> sizes;
  std::optional<double> bytes, ops;  // of one operation, as the kernel file declares them
  int trials = 0;
  int operations = 0;             // a trial
  int input_copies = 0;           // sets of inputs that operations take in turn
  int64_t working_set_bytes = 0;  // inputs of all sets
  std::vector<std::pair<std::string, std::string>> input_digests;
  std::vector<ArmIdentity> arms;  // as `times`
  std::vector<ArmTimes> times;
  std::vector<ArmParity> parity;
  std::vector<PairResult> pairs;
  std::vector<std::string> left_out;  // arms that couldn't be built, and why: "c++: ..."
  RowBound bound;
  std::vector<std::string> flags;  // what a reader must know before believing the row

  bool same_binary(const PairResult& pair) const {
    return !arms[pair.arm].digest.empty() && arms[pair.arm].digest == arms[pair.reference].digest;
  }
};

// Ceilings of this machine, measured in the same run.
struct Roofline {
  struct Level {
    std::string name;      // "L1d", "L2", "L3", "memory"
    int64_t capacity = 0;  // bytes, all of the caches that this process can use; 0 for memory
    double bandwidth = 0;  // bytes read a second by all threads from a set that fits
  };
  std::vector<Level> levels;  // nearest first, memory last
  double operations = 0;      // float32 operations a second; a fused multiply-add is two
  double launch_seconds = 0;  // of a call whose kernel does nothing
};

// How quiet the machine was.
struct Noise {
  double load_before = 0, load_after = 0;       // one-minute load average
  double stolen = 0;                            // share of the time that a hypervisor took, 0 to 1
  double slowest_clock = 0, fastest_clock = 0;  // Hz, seen during the run; 0: unknown
  int64_t throttled = 0;                        // thermal throttling events
  int64_t preempted = 0;                        // involuntary context switches of this process
  double control_spread = 0;       // of a fixed loop's time: (upper - lower quartile) / median
  std::vector<std::string> flags;  // why the figures are suspect; empty: nothing was seen
};

// A pair over all rows of a sweep: what one may say of it in a sentence.
struct PairConclusion {
  std::string arm, reference;
  int faster = 0, slower = 0, same = 0, unresolved = 0;  // rows by verdict
  std::string sentence;  // "cast-fast beats jit: not shown (faster in 1 of 4 rows, slower in 1)"
};

// Something that was said of the figures elsewhere, to be held against them.
struct Claim {
  std::string arm, reference;
  std::string call;  // the row; empty: all rows
  double ratio = 1;  // claimed
};

struct BenchReport {
  std::string kernel;
  std::string device;
  std::string command;           // that measured it
  std::string started;           // UTC, ISO 8601
  nlohmann::ordered_json stack;  // machine, system, compilers, libraries: machine.h
  std::optional<Roofline> roofline;
  std::optional<Noise> noise;
  std::vector<BenchRow> rows;
  std::vector<PairConclusion> conclusions;  // where there are two rows or more
  std::vector<Claim> claims;
  std::vector<std::string> flags;  // across rows: contradictions, sweeps that aren't monotonic
  // Whole runs in fresh processes, where there were several: `rows` is the first one's.
  struct RunMedians {
    std::string call, arm;
    std::vector<double> medians;  // seconds, run by run
    double spread = 0;            // (largest - smallest) / smallest
  };
  struct RunPairs {
    std::string call, arm, reference;
    std::vector<double> ratios;       // median ratio, run by run
    std::vector<Interval> intervals;  // of each
  };
  std::vector<RunMedians> runs;
  std::vector<RunPairs> run_pairs;
};

}  // namespace sprue
