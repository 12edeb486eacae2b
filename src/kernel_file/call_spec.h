// One [[call]] of a kernel file. Internal to kernel_file/.
#pragma once

#include "kernel_file/kernel_file.h"
#include "kernel_file/table_reader.h"

namespace sprue {

// What a call takes from its file.
struct CallContext {
  const KernelOptions& options;
  const std::string& path;
  const toml::node* bytes;  // of calls without their own; null: none
  const toml::node* ops;
  const Sizes& overrides;
};

// `number` is the call's position, for the name of a call without one.
Result<CallSpec> read_call(const toml::table& table, size_t number, const CallContext& file);

}  // namespace sprue
