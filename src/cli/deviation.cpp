#include "cli/deviation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sprue::cli {

namespace {

template <typename T>
double to_double(T value) {
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(value);
  else
    return static_cast<double>(value);
}

template <typename T>
double deviation_as(const Array& a, const Array& b, int64_t count) {
  const T* x = static_cast<const T*>(a.address());
  const T* y = static_cast<const T*>(b.address());
  double largest = 0, difference = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double u = to_double(x[i]), v = to_double(y[i]);
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    if (u == v || (std::isnan(u) && std::isnan(v))) continue;
    if (!std::isfinite(u) || !std::isfinite(v)) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(u - v));
  }
  if (difference == 0) return 0;
  return largest == 0 ? std::numeric_limits<double>::infinity() : difference / largest;
}

}  // namespace

double relative_deviation(const Array& a, const Array& b) {
  const Array x = a.contiguous(), y = b.contiguous();
  const int64_t count = x.size();
  switch (x.dtype()) {
    case Dtype::bool_:
    case Dtype::uint8:
      return deviation_as<uint8_t>(x, y, count);
    case Dtype::uint16:
      return deviation_as<uint16_t>(x, y, count);
    case Dtype::uint32:
      return deviation_as<uint32_t>(x, y, count);
    case Dtype::uint64:
      return deviation_as<uint64_t>(x, y, count);
    case Dtype::int8:
      return deviation_as<int8_t>(x, y, count);
    case Dtype::int16:
      return deviation_as<int16_t>(x, y, count);
    case Dtype::int32:
      return deviation_as<int32_t>(x, y, count);
    case Dtype::int64:
      return deviation_as<int64_t>(x, y, count);
    case Dtype::float16:
      return deviation_as<Float16>(x, y, count);
    case Dtype::bfloat16:
      return deviation_as<BFloat16>(x, y, count);
    case Dtype::float32:
      return deviation_as<float>(x, y, count);
    case Dtype::float64:
      return deviation_as<double>(x, y, count);
    case Dtype::complex64:  // as pairs of floats
      return deviation_as<float>(x, y, 2 * count);
  }
  return 0;
}

}  // namespace sprue::cli
