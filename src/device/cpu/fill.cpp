#include "device/cpu/fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  } else {
    return T(static_cast<float>(value));
  }
}

template <typename T>
void fill_with(Array& array, double value) {
  std::fill_n(array.data<T>(), array.size(), convert<T>(value));
}

}  // namespace

void fill_array(Array& array, double value) {
  switch (array.dtype()) {
    case Dtype::bool_:
      return fill_with<bool>(array, value);
    case Dtype::uint8:
      return fill_with<uint8_t>(array, value);
    case Dtype::uint16:
      return fill_with<uint16_t>(array, value);
    case Dtype::uint32:
      return fill_with<uint32_t>(array, value);
    case Dtype::uint64:
      return fill_with<uint64_t>(array, value);
    case Dtype::int8:
      return fill_with<int8_t>(array, value);
    case Dtype::int16:
      return fill_with<int16_t>(array, value);
    case Dtype::int32:
      return fill_with<int32_t>(array, value);
    case Dtype::int64:
      return fill_with<int64_t>(array, value);
    case Dtype::float16:
      return fill_with<Float16>(array, value);
    case Dtype::bfloat16:
      return fill_with<BFloat16>(array, value);
    case Dtype::float32:
      return fill_with<float>(array, value);
    case Dtype::float64:
      std::fill_n(array.data<double>(), array.size(), value);
      return;
    case Dtype::complex64:
      return fill_with<std::complex<float>>(array, value);
  }
}

}  // namespace sprue
