// How far two arrays of numbers are apart, in one figure.
#pragma once

#include "sprue/array.h"

namespace sprue {

// The largest |a - b| over the largest finite |b|; 0 for empty arrays, infinite where only one of two
// elements is finite (or NaN), or where b is zero throughout and a isn't. Shapes and dtypes are equal.
double relative_deviation(const Array& a, const Array& b);
// The largest finite magnitude; 0 if there is none.
double largest_magnitude(const Array& array);

}  // namespace sprue
