#include "sprue/half.h"

#include <cmath>

namespace sprue {

Float16::Float16(float value) {
  const uint32_t word = std::bit_cast<uint32_t>(value);
  const uint32_t sign = word >> 16 & 0x8000u;
  const uint32_t magnitude = word & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | (magnitude >> 13 & 0x1ffu);  // NaN: kept quiet, with the upper payload
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u;  // 65520 and above round to infinity
  } else if (magnitude < 0x38800000u) {
    // Below 2^-14 the result is a multiple of 2^-24: adding 0.5 lets the FPU round at that bit.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<uint32_t>(rounded) - std::bit_cast<uint32_t>(0.5f);
  } else {
    const uint32_t odd = magnitude >> 13 & 1u;
    half = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;  // ties to even
  }
  bits = static_cast<uint16_t>(sign | half);
}

Float16::operator float() const {
  const uint32_t sign = uint32_t{bits} << 16 & 0x80000000u;
  const uint32_t exponent = bits >> 10 & 0x1fu;
  const uint32_t significand = bits & 0x3ffu;
  uint32_t word;
  if (exponent == 31) {
    word = 0x7f800000u | significand << 13;
  } else if (exponent != 0) {
    word = (exponent + 112u) << 23 | significand << 13;
  } else {
    word = std::bit_cast<uint32_t>(std::ldexp(static_cast<float>(significand), -24));
  }
  return std::bit_cast<float>(sign | word);
}

BFloat16::BFloat16(float value) {
  const uint32_t word = std::bit_cast<uint32_t>(value);
  if ((word & 0x7fffffffu) > 0x7f800000u) {
    bits = static_cast<uint16_t>(word >> 16 | 0x40u);  // NaN: kept quiet
  } else {
    bits = static_cast<uint16_t>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
  }
}

}  // namespace sprue
