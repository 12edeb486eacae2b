#include "kernel_file/fill.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

namespace sprue {
namespace {

Array filled(const Shape& shape, Dtype dtype, Fill fill, uint64_t seed) {
  Array array = Array::empty(shape, dtype);
  const Status status = fill_array(array, fill, seed);
  EXPECT_TRUE(status) << (status ? "" : status.error().message());
  return array;
}

TEST(Fill, NamesRoundTrip) {
  for (const Fill fill : {Fill::zeros, Fill::ones, Fill::normal, Fill::uniform, Fill::arange}) {
    Fill found = Fill::zeros;
    EXPECT_TRUE(fill_from_name(fill_name(fill), found));
    EXPECT_EQ(found, fill);
  }
  Fill untouched = Fill::ones;
  // One name of three fills: which one, only the reader of kernel files can tell.
  for (const Fill fill : {Fill::affine_weights, Fill::affine_scales, Fill::affine_biases}) {
    EXPECT_EQ(fill_name(fill), "affine_int4");
  }
  EXPECT_FALSE(fill_from_name("affine_int4", untouched));
  EXPECT_EQ(untouched, Fill::ones);
}

TEST(Fill, EveryDtypeTakesEveryFillThatItCanHold) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const bool floating = dtype_is_floating(dtype) || dtype == Dtype::complex64;
    for (const Fill fill : {Fill::zeros, Fill::ones, Fill::normal, Fill::uniform, Fill::arange,
                            Fill::affine_weights, Fill::affine_scales, Fill::affine_biases}) {
      Array array = Array::empty({2}, dtype);
      const bool expected = fill == Fill::normal           ? floating
                            : fill == Fill::affine_weights ? dtype == uint32
                            : fill > Fill::affine_weights  ? dtype_is_floating(dtype)
                                                           : true;
      EXPECT_EQ(fill_array(array, fill, 5).has_value(), expected)
          << dtype_name(dtype) << ' ' << fill_name(fill);
    }
  }
}

// The published first outputs of SplitMix64 pin the generator, so the bits can't drift between
// releases.
TEST(Fill, UniformIntegersAreSplitMix64) {
  // Written from the definition: a mixed seed, then one step and one mix a word.
  const auto mix = [](uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
  };
  EXPECT_EQ(mix(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);  // the first output of seed 0
  for (const uint64_t seed : {0u, 1u, 12345u}) {
    const Array words = filled({100}, uint64, Fill::uniform, seed);
    const Array bytes = filled({100}, uint8, Fill::uniform, seed);
    uint64_t state = mix(seed + 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 100; ++i) {
      state += 0x9e3779b97f4a7c15u;
      ASSERT_EQ(words.data<uint64_t>()[i], mix(state));
      ASSERT_EQ(bytes.data<uint8_t>()[i], static_cast<uint8_t>(mix(state)));
    }
  }
}

// Values worked out in another language with integers of any size.
TEST(Fill, FloatingFillsAreTheSameOnEveryMachine) {
  EXPECT_EQ(filled({4}, float64, Fill::normal, 1).to_vector<double>(),
            (std::vector<double>{0.181365966796875, 0.2611541748046875, -1.8368988037109375,
                                 -0.84423828125}));
  const Array uniform = filled({4}, float16, Fill::uniform, 1);
  const double expected[] = {0.3681640625, 0.943359375, 0.044921875, 0.77734375};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(float(uniform.data<Float16>()[i]), expected[i]);
}

TEST(Fill, UniformStaysBelowOneAndCoversItsRange) {
  const auto check = [](const auto& values) {
    double sum = 0;
    for (const auto value : values) {
      const auto number = static_cast<double>(static_cast<float>(value));
      ASSERT_GE(number, 0);
      ASSERT_LT(number, 1);
      sum += number;
    }
    EXPECT_NEAR(sum / static_cast<double>(values.size()), 0.5, 0.01);
  };
  check(filled({100000}, float32, Fill::uniform, 3).to_vector<float>());
  check(filled({100000}, float16, Fill::uniform, 3).to_vector<Float16>());
  check(filled({100000}, bfloat16, Fill::uniform, 3).to_vector<BFloat16>());
  const auto bools = filled({1000}, bool_, Fill::uniform, 3);
  int set = 0;
  for (int i = 0; i < 1000; ++i) set += bools.data<bool>()[i];
  EXPECT_NEAR(set, 500, 100);
}

TEST(Fill, NormalHasMeanZeroAndDeviationOne) {
  const auto values = filled({100000}, float64, Fill::normal, 7).to_vector<double>();
  double sum = 0, squares = 0;
  int beyond_two = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    beyond_two += std::abs(value) > 2;
    ASSERT_LE(std::abs(value), 6);
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
  EXPECT_NEAR(beyond_two / 1e5, 0.0455, 0.005);
  // Exact in float: both dtypes hold the same numbers.
  const auto narrow = filled({100000}, float32, Fill::normal, 7).to_vector<float>();
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], narrow[i]);
}

