#include "cli/deviation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "array/visit_dtype.h"

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
  return visit_dtype(x.dtype(), [&](auto element) {
    using T = typename decltype(element)::type;
    if constexpr (std::is_same_v<T, bool>)
      return deviation_as<uint8_t>(x, y, count);  // any byte may stand in a bool
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      return deviation_as<float>(x, y, 2 * count);  // as pairs of floats
    else
      return deviation_as<T>(x, y, count);
  });
}

}  // namespace sprue::cli
