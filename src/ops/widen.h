// Rows of 16-bit and 32-bit floats as float32: what native loops compute in.
#pragma once

#include <cstdint>

#include "sprue/array.h"

namespace sprue {

// True for float16, bfloat16 and float32: the dtypes below take no other.
bool is_widenable(Dtype dtype);
// `count` elements of `dtype` at `source` as float. Exact. Cost: memory speed.
void widen(Dtype dtype, const void* source, int64_t count, float* destination);
// The reverse, rounded to nearest, ties to even.
void narrow(Dtype dtype, const float* source, int64_t count, void* destination);

}  // namespace sprue
