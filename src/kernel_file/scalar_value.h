// The 0-d value of an input: { value = 3, dtype = "int32" }. Internal to kernel_file/.
#pragma once

#include <optional>

#include "kernel_file/table_reader.h"
#include "sprue/array.h"

namespace sprue {

// 'value' and 'dtype': a number, a boolean, or an expression of `sizes`, which stands for its
// value. Without a dtype Python's rules: int32, float32, bool. Nothing, with the reader's error, for
// a value that the dtype doesn't hold.
std::optional<Array> read_value(TableReader& reader, const Sizes& sizes);

}  // namespace sprue
