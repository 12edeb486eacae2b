// Element types, spelled as in MLX: `sprue::float16`, `sprue::int32`, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sprue {

enum class Dtype : uint8_t {
  bool_,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,  // two float32: real, imaginary
};
inline constexpr int kDtypeCount = 14;

inline constexpr Dtype bool_ = Dtype::bool_;
inline constexpr Dtype uint8 = Dtype::uint8;
inline constexpr Dtype uint16 = Dtype::uint16;
inline constexpr Dtype uint32 = Dtype::uint32;
inline constexpr Dtype uint64 = Dtype::uint64;
inline constexpr Dtype int8 = Dtype::int8;
inline constexpr Dtype int16 = Dtype::int16;
inline constexpr Dtype int32 = Dtype::int32;
inline constexpr Dtype int64 = Dtype::int64;
inline constexpr Dtype float16 = Dtype::float16;
inline constexpr Dtype bfloat16 = Dtype::bfloat16;
inline constexpr Dtype float32 = Dtype::float32;
inline constexpr Dtype float64 = Dtype::float64;
inline constexpr Dtype complex64 = Dtype::complex64;

size_t dtype_size(Dtype dtype);            // bytes of one element: 1, 2, 4 or 8
std::string_view dtype_name(Dtype dtype);  // "bool", "float16", ...
// False if no dtype has this name; then `dtype` is untouched.
bool dtype_from_name(std::string_view name, Dtype& dtype);
bool dtype_is_floating(Dtype dtype);  // float16, bfloat16, float32, float64

}  // namespace sprue
