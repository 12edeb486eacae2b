// Which inputs with fill "affine_int4" are weights, scales and biases. Internal to kernel_file/.
#pragma once

#include <string>
#include <vector>

#include "kernel_file/kernel_file.h"
#include "kernel_file/table_reader.h"

namespace sprue {

// Of the inputs that are filled with affine_weights, in their order: the first stays so, the second
// gets the scales and the third the biases of the same seed. `entries` are the inputs' tables. An
// error unless there are none or three, of dtypes and shapes that fit.
Status assign_affine_roles(std::vector<InputSpec>& inputs, const std::vector<TableEntry>& entries,
                           const std::string& path);

}  // namespace sprue
