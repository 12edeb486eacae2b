// Comparison over whole kinds of values: every floating dtype, integers, complex numbers, bools.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include "kernel_file/expectation.h"

namespace sprue {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::optional<Mismatch> mismatch(const Array& got, const Array& expected, double rtol = 0,
                                 double atol = 0) {
  auto result = compare(got, expected, rtol, atol);
  EXPECT_TRUE(result) << result.error().message();
  return std::move(*result);
}

// A floating dtype as its bits: the bits of neighbours are neighbours.
struct Bits {
  Dtype dtype;
  uint64_t one, smallest_normal, infinity, sign, quiet_nan;
};
const Bits kFloating[] = {
    {float16, 0x3c00, 0x0400, 0x7c00, 0x8000, 0x7e00},
    {bfloat16, 0x3f80, 0x0080, 0x7f80, 0x8000, 0x7fc0},
    {float32, 0x3f800000, 0x00800000, 0x7f800000, 0x80000000, 0x7fc00000},
    {float64, 0x3ff0000000000000, 0x0010000000000000, 0x7ff0000000000000, 0x8000000000000000,
     0x7ff8000000000000},
};

Array of_bits(const Bits& format, std::vector<uint64_t> elements) {
  Array array = Array::empty({static_cast<int64_t>(elements.size())}, format.dtype);
  const size_t size = dtype_size(format.dtype);
  auto* bytes = static_cast<std::byte*>(array.address());
  for (size_t i = 0; i < elements.size(); ++i) std::memcpy(bytes + i * size, &elements[i], size);
  return array;
}

TEST(Expectation, NeighboursAreAUnitApartInEveryDtypeAndBinade) {
  for (const Bits& format : kFloating) {
    SCOPED_TRACE(dtype_name(format.dtype));
    const auto ulp = [&](uint64_t got, uint64_t expected) {
      const auto result = mismatch(of_bits(format, {got}), of_bits(format, {expected}));
      EXPECT_TRUE(result);
      return result ? result->first.ulp.value_or(-2) : -1;
    };
    for (const uint64_t sign : {uint64_t{0}, format.sign}) {
      const uint64_t one = format.one | sign, normal = format.smallest_normal | sign;
      EXPECT_EQ(ulp(one + 1, one), 1);
      EXPECT_EQ(ulp(one + 5, one), 5);
      EXPECT_EQ(ulp(one - 1, one), 0.5);  // into the binade below, where neighbours are closer
      EXPECT_EQ(ulp(one, one - 1), 1);
      EXPECT_EQ(ulp(one + 3, one + 2), 1);
      // Denormals are as far apart as the smallest normal numbers.
      EXPECT_EQ(ulp(normal - 1, normal), 1);
      EXPECT_EQ(ulp(normal, normal - 1), 1);
      EXPECT_EQ(ulp(normal + 1, normal), 1);
      EXPECT_EQ(ulp(sign | 1, sign), 1);
      EXPECT_EQ(ulp(sign, sign | 1), 1);
      EXPECT_EQ(ulp(sign | 9, sign | 2), 7);
      const uint64_t largest = format.infinity - 1;
      EXPECT_EQ(ulp(sign | (largest - 1), sign | largest), 1);
    }
    EXPECT_EQ(ulp(format.sign | 1, 1), 2);  // on both sides of zero
  }
}

TEST(Expectation, NanInfinityAndZeroInEveryFloatingDtype) {
  for (const Bits& format : kFloating) {
    SCOPED_TRACE(dtype_name(format.dtype));
    const uint64_t infinity = format.infinity, minus = format.sign, nan = format.quiet_nan;
    // What agrees, without any tolerance.
    for (const auto& [got, expected] :
         std::vector<std::pair<uint64_t, uint64_t>>{{0, minus},
                                                    {minus, 0},
                                                    {nan, nan},
                                                    {nan, nan | minus},
                                                    {nan | 1, infinity + 1},
                                                    {infinity, infinity},
                                                    {infinity | minus, infinity | minus}}) {
      EXPECT_FALSE(mismatch(of_bits(format, {got}), of_bits(format, {expected})));
    }
    // What differs, whatever the tolerance.
    const uint64_t one = format.one;
    for (const auto& [got, expected, kind] :
         std::vector<std::tuple<uint64_t, uint64_t, std::string>>{
             {nan, one, "nan"},
             {one, nan, "nan"},
             {nan, 0, "nan"},
             {nan, infinity, "nan"},
             {infinity, nan, "nan"},
             {infinity, infinity | minus, "inf"},
             {infinity | minus, infinity, "inf"},
             {infinity, one, "inf"},
             {one, infinity, "inf"},
             {infinity, infinity - 1, "inf"},
             {0, infinity | minus, "inf"}}) {
      const auto result =
          mismatch(of_bits(format, {0, got}), of_bits(format, {0, expected}), 1e300, 1e300);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->mismatched, 1);
      EXPECT_EQ(result->first.index, (std::vector<int64_t>{1}));
      EXPECT_EQ(fmt::format("{}", std::abs(result->first.absolute)), kind);
      EXPECT_EQ(fmt::format("{}", std::abs(result->first.relative)), kind);
      EXPECT_EQ(result->first.ulp, std::nullopt);
      const auto is_nan = [&](uint64_t bits) { return (bits & ~minus) > infinity; };
      const auto is_infinite = [&](uint64_t bits) { return (bits & ~minus) == infinity; };
      EXPECT_EQ(result->got_nan, is_nan(got));
      EXPECT_EQ(result->expected_nan, is_nan(expected));
      EXPECT_EQ(result->got_infinite, is_infinite(got));
      EXPECT_EQ(result->expected_infinite, is_infinite(expected));
    }
    const auto texts =
        mismatch(of_bits(format, {nan | minus}), of_bits(format, {infinity | minus}));
    EXPECT_EQ(texts->first.got, "nan");
    EXPECT_EQ(texts->first.expected, "-inf");
  }
}

