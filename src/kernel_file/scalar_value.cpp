#include "kernel_file/scalar_value.h"

#include <cmath>
#include <limits>

#include "kernel_file/array_type.h"

namespace sprue {
namespace {

template <typename T>
std::optional<Array> integer_value(int64_t value) {
  if constexpr (std::is_unsigned_v<T>) {
    if (value < 0 || static_cast<uint64_t>(value) > std::numeric_limits<T>::max()) return {};
  } else {
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return {};
  }
  return Array::scalar(static_cast<T>(value));
}

std::optional<Array> integer_value(Dtype dtype, int64_t value) {
  switch (dtype) {
    case Dtype::uint8:
      return integer_value<uint8_t>(value);
    case Dtype::uint16:
      return integer_value<uint16_t>(value);
    case Dtype::uint32:
      return integer_value<uint32_t>(value);
    case Dtype::uint64:
      return integer_value<uint64_t>(value);
    case Dtype::int8:
      return integer_value<int8_t>(value);
    case Dtype::int16:
      return integer_value<int16_t>(value);
    case Dtype::int32:
      return integer_value<int32_t>(value);
    case Dtype::int64:
      return integer_value<int64_t>(value);
    default:
      return {};
  }
}

// Rounded to the dtype; nothing where a finite value would become infinite.
std::optional<Array> floating_value(Dtype dtype, double value) {
  if (dtype == Dtype::float64) return Array::scalar(value);
  if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) return {};
  const auto narrow = static_cast<float>(value);
  switch (dtype) {
    case Dtype::float32:
      return Array::scalar(narrow);
    case Dtype::complex64:
      return Array::scalar(std::complex<float>(narrow));
    case Dtype::float16: {
      const Float16 half(narrow);
      if (std::isfinite(narrow) && !std::isfinite(float(half))) return {};
      return Array::scalar(half);
    }
    case Dtype::bfloat16: {
      const BFloat16 half(narrow);
      if (std::isfinite(narrow) && !std::isfinite(float(half))) return {};
      return Array::scalar(half);
    }
    default:
      return {};
  }
}

}  // namespace

std::optional<Array> read_value(TableReader& reader, const Sizes& sizes) {
  const toml::node* node = reader.node("value");
  if (!node) return {};
  Dtype dtype = node->is_boolean()                        ? Dtype::bool_
                : node->is_integer() || node->is_string() ? Dtype::int32
                                                          : Dtype::float32;
  if (reader.has("dtype") && !read_dtype(reader, dtype)) return {};
  reader.node("dtype");
  const Result<std::optional<int64_t>> integer = integer_at(*node, sizes);
  if (!integer) {
    reader.fail_at(line_of(*node),
                   fmt::format("{} (for 'value')", without_origin(integer.error().message())));
    return {};
  }
  std::optional<Array> value;
  if (const auto* boolean = node->as_boolean()) {
    if (dtype == Dtype::bool_) value = Array::scalar(boolean->get());
  } else if (dtype_is_floating(dtype) || dtype == Dtype::complex64) {
    if (*integer) value = floating_value(dtype, static_cast<double>(**integer));
    if (const auto* number = node->as_floating_point())
      value = floating_value(dtype, number->get());
  } else if (*integer) {
    value = integer_value(dtype, **integer);
  }
  if (!value) {
    reader.fail_at(line_of(*node), fmt::format("expected a value of {} for 'value', got {}",
                                               dtype_name(dtype), describe(*node, *integer)));
  }
  return value;
}

}  // namespace sprue
