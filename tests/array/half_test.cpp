#include "sprue/half.h"

#include <gtest/gtest.h>
#include <immintrin.h>

#include <cmath>
#include <limits>

namespace sprue {
namespace {

// A prime step visits every exponent with varied significands: about a million of all floats.
constexpr uint64_t kStride = 4093;

template <typename Check>
void for_floats(Check check) {
  for (uint64_t word = 0; word <= UINT32_MAX; word += kStride)
    check(std::bit_cast<float>(static_cast<uint32_t>(word)));
  for (uint32_t half = 0; half <= 0xffff; ++half) {  // around every value that float16 has
    const float value = _cvtsh_ss(static_cast<uint16_t>(half));
    if (std::isnan(value)) continue;
    const auto word = std::bit_cast<uint32_t>(value);
    for (uint32_t near : {word - 1, word, word + 1, word + 0xfff, word + 0x1000, word + 0x1001})
      check(std::bit_cast<float>(near));
  }
}

TEST(Float16, EveryValueRoundTrips) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = Float16::from_bits(static_cast<uint16_t>(bits));
    const float value(half);
    const float hardware = _cvtsh_ss(half.bits);
    if (std::isnan(hardware)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(float(Float16(value)))) << bits;
      EXPECT_EQ(Float16(value).bits | 0x200, bits | 0x200) << "the payload is kept";
    } else {
      ASSERT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(hardware)) << bits;
      ASSERT_EQ(Float16(value).bits, bits);
    }
  }
}

TEST(Float16, RoundsAsTheHardwareDoes) {
  for_floats([](float value) {
    ASSERT_EQ(Float16(value).bits, _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT)) << value;
  });
}

TEST(Float16, TiesAndEdges) {
  EXPECT_EQ(Float16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Float16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(Float16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Float16(std::ldexp(1.0f, -24)).bits, 1);
  EXPECT_EQ(Float16(std::ldexp(1.0f, -25)).bits, 0);  // a tie, to even
  EXPECT_EQ(Float16(std::ldexp(1.5f, -25)).bits, 1);
  EXPECT_EQ(Float16(-0.0f).bits, 0x8000);
  EXPECT_EQ(Float16(1.0f + std::ldexp(1.0f, -11)).bits, 0x3c00);
  EXPECT_EQ(Float16(1.0f + 3 * std::ldexp(1.0f, -11)).bits, 0x3c02);
  EXPECT_FALSE(Float16::from_bits(0x7e00) == Float16::from_bits(0x7e00));
  EXPECT_TRUE(Float16(0.0f) == Float16(-0.0f));
}

TEST(BFloat16, EveryValueRoundTrips) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto value = float(BFloat16::from_bits(static_cast<uint16_t>(bits)));
    ASSERT_EQ(std::bit_cast<uint32_t>(value), bits << 16);
    const uint16_t back = BFloat16(value).bits;
    if (std::isnan(value))
      EXPECT_EQ(back, bits | 0x40);
    else
      ASSERT_EQ(back, bits);
  }
}

// The nearest of the two neighbours, judged in double; of equally near ones the even.
TEST(BFloat16, RoundsToNearestEven) {
  for_floats([](float value) {
    if (!std::isfinite(value)) {
      const auto rounded = float(BFloat16(value));
      ASSERT_TRUE(std::isnan(value) ? std::isnan(rounded) : rounded == value) << value;
      return;
    }
    const auto word = std::bit_cast<uint32_t>(value);
    const auto below = static_cast<uint16_t>(word >> 16);  // towards zero
    const double low = float(BFloat16::from_bits(below));
    // Beyond the largest value the next step is 2^128, which stands for infinity.
    double high = float(BFloat16::from_bits(static_cast<uint16_t>(below + 1)));
    if (std::isinf(high)) high = std::copysign(std::ldexp(1.0, 128), low);
    const double to_low = std::abs(value - low), to_high = std::abs(high - value);
    const bool up = to_high < to_low || (to_high == to_low && below % 2 == 1);
    ASSERT_EQ(BFloat16(value).bits, static_cast<uint16_t>(below + up)) << value;
  });
}

}  // namespace
}  // namespace sprue