TEST(Expectation, CountsAsTheDefinitionDoes) {
  // All pairs of float16 out of a stride through its bits, in exact arithmetic: a difference of two
  // is a multiple of 2^-24 below 2^17, and so are the tolerances here.
  std::vector<uint64_t> got, expected;
  int64_t different = 0;
  const auto units = [](uint64_t bits) {
    return static_cast<int64_t>(std::ldexp(float(Float16::from_bits(uint16_t(bits))), 24));
  };
  for (uint64_t a = 0; a < 0x10000; a += 257) {
    for (uint64_t b = 0; b < 0x10000; b += 509) {
      got.push_back(a);
      expected.push_back(b);
      const bool a_finite = (a & 0x7c00) != 0x7c00, b_finite = (b & 0x7c00) != 0x7c00;
      if (a_finite && b_finite) {
        // rtol 1/4, atol 2^-14.
        different += 4 * std::abs(units(a) - units(b)) > 4096 + std::abs(units(b));
      } else {
        const bool both_nan = !a_finite && !b_finite && (a & 0x3ff) && (b & 0x3ff);
        different += !both_nan && a != b;
      }
    }
  }
  const auto result =
      mismatch(of_bits(kFloating[0], got), of_bits(kFloating[0], expected), 0.25, 0x1p-14);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mismatched, different);
  EXPECT_GT(different, 1000);
  EXPECT_LT(different, result->total - 300);
}

TEST(Expectation, IntegersMeetFloatingValuesExactly) {
  const int64_t large = (int64_t{1} << 53) + 1;
  const auto distance = [](int64_t got, double expected) {
    const auto one =
        mismatch(Array::from<int64_t>({got}, {1}), Array::from<double>({expected}, {1}));
    const auto other =
        mismatch(Array::from<double>({expected}, {1}), Array::from<int64_t>({got}, {1}));
    EXPECT_EQ(one.has_value(), other.has_value());
    if (one && other) {
      EXPECT_EQ(one->first.absolute, other->first.absolute);
      EXPECT_EQ(one->first.ulp, std::nullopt);
    }
    return one ? one->first.absolute : 0;
  };
  EXPECT_EQ(distance(large, 0x1p53), 1);
  EXPECT_EQ(distance(-large, -0x1p53), 1);
  EXPECT_EQ(distance(large - 1, 0x1p53), 0);
  EXPECT_EQ(distance(std::numeric_limits<int64_t>::max(), 0x1p63), 1);
  EXPECT_EQ(distance(std::numeric_limits<int64_t>::min(), -0x1p63), 0);
  EXPECT_EQ(distance(3, 3.25), 0.25);
  EXPECT_EQ(distance(-3, -2.75), 0.25);
  EXPECT_EQ(distance(3, -3.5), 6.5);
  EXPECT_EQ(distance(1, 1e300), 1e300);
  EXPECT_EQ(distance(0, 0x1p-1074), 0x1p-1074);
  EXPECT_TRUE(
      mismatch(Array::from<uint64_t>({~uint64_t{0}}, {1}), Array::from<double>({0x1p64}, {1})));
  const auto against_nan = mismatch(Array::from<int32_t>({3, 4}, {2}),
                                    Array::from<float>({kNan, -kInfinite}, {2}), 1e30, 1e30);
  ASSERT_TRUE(against_nan);
  EXPECT_EQ(against_nan->mismatched, 2);
  // Within a tolerance all the same.
  EXPECT_FALSE(
      mismatch(Array::from<int64_t>({large}, {1}), Array::from<double>({0x1p53}, {1}), 0, 1));
}

