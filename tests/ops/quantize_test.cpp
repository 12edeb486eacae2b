#include "ops/quantized_matvec/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ops/quantized_matvec/reference.h"
#include "ops/widen.h"

namespace sprue {
namespace {

constexpr Dtype kScaleDtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16};

Array random_matrix(int64_t rows, int64_t columns, float mean, uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(mean, 1.0f);
  Array matrix = Array::empty({rows, columns}, float32);
  for (int64_t i = 0; i < matrix.size(); ++i) matrix.data<float>()[i] = normal(engine);
  return matrix;
}

float unit_of(Dtype dtype) {  // relative rounding error of one conversion
  return dtype == Dtype::float32 ? 0x1p-24f : dtype == Dtype::float16 ? 0x1p-11f : 0x1p-8f;
}

TEST(Quantize, EveryElementIsWithinHalfAStepOfItsValue) {
  for (const int bits : {4, 8}) {
    for (const int group : {32, 64, 128}) {
      for (const Dtype dtype : kScaleDtypes) {
        for (const float mean : {0.0f, 3.0f, -3.0f}) {
          const Array weights = random_matrix(3, 256, mean, 1);
          const auto matrix = quantize(weights, bits, group, dtype);
          ASSERT_TRUE(matrix) << matrix.error().message();
          EXPECT_EQ(matrix->weights.shape(), (Shape{3, 256 * bits / 32}));
          EXPECT_EQ(matrix->scales.shape(), (Shape{3, 256 / group}));
          EXPECT_EQ(matrix->scales.dtype(), dtype);
          const auto values = dequantize_exactly(*matrix);
          ASSERT_TRUE(values);
          std::vector<float> scales(static_cast<size_t>(matrix->scales.size()));
          widen(dtype, matrix->scales.address(), matrix->scales.size(), scales.data());
          for (int64_t i = 0; i < weights.size(); ++i) {
            const float weight = weights.data<float>()[i];
            const float step = std::abs(scales[static_cast<size_t>(i / group)]);
            // Half a step; at the ends of the range up to one step more, for the scale was rounded to a
            // whole number of steps, and the dtype's rounding of scale and bias on top.
            const float levels = bits == 4 ? 15 : 255;
            const float bound = 1.05f * step + 2 * unit_of(dtype) * (levels * step + 8);
            ASSERT_NEAR((*values)[static_cast<size_t>(i)], weight, bound)
                << bits << ' ' << group << ' ' << dtype_name(dtype) << ' ' << mean;
          }
        }
      }
    }
  }
}

// The average error tells a quantiser that uses its levels from one that wastes them.
TEST(Quantize, TheAverageErrorIsThatOfAUniformQuantiser) {
  const Array weights = random_matrix(16, 512, 0, 2);
  for (const int bits : {4, 8}) {
    const auto matrix = quantize(weights, bits, 64, float32);
    const auto values = dequantize_exactly(*matrix);
    double squares = 0, step = 0;
    for (int64_t i = 0; i < weights.size(); ++i) {
      squares += std::pow((*values)[static_cast<size_t>(i)] - weights.data<float>()[i], 2);
    }
    for (int64_t i = 0; i < matrix->scales.size(); ++i) {
      step += std::abs(matrix->scales.data<float>()[i]);
    }
    step /= static_cast<double>(matrix->scales.size());
    EXPECT_LT(std::sqrt(squares / static_cast<double>(weights.size())),
              1.15 * step / std::sqrt(12));
  }
}

TEST(Quantize, ZeroAndTheLargerExtremeAreExact) {
  Array weights = random_matrix(1, 64, 0, 3);
  float* values = weights.data<float>();
  for (const float extreme : {-9.0f, 9.0f}) {
    values[5] = 0;
    values[6] = extreme;
    const auto matrix = quantize(weights, 4, 64, float32);
    ASSERT_TRUE(matrix);
    const auto exact = dequantize_exactly(*matrix);
    EXPECT_NEAR((*exact)[5], 0, 1e-6);
    EXPECT_EQ((*exact)[6], extreme);
    // The sign of the scale is that of the side opposite to the extreme.
    EXPECT_EQ(matrix->scales.data<float>()[0] > 0, extreme < 0);
  }
}

TEST(Quantize, AlreadyQuantisedValuesComeBack) {
  // Multiples of a step around zero, both ends present: the quantiser must find the very same grid.
  for (const int bits : {4, 8}) {
    const int levels = bits == 4 ? 15 : 255;
    Array weights = Array::empty({1, 128}, float32);
    for (int i = 0; i < 128; ++i) {
      weights.data<float>()[i] = 0.5f * static_cast<float>(i * 37 % (levels + 1) - levels / 3);
    }
    weights.data<float>()[0] = 0.5f * static_cast<float>(-(levels / 3));
    weights.data<float>()[1] = 0.5f * static_cast<float>(levels - levels / 3);
    const auto matrix = quantize(weights, bits, 128, float32);
    ASSERT_TRUE(matrix);
    const auto again = dequantize(*matrix);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->to_vector<float>(), weights.to_vector<float>()) << bits;
  }
}

