// One [[call]] of a kernel file. Internal to kernel_file/.
#pragma once

#include "kernel_file/kernel_file.h"
#include "kernel_file/table_reader.h"

namespace sprue {

// `number` is the call's position, for the name of a call without one.
Result<CallSpec> read_call(const toml::table& table, size_t number, const KernelOptions& options,
                           const std::string& path);

}  // namespace sprue