TEST(Expectation, ComplexNumbersByTheModulusOfTheDifference) {
  using Complex = std::complex<float>;
  const auto one = [](Complex got, Complex expected, double atol = 0) {
    return mismatch(Array::from<Complex>({got}, {1}), Array::from<Complex>({expected}, {1}), 0,
                    atol);
  };
  EXPECT_FALSE(one({0.0f, -0.0f}, {-0.0f, 0.0f}));
  EXPECT_FALSE(one({1, 2}, {4, 6}, 5));
  EXPECT_TRUE(one({1, 2}, {4, 6}, 4.9));
  EXPECT_FALSE(one({kNan, 1}, {2, kNan}));  // NaN where a part is
  EXPECT_FALSE(one({kInfinite, 1}, {kInfinite, 1}));
  EXPECT_TRUE(one({kInfinite, 1}, {kInfinite, 2}, 1e30));
  EXPECT_TRUE(one({kInfinite, 0}, {0, kInfinite}, 1e30));
  EXPECT_EQ(one({kNan, kInfinite}, {1, 1})->got_nan, 1);
  EXPECT_EQ(one({kNan, kInfinite}, {1, 1})->got_infinite, 0);
  EXPECT_EQ(one({1, -0.0f}, {2, 3})->first.got, "1-0i");
  EXPECT_EQ(one({1, kNan}, {2, -kInfinite})->first.got, "1+nani");
  EXPECT_EQ(one({1, kNan}, {2, -kInfinite})->first.expected, "2-infi");
  // Overflows in float, not here.
  EXPECT_EQ(one({3e38f, 3e38f}, {-3e38f, -3e38f})->first.absolute,
            std::hypot(2 * double(3e38f), 2 * double(3e38f)));
  // Against another dtype, with an imaginary part of 0.
  EXPECT_EQ(
      mismatch(Array::from<Complex>({{3, 4}}, {1}), Array::from<int32_t>({3}, {1}))->first.absolute,
      4);
}

TEST(Expectation, ABoolIsItsByte) {
  Array got = Array::zeros({2, 2}, bool_);
  const uint8_t bytes[] = {0, 1, 255, 2};
  std::memcpy(got.address(), bytes, sizeof bytes);
  const Array expected = Array::from<bool>({false, true, true, true}, {2, 2});
  const auto result = mismatch(got, expected);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mismatched, 2);
  EXPECT_EQ(result->first.index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(result->first.got, "255");
  EXPECT_EQ(result->first.expected, "1");
  EXPECT_EQ(result->first.absolute, 254);
  EXPECT_EQ(result->first.ulp, std::nullopt);
}

TEST(Expectation, IndicesOfStridedArraysAreLogical) {
  Array memory = Array::zeros({24}, float32);
  for (int i = 0; i < 24; ++i) memory.data<float>()[i] = static_cast<float>(i);
  // Backwards, a broadcast, and a transposed one: every element is what the strides say.
  const Array views[] = {memory.as_strided({4, 3}, {-3, -1}, 23),
                         memory.as_strided({4, 3}, {0, 2}, 1),
                         memory.as_strided({4, 3}, {1, 8}, 0)};
  const Strides strides[] = {{-3, -1}, {0, 2}, {1, 8}};
  const int64_t offsets[] = {23, 1, 0};
  for (int view = 0; view < 3; ++view) {
    std::vector<float> values;
    for (int64_t i = 0; i < 4; ++i) {
      for (int64_t j = 0; j < 3; ++j) {
        values.push_back(
            static_cast<float>(offsets[view] + i * strides[view][0] + j * strides[view][1]));
      }
    }
    EXPECT_FALSE(mismatch(views[view], Array::from<float>(values, {4, 3})));
    values[3 * 2 + 1] += 100;
    const auto result = mismatch(views[view], Array::from<float>(values, {4, 3}));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->mismatched, 1);
    EXPECT_EQ(result->first.index, (std::vector<int64_t>{2, 1}));
    const auto swapped = mismatch(Array::from<float>(values, {4, 3}), views[view]);
    EXPECT_EQ(swapped->first.index, (std::vector<int64_t>{2, 1}));
  }
  const auto scalar = mismatch(Array::scalar(1.0f), Array::scalar(2.0f));
  EXPECT_TRUE(scalar->first.index.empty());
  EXPECT_TRUE(scalar->text().starts_with("1 of 1 elements differ; first []: got 1, expected 2"));
}

}  // namespace
}  // namespace sprue
