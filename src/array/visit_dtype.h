// From a dtype to its C++ type.
//
//   visit_dtype(array.dtype(), [&](auto element) {
//     using T = typename decltype(element)::type;   // float, Float16, std::complex<float>, ...
//     sum(array.data<T>(), array.size());
//   });
//
// The visitor is instantiated for all 14 dtypes and returns the same type for each.
#pragma once

#include <complex>
#include <type_traits>

#include "sprue/array.h"

namespace sprue {

template <typename Visitor>
decltype(auto) visit_dtype(Dtype dtype, Visitor&& visitor) {
  switch (dtype) {
    case Dtype::bool_:
      return visitor(std::type_identity<bool>());
    case Dtype::uint8:
      return visitor(std::type_identity<uint8_t>());
    case Dtype::uint16:
      return visitor(std::type_identity<uint16_t>());
    case Dtype::uint32:
      return visitor(std::type_identity<uint32_t>());
    case Dtype::uint64:
      return visitor(std::type_identity<uint64_t>());
    case Dtype::int8:
      return visitor(std::type_identity<int8_t>());
    case Dtype::int16:
      return visitor(std::type_identity<int16_t>());
    case Dtype::int32:
      return visitor(std::type_identity<int32_t>());
    case Dtype::int64:
      return visitor(std::type_identity<int64_t>());
    case Dtype::float16:
      return visitor(std::type_identity<Float16>());
    case Dtype::bfloat16:
      return visitor(std::type_identity<BFloat16>());
    case Dtype::float32:
      return visitor(std::type_identity<float>());
    case Dtype::float64:
      return visitor(std::type_identity<double>());
    case Dtype::complex64:
      break;
  }
  return visitor(std::type_identity<std::complex<float>>());
}

}  // namespace sprue