TEST(Fill, SeedsAndPartsOfComplexNumbersDiffer) {
  std::set<std::string> digests;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    digests.insert(digest(filled({16}, float32, Fill::uniform, seed)));
  }
  EXPECT_EQ(digests.size(), 100u);
  const auto complex = filled({100}, complex64, Fill::normal, 1).to_vector<std::complex<float>>();
  int equal = 0;
  for (const auto& value : complex) equal += value.real() == value.imag();
  EXPECT_LE(equal, 1);
}

TEST(Fill, ArangeCountsAndRefusesToWrap) {
  EXPECT_EQ(filled({256}, uint8, Fill::arange, 0).data<uint8_t>()[255], 255);
  EXPECT_EQ(float(filled({2, 3}, bfloat16, Fill::arange, 0).data<BFloat16>()[5]), 5.0f);
  EXPECT_EQ(filled({4}, complex64, Fill::arange, 0).data<std::complex<float>>()[3],
            std::complex<float>(3, 0));
  struct Limit {
    Dtype dtype;
    int64_t elements;
  };
  for (const Limit& limit : {Limit{uint8, 256}, Limit{int8, 128}, Limit{uint16, 65536},
                             Limit{int16, 32768}, Limit{bool_, 2}, Limit{float16, 65505}}) {
    EXPECT_TRUE(check_fill(limit.elements, limit.dtype, Fill::arange));
    EXPECT_FALSE(check_fill(limit.elements + 1, limit.dtype, Fill::arange));
  }
}

// The definition of the scales, from the words of the generator, in exact arithmetic: 1/128 times
// 1.f with as many leading bits as the dtype's significand has after the point.
TEST(Fill, AffineScalesAndBiasesAreExactInEveryDtype) {
  const auto check = [](Dtype dtype, int fraction_bits, auto read) {
    const Array words = filled({1000}, uint64, Fill::uniform, 9);
    const Array scales = filled({1000}, dtype, Fill::affine_scales, 9);
    const Array biases = filled({1000}, dtype, Fill::affine_biases, 9);
    for (int64_t i = 0; i < 1000; ++i) {
      const uint64_t fraction = words.data<uint64_t>()[i] >> (64 - fraction_bits);
      const double scale =
          std::ldexp(1 + std::ldexp(static_cast<double>(fraction), -fraction_bits), -7);
      ASSERT_EQ(read(scales, i), scale) << dtype_name(dtype) << ' ' << i;
      ASSERT_EQ(read(biases, i), -8 * scale) << dtype_name(dtype) << ' ' << i;
    }
  };
  check(float16, 10, [](const Array& a, int64_t i) { return double(float(a.data<Float16>()[i])); });
  check(bfloat16, 7,
        [](const Array& a, int64_t i) { return double(float(a.data<BFloat16>()[i])); });
  check(float32, 23, [](const Array& a, int64_t i) { return double(a.data<float>()[i]); });
  check(float64, 52, [](const Array& a, int64_t i) { return a.data<double>()[i]; });
  EXPECT_EQ(digest(filled({99}, uint32, Fill::affine_weights, 4)),
            digest(filled({99}, uint32, Fill::uniform, 4)));
}

TEST(Fill, EmptyAndScalarArrays) {
  EXPECT_EQ(filled({0, 3}, float32, Fill::arange, 0).size(), 0);
  EXPECT_EQ(filled({}, int32, Fill::ones, 0).item<int32_t>(), 1);
}

}  // namespace
}  // namespace sprue
