// One input of a [[call]]: filled, from a file, or a 0-d value. Internal to kernel_file/.
#pragma once

#include "kernel_file/kernel_file.h"
#include "kernel_file/table_reader.h"

namespace sprue {

// `position` among the kernel's inputs is the seed unless another is given. An input with fill
// "affine_int4" is filled with affine_weights so far.
Result<InputSpec> read_input(const TableEntry& entry, size_t position, const Sizes& sizes,
                             const std::string& path);

}  // namespace sprue
