#include "kernel_file/expectation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(Expectation, EqualArraysAgreeWhateverTheirContent) {
  const Array x = Array::from<float>({0.0f, kNan, kInfinite, -kInfinite, 1.5f, -0.0f}, {2, 3});
  EXPECT_FALSE(mismatch(x, x));
  const Array zeros = Array::from<float>({-0.0f}, {1});
  EXPECT_FALSE(mismatch(zeros, Array::from<float>({0.0f}, {1})));
  EXPECT_FALSE(mismatch(Array::empty({0}, float32), Array::empty({0}, float16)));
}

TEST(Expectation, TheToleranceIsAbsolutePlusRelativeToTheExpected) {
  const Array expected = Array::from<float>({100.0f, 0.0f}, {2});
  EXPECT_FALSE(mismatch(Array::from<float>({101.5f, 0.5f}, {2}), expected, 0.01, 0.5));
  const auto beyond = mismatch(Array::from<float>({101.625f, 0.5f}, {2}), expected, 0.01, 0.5);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->mismatched, 1);
  // Relative to the expected value, not to the one that was got.
  EXPECT_TRUE(mismatch(expected, Array::from<float>({0.0f, 0.0f}, {2}), 1.0, 0));
}

TEST(Expectation, NamesTheFirstAndTheWorst) {
  Array got = Array::zeros({4, 5}, float32);
  const Array expected = Array::zeros({4, 5}, float32);
  got.data<float>()[7] = 0.5f;
  got.data<float>()[13] = -2.0f;
  got.data<float>()[19] = 1.0f;
  const auto result = mismatch(got, expected);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mismatched, 3);
  EXPECT_EQ(result->total, 20);
  EXPECT_EQ(result->first.index, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(result->first.got, "0.5");
  EXPECT_EQ(result->first.absolute, 0.5);
  EXPECT_EQ(result->worst.index, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(result->worst.got, "-2");
  EXPECT_EQ(result->worst.absolute, 2.0);
  EXPECT_TRUE(std::isinf(result->worst.relative));
  EXPECT_TRUE(
      result->text().starts_with("3 of 20 elements differ; first [1, 2]: got 0.5, expected 0 "))
      << result->text();
}

TEST(Expectation, NonFiniteValuesNeverPassATolerance) {
  const Array expected = Array::from<float>({1.0f, kNan, kInfinite, kInfinite, 2.0f}, {5});
  const Array got = Array::from<float>({kNan, 1.0f, 1.0f, -kInfinite, 1000.0f}, {5});
  const auto result = mismatch(got, expected, 1e30, 1e30);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mismatched, 4);
  EXPECT_EQ(result->got_nan, 1);
  EXPECT_EQ(result->expected_nan, 1);
  EXPECT_EQ(result->got_infinite, 1);
  EXPECT_EQ(result->expected_infinite, 2);
  EXPECT_NE(result->text().find("NaN: got 1, expected 1; infinite: got 1, expected 2"),
            std::string::npos);
  // A NaN counts as worse than any finite error.
  const auto exact = mismatch(got, expected);
  EXPECT_EQ(exact->worst.index, (std::vector<int64_t>{0}));
}

TEST(Expectation, LargeIntegersCompareExactly) {
  const int64_t large = (int64_t{1} << 60) + 1;
  const auto result = mismatch(Array::from<int64_t>({large, -large}, {2}),
                               Array::from<int64_t>({large - 1, -large}, {2}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mismatched, 1);
  EXPECT_EQ(result->first.absolute, 1.0);
  EXPECT_EQ(result->first.got, "1152921504606846977");
  const auto wide = mismatch(Array::from<uint64_t>({~uint64_t{0}}, {1}),
                             Array::from<int64_t>({std::numeric_limits<int64_t>::min()}, {1}));
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->first.got, "18446744073709551615");
  EXPECT_EQ(wide->first.expected, "-9223372036854775808");
}

TEST(Expectation, ErrorsInUnitsOfTheLastPlaceOfTheOutput) {
  const auto ulp = [](const Array& got, const Array& expected) {
    const auto result = mismatch(got, expected);
    EXPECT_TRUE(result);
    return result ? result->worst.ulp.value_or(-2) : -1;
  };
  const Array one = Array::from<double>({1.0}, {1});
  EXPECT_EQ(ulp(Array::from<Float16>({Float16(1.0f + 0x1p-10f)}, {1}), one), 1.0);
  EXPECT_EQ(ulp(Array::from<BFloat16>({BFloat16(1.0f + 0x1p-6f)}, {1}), one), 2.0);
  EXPECT_EQ(ulp(Array::from<float>({1.0f + 0x1p-22f}, {1}), one), 2.0);
  EXPECT_EQ(ulp(Array::from<double>({1.0 + 0x1p-52}, {1}), one), 1.0);
  EXPECT_EQ(ulp(Array::from<float>({0x1p-149f}, {1}), Array::from<float>({0.0f}, {1})), 1.0);
}

TEST(Expectation, EveryDtypeAgainstItself) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    Array a = Array::empty({2}, dtype), b = Array::zeros({2}, dtype);
    ASSERT_TRUE(fill_array(a, Fill::arange, 0));
    EXPECT_FALSE(mismatch(a, a)) << dtype_name(dtype);
    const auto result = mismatch(a, b);
    ASSERT_TRUE(result) << dtype_name(dtype);
    EXPECT_EQ(result->mismatched, 1);
    EXPECT_EQ(result->first.index, (std::vector<int64_t>{1}));
    EXPECT_EQ(result->first.absolute, 1.0);
  }
  const auto complex = mismatch(Array::from<std::complex<float>>({{3, 4}}, {1}),
                                Array::from<std::complex<float>>({{0, 0}}, {1}));
  EXPECT_EQ(complex->worst.absolute, 5.0);
  EXPECT_EQ(complex->worst.got, "3+4i");
}

TEST(Expectation, StridedArraysReadInRowMajorOrder) {
  const Array rows = Array::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_FALSE(mismatch(rows.transposed(), Array::from<float>({1, 4, 2, 5, 3, 6}, {3, 2})));
}

TEST(Expectation, DifferentShapesAreAnError) {
  const auto result = compare(Array::zeros({2, 3}, float32), Array::zeros({3, 2}, float32), 0, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "[expectation] expected shape (3, 2), got (2, 3)");
}

TEST(Expectation, ASpecWithoutExpectationExpectsNothing) {
  const auto result = check_expectation(OutputSpec{.name = "y"}, Array::zeros({1}, float32));
  ASSERT_TRUE(result);
  EXPECT_FALSE(*result);
  EXPECT_FALSE(check_expectation(OutputSpec{.name = "y", .expect = "/nonexistent/y.npy"},
                                 Array::zeros({1}, float32)));
}

}  // namespace
}  // namespace sprue
