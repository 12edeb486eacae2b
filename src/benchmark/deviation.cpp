#include "benchmark/deviation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "array/visit_dtype.h"

namespace sprue {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
double to_double(T value) {
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(value);
  else
    return static_cast<double>(value);
}

template <typename T>
double difference_as(const Array& a, const Array& b, int64_t count) {
  const T* x = static_cast<const T*>(a.address());
  const T* y = static_cast<const T*>(b.address());
  double difference = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double u = to_double(x[i]), v = to_double(y[i]);
    if (u == v || (std::isnan(u) && std::isnan(v))) continue;
    if (!std::isfinite(u) || !std::isfinite(v)) return kInfinity;
    difference = std::max(difference, std::abs(u - v));
  }
  return difference;
}

template <typename T>
double magnitude_as(const Array& array, int64_t count) {
  const T* values = static_cast<const T*>(array.address());
  double largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = to_double(values[i]);
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// Calls `body` with the type that the elements are compared as, and how many there are.
template <typename Body>
double visit_numbers(const Array& array, Body body) {
  return visit_dtype(array.dtype(), [&](auto element) {
    using T = typename decltype(element)::type;
    if constexpr (std::is_same_v<T, bool>)
      return body(uint8_t{}, array.size());  // any byte may stand in a bool
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      return body(float{}, 2 * array.size());  // as pairs of floats
    else
      return body(T{}, array.size());
  });
}

}  // namespace

double relative_deviation(const Array& a, const Array& b) {
  const Array x = a.contiguous(), y = b.contiguous();
  const double difference = visit_numbers(
      x, [&](auto type, int64_t count) { return difference_as<decltype(type)>(x, y, count); });
  if (difference == 0) return 0;
  const double largest = largest_magnitude(y);
  return largest == 0 ? kInfinity : difference / largest;
}

double largest_magnitude(const Array& array) {
  const Array packed = array.contiguous();
  return visit_numbers(packed, [&](auto type, int64_t count) {
    return magnitude_as<decltype(type)>(packed, count);
  });
}

}  // namespace sprue
