#include "ops/quantized_matvec/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/quantized_matvec/reference.h"

namespace sprue {
namespace {

std::vector<std::byte> random_blocks(int64_t count, size_t block_bytes, size_t half_floats,
                                     uint16_t exponent_mask, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<std::byte> bytes(static_cast<size_t>(count) * block_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine());
  for (size_t block = 0; block < static_cast<size_t>(count); ++block) {
    for (size_t i = 0; i < half_floats; ++i) {
      // Any finite number within the mask: both signs, denormals and zeros too.
      const auto bits = static_cast<uint16_t>(engine() & (0x83ffu | exponent_mask));
      std::memcpy(bytes.data() + block * block_bytes + 2 * i, &bits, 2);
    }
  }
  return bytes;
}

double half_at(const std::byte* source) {
  uint16_t bits;
  std::memcpy(&bits, source, 2);
  const int exponent = bits >> 10 & 31, significand = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(significand, -24) : std::ldexp(significand + 1024, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Convert, Q41IsTheBlocksOwnValues) {
  constexpr int64_t kRows = 5, kColumns = 96;
  const auto blocks = random_blocks(kRows * kColumns / 32, 20, 2, 0x3c00, 1);
  const auto matrix = convert_q4_1(blocks, kRows, kColumns);
  ASSERT_TRUE(matrix) << matrix.error().message();
  EXPECT_EQ(matrix->bits, 4);
  EXPECT_EQ(matrix->group_size, 32);
  EXPECT_EQ(matrix->scales.dtype(), Dtype::float16);
  const auto values = dequantize_exactly(*matrix);
  ASSERT_TRUE(values) << values.error().message();
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const std::byte* block = blocks.data() + i / 32 * 20;
    const int64_t j = i % 32;
    const int byte = std::to_integer<int>(block[4 + j % 16]);
    const int q = j < 16 ? byte & 15 : byte >> 4;
    ASSERT_EQ((*values)[static_cast<size_t>(i)], half_at(block) * q + half_at(block + 2)) << i;
  }
}

TEST(Convert, Q80IsTheBlocksOwnValues) {
  constexpr int64_t kRows = 3, kColumns = 160;
  // Small scales stay float16; any scale needs float32.
  for (const uint16_t mask : {uint16_t{0x3c00}, uint16_t{0x7800}}) {
    const auto blocks = random_blocks(kRows * kColumns / 32, 34, 1, mask, 2);
    const auto matrix = convert_q8_0(blocks, kRows, kColumns);
    ASSERT_TRUE(matrix) << matrix.error().message();
    EXPECT_EQ(matrix->bits, 8);
    EXPECT_EQ(matrix->scales.dtype(), mask == 0x3c00 ? Dtype::float16 : Dtype::float32);
    const auto values = dequantize_exactly(*matrix);
    ASSERT_TRUE(values) << values.error().message();
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      const std::byte* block = blocks.data() + i / 32 * 34;
      const auto q = static_cast<int8_t>(block[2 + i % 32]);
      ASSERT_EQ((*values)[static_cast<size_t>(i)], half_at(block) * q) << i;
    }
  }
}

TEST(Convert, TheBoundaryOfFloat16Biases) {
  // 128 * 511.75 = 65504 is float16's largest number; the next scale is 512.
  for (const auto& [bits, dtype] :
       {std::pair{uint16_t{0x5fff}, Dtype::float16}, std::pair{uint16_t{0x6000}, Dtype::float32},
        std::pair{uint16_t{0xe000}, Dtype::float32}}) {
    std::vector<std::byte> block(34);
    std::memcpy(block.data(), &bits, 2);
    const auto matrix = convert_q8_0(block, 1, 32);
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->biases.dtype(), dtype) << bits;
  }
}

TEST(Convert, RefusesBytesThatAreNotTheMatrix) {
  const std::vector<std::byte> bytes(20 * 4);
  EXPECT_TRUE(convert_q4_1(bytes, 2, 64));
  EXPECT_TRUE(convert_q4_1({}, 0, 64));
  EXPECT_TRUE(convert_q8_0({}, 5, 0));
  const std::span<const std::byte> all(bytes);
  EXPECT_FALSE(convert_q4_1(all.first(79), 2, 64));
  EXPECT_FALSE(convert_q4_1(all, 2, 96));
  EXPECT_FALSE(convert_q4_1(all, 4, 33));
  EXPECT_FALSE(convert_q4_1(all, -2, -64));
  EXPECT_FALSE(convert_q8_0(all, 2, 64));
  // Sizes whose product wraps around to the number of bytes given.
  EXPECT_FALSE(convert_q4_1({}, int64_t{1} << 62, 32 * 4));
  EXPECT_FALSE(convert_q8_0({}, int64_t{1} << 32, int64_t{1} << 37));
}

}  // namespace
}  // namespace sprue
