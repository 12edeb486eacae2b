#include "device/cpu/fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "array/visit_dtype.h"

namespace sprue {

namespace {

template <typename T>
T convert(double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(value)) return 0;
    // The limits as doubles may round up, past the range: compare with >=.
    if (value >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    if (value <= static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return T(static_cast<float>(value));
  }
}

}  // namespace

void fill_array(Array& array, double value) {
  visit_dtype(array.dtype(), [&](auto element) {
    using T = typename decltype(element)::type;
    std::fill_n(array.data<T>(), array.size(), convert<T>(value));
  });
}

}  // namespace sprue
