// All that a figure depends on beside the kernel: what it was measured on, and with which versions. Part
// of every benchmark's JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace sprue {

// Sprue's version, the machine and its system, the caches, the driver (null: the CPU has none), the
// libraries, and the compilers of the kernels measured, as Binary::compiler names them.
nlohmann::ordered_json stack_identity(const std::set<std::string>& kernel_compilers);

}  // namespace sprue
