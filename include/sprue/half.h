// 16-bit floats on the host: storage types with conversions, rounding to nearest, ties to even.
// NaN stays NaN, denormals are kept. Not for arithmetic: convert to float first.
#pragma once

#include <bit>
#include <cstdint>

namespace sprue {

// IEEE binary16: 1 sign, 5 exponent, 10 significand bits.
struct Float16 {
  uint16_t bits = 0;

  Float16() = default;
  explicit Float16(float value);
  explicit operator float() const;
  static Float16 from_bits(uint16_t bits) {
    Float16 value;
    value.bits = bits;
    return value;
  }
  friend bool operator==(Float16 a, Float16 b) { return float(a) == float(b); }
};

// bfloat16: the upper half of a float.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  static BFloat16 from_bits(uint16_t bits) {
    BFloat16 value;
    value.bits = bits;
    return value;
  }
  friend bool operator==(BFloat16 a, BFloat16 b) { return float(a) == float(b); }
};

}  // namespace sprue
