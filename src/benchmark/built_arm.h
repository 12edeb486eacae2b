// One build of a kernel, ready to be timed beside the others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel_file/kernel_file.h"
#include "measure/report.h"

namespace sprue {

struct BuiltArm {
  ArmIdentity identity;
  std::function<Result<Arrays>(const KernelCall&)> run;
  // From the call that all arms share to this arm's own; empty: the same. The arrays stay the same.
  std::function<KernelCall(const KernelCall&)> adapt;
  // Of arms with one text: promised to give the same bits (safe math, no atomics).
  std::string exact_group;

  KernelCall call(const KernelCall& shared) const { return adapt ? adapt(shared) : shared; }
};

// What may be measured of one kernel file, in the order in which reports list them.
inline constexpr const char* kArmNames[] = {"native",   "c++",  "jit",
                                            "jit-fast", "cast", "cast-fast"};

struct ArmList {
  std::vector<BuiltArm> arms;
  std::vector<std::string> left_out;  // "c++: the kernel waits for other threads"
};

// Builds the arms of these names for one call; compiles and loads what they need. An arm that was
// asked for by name (`required`) and can't be built is an error, else it is left out. `casting` is the
// file of the cast arms; empty: one is made for the CPU's default target, in a temporary file that is
// gone when this returns.
struct ArmChoice {
  std::vector<std::string> names;
  bool required = false;
  std::string casting;
};
Result<ArmList> build_arms(const KernelFile& file, const KernelCall& call, const ArmChoice& choice);

// An arm over a kernel, identified by the binary that the call runs.
Result<BuiltArm> build_kernel_arm(const KernelFile& file, const Kernel& kernel,
                                  const KernelCall& call, std::string name, std::string route,
                                  Optimization optimization);

// The kernel just-in-time, under a name of its own: one side of a comparison of two texts.
Result<BuiltArm> build_jit_arm(const KernelFile& file, const KernelCall& call, std::string name,
                               Optimization optimization);

}  // namespace sprue
