// One value in every element.
#pragma once

#include "sprue/array.h"

namespace sprue {

// `array` is row-contiguous. The value is rounded to a float's type; for integers it is truncated and
// clamped to their range (NaN gives 0); bool is value != 0; complex64 has a zero imaginary part.
void fill_array(Array& array, double value);

}  // namespace sprue
