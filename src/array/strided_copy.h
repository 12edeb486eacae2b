// Reading strided arrays in row-major order.
#pragma once

#include "sprue/array.h"

namespace sprue {

// Writes array's elements in row-major order to `destination` (size_bytes() bytes, not overlapping).
void copy_strided(const Array& array, void* destination);

}  // namespace sprue
