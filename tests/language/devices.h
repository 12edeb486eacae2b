// What the matrix runs on.
//
//   for (const Device& device : devices())
//     if (device.missing().empty()) device.run(options, call);
//
// The list is the same on every machine, so that the names of tests are; a test of a device that isn't there
// is skipped with the reason.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sprue/kernel.h"

namespace sprue::language {

struct Device {
  std::string name;
  // Throws what the door throws. Nothing: the kernel was compiled, and this device runs none.
  using Run = std::function<std::optional<Arrays>(const KernelOptions&, const KernelCall&)>;
  Run run;
  std::function<std::string()> missing;  // why it isn't on this machine; empty: it is
  // As run, with the rules of Metal that the device's own compiler doesn't know: for texts that have to be
  // refused. Where there is none, run has them.
  Run check_rules = nullptr;

  const Run& refuse() const { return check_rules ? check_rules : run; }
};

// cpu runs; nvrtc compiles for CUDA and checks the kernel's parameters.
const std::vector<Device>& devices();

}  // namespace sprue::language
