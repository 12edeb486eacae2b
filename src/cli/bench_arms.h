// The builds of one kernel that `sprue bench` sets beside each other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernel_file/kernel_file.h"
#include "program/binary.h"

namespace sprue::cli {

struct BenchArm {
  std::string name;  // "native", "jit", "cast"
  std::function<Result<Arrays>(const KernelCall&)> run;
  std::string digest;   // of the binary; empty for native code
  std::string target;   // "cpu:native"
  std::string options;  // flags of the compile
};

// The arms of these names for one call, in the order native, jit, cast. Compiles and loads what they
// need. `casting` is the casting of the cast arm; empty: one is made for the CPU's default target, in a
// temporary file that is gone when this returns.
Result<std::vector<BenchArm>> make_arms(const KernelFile& file, const KernelCall& call,
                                        const std::vector<std::string>& names,
                                        const std::string& casting);

// How far an arm's outputs are from the first arm's.
struct Parity {
  std::string arm;
  bool identical = false;  // bit for bit
  double deviation = 0;    // largest |difference| over the largest |value|, of all outputs
  double limit = 0;        // of deviation, by the outputs' dtype
  bool holds() const { return identical || deviation <= limit; }
};

// Runs each arm once on inputs of its own.
Result<std::vector<Parity>> compare_outputs(const KernelFile& file, const CallSpec& spec,
                                            const std::vector<BenchArm>& arms);

}  // namespace sprue::cli
