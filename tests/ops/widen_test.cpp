#include "ops/widen.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace sprue {
namespace {

TEST(Widen, EveryFloat16AndBFloat16) {
  // All 65,536 patterns, in runs whose length isn't a multiple of the vector width.
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    std::vector<uint16_t> patterns(65536);
    for (size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<uint16_t>(i);
    std::vector<float> values(patterns.size());
    for (size_t i = 0; i < patterns.size(); i += 13) {
      const auto count = static_cast<int64_t>(std::min<size_t>(13, patterns.size() - i));
      widen(dtype, patterns.data() + i, count, values.data() + i);
    }
    for (size_t i = 0; i < patterns.size(); ++i) {
      const float expected = dtype == Dtype::float16 ? float(Float16::from_bits(patterns[i]))
                                                     : float(BFloat16::from_bits(patterns[i]));
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(values[i])) << i;
      } else {
        ASSERT_EQ(std::bit_cast<uint32_t>(values[i]), std::bit_cast<uint32_t>(expected)) << i;
      }
    }
    std::vector<uint16_t> again(patterns.size());
    narrow(dtype, values.data(), 65536, again.data());
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (std::isnan(values[i])) continue;
      ASSERT_EQ(again[i], patterns[i]);
    }
  }
}

TEST(Widen, Float32IsCopied) {
  const float source[3] = {1.5f, -0.0f, 1e-40f};
  float copy[3];
  widen(Dtype::float32, source, 3, copy);
  EXPECT_EQ(std::memcmp(source, copy, sizeof copy), 0);
  EXPECT_FALSE(is_widenable(Dtype::float64));
  EXPECT_FALSE(is_widenable(Dtype::int32));
}

}  // namespace
}  // namespace sprue