TEST(Quantize, ConstantGroupsAndZeros) {
  for (const float value : {0.0f, 2.5f, -2.5f, 1e-30f}) {
    Array weights = Array::empty({2, 32}, float32);
    for (int i = 0; i < 64; ++i) weights.data<float>()[i] = value;
    for (const Dtype dtype : kScaleDtypes) {
      const auto matrix = quantize(weights, 4, 32, dtype);
      ASSERT_TRUE(matrix);
      const auto values = dequantize_exactly(*matrix);
      for (const double one : *values) EXPECT_NEAR(one, value, 2e-6) << dtype_name(dtype);
    }
  }
}

TEST(Quantize, PacksTheFirstElementIntoTheLowestBits) {
  // 0, 1, 2, ... as q: the values -7.5 + i with the minimum as the larger side.
  Array weights = Array::empty({1, 32}, float32);
  for (int i = 0; i < 32; ++i) weights.data<float>()[i] = static_cast<float>(i % 16 - 8);
  const auto four = quantize(weights, 4, 32, float32);
  EXPECT_EQ(four->weights.to_vector<uint32_t>(),
            (std::vector<uint32_t>{0x76543210, 0xfedcba98, 0x76543210, 0xfedcba98}));
  for (int i = 0; i < 32; ++i) weights.data<float>()[i] = static_cast<float>(i - 128);
  weights.data<float>()[31] = 127;
  const auto eight = quantize(weights, 8, 32, float32);
  EXPECT_EQ(eight->weights.data<uint32_t>()[0], 0x03020100u);
  EXPECT_EQ(eight->weights.data<uint32_t>()[7], 0xff1e1d1cu);
}

TEST(Quantize, StridedWeights) {
  const Array weights = random_matrix(64, 5, 0, 4);
  const auto strided = quantize(weights.transposed(), 4, 64, float32);
  const auto packed = quantize(weights.transposed().contiguous(), 4, 64, float32);
  ASSERT_TRUE(strided && packed);
  EXPECT_EQ(digest(strided->weights), digest(packed->weights));
}

TEST(Quantize, RefusesWhatItCannotHold) {
  const Array weights = random_matrix(2, 64, 0, 5);
  EXPECT_FALSE(quantize(weights, 3, 32, float32));
  EXPECT_FALSE(quantize(weights, 4, 16, float32));
  EXPECT_FALSE(quantize(weights, 4, 128, float32));
  EXPECT_FALSE(quantize(weights, 4, 32, int32));
  EXPECT_FALSE(quantize(weights.reshaped({128}), 4, 32, float32));
  EXPECT_FALSE(quantize(Array::zeros({2, 64}, float16), 4, 32, float32));
  Array large = weights.contiguous().reshaped({2, 64});
  Array copy = Array::from<float>(weights.to_vector<float>(), {2, 64});
  copy.data<float>()[70] = 1e6f;
  EXPECT_TRUE(quantize(copy, 4, 32, bfloat16));
  const auto overflow = quantize(copy, 4, 32, float16);
  ASSERT_FALSE(overflow);
  EXPECT_NE(overflow.error().message().find("row 1"), std::string::npos);
  copy.data<float>()[70] = std::numeric_limits<float>::quiet_NaN();
  const auto nan = quantize(copy, 4, 32, float32);
  ASSERT_FALSE(nan);
  EXPECT_NE(nan.error().message().find("row 1, column 6"), std::string::npos)
      << nan.error().message();
  EXPECT_TRUE(quantize(Array::zeros({0, 64}, float32), 4, 32, float32));
}

}  // namespace
}  // namespace sprue
