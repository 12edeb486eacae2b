// What the benchmark programs share: a result as one JSON object on standard output.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kernel/cast_kernel.h"
#include "measure/machine/machine.h"
#include "measure/machine/stack.h"
#include "measure/paired.h"
#include "measure/summary_json.h"

namespace sprue::bench {

// The binary that this call runs. The call was made before, with the table on.
inline const Binary& binary_of(const Kernel& kernel, const KernelCall& call) {
  const SpecializationKey key = specialization_of(call).key();
  return kernel.state().table().find_or_add({key.data(), key.size()})->ready()->binary;
}

inline void print_result(const char* name, const std::string& kernel_compiler,
                         nlohmann::ordered_json fields) {
  nlohmann::ordered_json result = {{"benchmark", name},
                                   {"machine", this_machine().json()},
                                   {"stack", stack_identity({kernel_compiler})}};
  result.update(fields);
  fmt::print("{}\n", result.dump(2));
}

}  // namespace sprue::bench
