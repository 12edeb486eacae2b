// Shape and dtype of an array in a kernel file. Internal to kernel_file/.
#pragma once

#include "kernel_file/table_reader.h"
#include "sprue/array.h"

namespace sprue {

// 'dtype', if it is there; false, with the reader's error, if it is none.
bool read_dtype(TableReader& reader, Dtype& dtype);

// 'shape' and 'dtype', both required; extents are integers or expressions of `sizes`. Refuses arrays
// whose size would overflow or is beyond reason (2^40 bytes, 32 dimensions).
void read_shape_and_dtype(TableReader& reader, const Sizes& sizes, Shape& shape, Dtype& dtype);

}  // namespace sprue
