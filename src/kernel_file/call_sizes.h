// The named sizes of a [[call]]: sizes = { M = 8, N = 128, W = "N / 8" }. Internal to kernel_file/.
#pragma once

#include "kernel_file/table_reader.h"

namespace sprue {

// Each size of `table` with its value: that of `overrides` if it stands there, else the integer or
// expression of the file, in which the sizes before it are known. Nothing if `table` is null.
Result<Sizes> read_sizes(const toml::table* table, const Sizes& overrides, const std::string& path);

}  // namespace sprue
