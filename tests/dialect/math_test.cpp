// Tests of the kernel mathematics: the error of every function over a stride of all float bit
// patterns, and its special values. SPRUE_SOAK=1 in the environment covers all patterns.
#include "dialect/preludes/math.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "math_reference.h"

namespace {

using sprue::testing::BitPatternSource;
using sprue::testing::error_in_ulps;
using sprue::testing::same_value;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();
constexpr float kSmallestNormal = std::numeric_limits<float>::min();
constexpr float kPi = 3.14159274f;

const std::vector<float> kSpecialValues = {0.0f,
                                           -0.0f,
                                           kTiny,
                                           -kTiny,
                                           kSmallestNormal,
                                           -kSmallestNormal,
                                           0.5f,
                                           -0.5f,
                                           1.0f,
                                           -1.0f,
                                           1.5f,
                                           -1.5f,
                                           2.0f,
                                           -2.0f,
                                           2.5f,
                                           -2.5f,
                                           3.0f,
                                           -3.0f,
                                           4194303.5f,
                                           8388607.5f,
                                           16777215.0f,
                                           16777216.0f,
                                           1e30f,
                                           -1e30f,
                                           kLargest,
                                           -kLargest,
                                           kInfinity,
                                           -kInfinity,
                                           kNan};

bool is_soak() {
  const char* value = std::getenv("SPRUE_SOAK");
  return value != nullptr && std::string(value) == "1";
}

// Prime, so that it is in step with no power of two.
std::uint64_t stride() { return is_soak() ? 1 : 1499; }

template <typename Check>
void for_each_pattern(std::uint64_t step, Check check) {
  std::uint64_t count = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += step) {
    check(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    // A broken function fails at most patterns; some of them tell enough.
    if (++count % 256 == 0 && ::testing::Test::HasFailure()) return;
  }
}

// ---- Accuracy of the functions of one argument ----

struct UnaryCase {
  const char* name;
  float (*function)(float);
  double (*reference)(double);
  double largest_error;
};

void PrintTo(const UnaryCase& unary, std::ostream* stream) { *stream << unary.name; }

// The bounds are the largest errors over all patterns, rounded up, so that any loss shows.
const UnaryCase kUnaryCases[] = {
    {"sqrt", sprue_math::sqrt, std::sqrt, 0.5},
    {"rsqrt", sprue_math::rsqrt, sprue::testing::rsqrt_reference, 0.5000001},
    {"exp", sprue_math::exp, std::exp, 1.04},
    {"exp2", sprue_math::exp2, std::exp2, 1.03},
    {"exp10", sprue_math::exp10, sprue::testing::exp10_reference, 1.28},
    {"expm1", sprue_math::expm1, std::expm1, 1.54},
    {"log", sprue_math::log, std::log, 1.21},
    {"log2", sprue_math::log2, std::log2, 1.46},
    {"log10", sprue_math::log10, std::log10, 1.26},
    {"log1p", sprue_math::log1p, std::log1p, 1.77},
    {"sin", sprue_math::sin, std::sin, 2.10},
    {"cos", sprue_math::cos, std::cos, 2.10},
    {"tan", sprue_math::tan, std::tan, 3.83},
    {"sinpi", sprue_math::sinpi, sprue::testing::sinpi_reference, 2.10},
    {"cospi", sprue_math::cospi, sprue::testing::cospi_reference, 2.10},
    {"tanpi", sprue_math::tanpi, sprue::testing::tanpi_reference, 3.72},
    {"asin", sprue_math::asin, std::asin, 2.36},
    {"acos", sprue_math::acos, std::acos, 1.12},
    {"atan", sprue_math::atan, std::atan, 1.38},
    {"sinh", sprue_math::sinh, std::sinh, 1.62},
    {"cosh", sprue_math::cosh, std::cosh, 1.47},
    {"tanh", sprue_math::tanh, std::tanh, 2.83},
    {"asinh", sprue_math::asinh, std::asinh, 2.12},
    {"acosh", sprue_math::acosh, std::acosh, 2.41},
    {"atanh", sprue_math::atanh, std::atanh, 2.46},
};

class MathUnary : public ::testing::TestWithParam<UnaryCase> {};

TEST_P(MathUnary, StaysWithinItsError) {
  const UnaryCase& unary = GetParam();
  double largest = 0.0;
  float worst = 0.0f;
  const auto check = [&](float x) {
    const double error = error_in_ulps(unary.function(x), unary.reference(double{x}));
    if (error > largest) {
      largest = error;
      worst = x;
    }
  };
  for_each_pattern(stride(), check);
  for (const float x : kSpecialValues) check(x);
  RecordProperty("largest_error_in_ulps", std::to_string(largest));
  EXPECT_LE(largest, unary.largest_error) << unary.name << "(" << worst << ") at bits 0x"
                                          << std::hex << std::bit_cast<std::uint32_t>(worst);
}

TEST_P(MathUnary, KeepsTheSignOfZero) {
  const UnaryCase& unary = GetParam();
  for (const float x : kSpecialValues) {
    const double expected = unary.reference(double{x});
    if (expected != 0.0) continue;
    EXPECT_TRUE(same_value(unary.function(x), static_cast<float>(expected)))
        << unary.name << "(" << x << ")";
  }
}

INSTANTIATE_TEST_SUITE_P(AllPatterns, MathUnary, ::testing::ValuesIn(kUnaryCases),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// ---- Correct rounding ----

TEST(MathRounding, ReciprocalSquareRootIsCorrectlyRounded) {
  std::uint64_t failures = 0;
  const auto check = [&](float x) {
    if (!sprue::testing::is_correctly_rounded_rsqrt(x, sprue_math::rsqrt(x))) ++failures;
  };
  // Two binades hold every significand with either parity of the exponent.
  for (std::uint32_t bits = 0x3f800000u; bits < 0x40800000u; ++bits) {
    check(std::bit_cast<float>(bits));
  }
  const std::uint32_t step = is_soak() ? 1 : 131;
  for (std::uint32_t bits = 1; bits < 0x00800000u; bits += step) check(std::bit_cast<float>(bits));
  const std::uint32_t wide_step = is_soak() ? 1 : 4099;
  for (std::uint32_t bits = 0x00800000u; bits < 0x7f800000u; bits += wide_step) {
    check(std::bit_cast<float>(bits));
  }
  EXPECT_EQ(failures, 0u);
}

TEST(MathRounding, FusedMultiplyAddRoundsOnce) {
  BitPatternSource source(1);
  for (int i = 0; i < 2'000'000; ++i) {
    const bool close = i % 2 == 0;
    const float a = close ? source.between_powers(-3, 3) : source.any();
    const float b = close ? source.between_powers(-3, 3) : source.any();
    const float c = close ? source.between_powers(-30, 6) : source.any();
    const float expected = sprue::testing::fma_reference(a, b, c);
    ASSERT_TRUE(same_value(sprue_math::fma(a, b, c), expected)) << a << " " << b << " " << c;
  }
}

TEST(MathRounding, DivisionIsCorrectlyRounded) {
  BitPatternSource source(2);
  for (int i = 0; i < 2'000'000; ++i) {
    const float x = source.any();
    const float y = source.any();
    // A quotient of floats is never so near a boundary that the double rounding matters.
    const float expected = static_cast<float>(double{x} / double{y});
    ASSERT_TRUE(same_value(sprue_math::divide(x, y), expected)) << x << " / " << y;
  }
}

TEST(MathRounding, RoundingFunctionsAreExact) {
  for_each_pattern(stride(), [](float x) {
    ASSERT_TRUE(same_value(sprue_math::floor(x), std::floor(x))) << x;
    ASSERT_TRUE(same_value(sprue_math::ceil(x), std::ceil(x))) << x;
    ASSERT_TRUE(same_value(sprue_math::trunc(x), std::trunc(x))) << x;
    ASSERT_TRUE(same_value(sprue_math::rint(x), std::nearbyint(x))) << x;
    ASSERT_TRUE(same_value(sprue_math::round(x), std::round(x))) << x;
  });
  for (const float x : {0.5f, 1.5f, 2.5f, 0.49999997f, 4194304.5f, 8388607.5f, 8388609.0f}) {
    EXPECT_TRUE(same_value(sprue_math::round(x), std::round(x))) << x;
    EXPECT_TRUE(same_value(sprue_math::round(-x), std::round(-x))) << x;
    EXPECT_TRUE(same_value(sprue_math::rint(x), std::nearbyint(x))) << x;
  }
}

TEST(MathRounding, FractionIsBelowOne) {
  for_each_pattern(stride(), [](float x) {
    if (!std::isfinite(x)) return;
    const float fraction = sprue_math::fract(x);
    const double exact = double{x} - std::floor(double{x});
    ASSERT_TRUE(fraction >= 0.0f && fraction < 1.0f) << x;
    ASSERT_LE(std::fabs(double{fraction} - exact), 0x1p-24) << x;
  });
  EXPECT_EQ(sprue_math::fract(-kTiny), 0x1.fffffep-1f);
  EXPECT_EQ(sprue_math::fract(-1.25f), 0.75f);
  EXPECT_TRUE(std::isnan(sprue_math::fract(kNan)));
}

// ---- Bit-level functions ----

TEST(MathBits, ClassificationMatchesTheLibrary) {
  const auto check = [](float x) {
    ASSERT_EQ(sprue_math::isnan(x), std::isnan(x)) << x;
    ASSERT_EQ(sprue_math::isinf(x), std::isinf(x)) << x;
    ASSERT_EQ(sprue_math::isfinite(x), std::isfinite(x)) << x;
    ASSERT_EQ(sprue_math::isnormal(x), std::isnormal(x)) << x;
    ASSERT_EQ(sprue_math::signbit(x), std::signbit(x)) << x;
    ASSERT_TRUE(same_value(sprue_math::abs(x), std::fabs(x))) << x;
  };
  for_each_pattern(stride(), check);
  for (const float x : kSpecialValues) check(x);
}

TEST(MathBits, SplittingMatchesTheLibrary) {
  const auto check = [](float x) {
    int expected_exponent = 0;
    int exponent = 0;
    const float expected_fraction = std::frexp(x, &expected_exponent);
    const float fraction = sprue_math::frexp(x, exponent);
    ASSERT_TRUE(same_value(fraction, expected_fraction)) << x;
    // The library leaves the exponent of an infinity or a NaN open.
    ASSERT_EQ(exponent, std::isfinite(x) ? expected_exponent : 0) << x;
    ASSERT_EQ(sprue_math::ilogb(x), std::ilogb(x)) << x;
    float expected_integral = 0.0f;
    float integral = 0.0f;
    const float expected_rest = std::modf(x, &expected_integral);
    const float rest = sprue_math::modf(x, integral);
    ASSERT_TRUE(same_value(rest, expected_rest)) << x;
    ASSERT_TRUE(same_value(integral, expected_integral)) << x;
  };
  for_each_pattern(stride(), check);
  for (const float x : kSpecialValues) check(x);
}

TEST(MathBits, ScalingRoundsOnce) {
  BitPatternSource source(3);
  for (int i = 0; i < 1'000'000; ++i) {
    const float x = source.any();
    const int exponent = i % 700 - 350;
    ASSERT_TRUE(same_value(sprue_math::ldexp(x, exponent), std::ldexp(x, exponent)))
        << x << " " << exponent;
  }
  for (const int exponent : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    EXPECT_TRUE(same_value(sprue_math::ldexp(1.5f, exponent), std::ldexp(1.5f, exponent)));
  }
}

TEST(MathBits, PairFunctionsMatchTheLibrary) {
  const auto check = [](float x, float y) {
    ASSERT_TRUE(same_value(sprue_math::nextafter(x, y), std::nextafter(x, y))) << x << " " << y;
    ASSERT_TRUE(same_value(sprue_math::copysign(x, y), std::copysign(x, y))) << x << " " << y;
    ASSERT_TRUE(same_value(sprue_math::fdim(x, y), std::fdim(x, y))) << x << " " << y;
    ASSERT_TRUE(same_value(sprue_math::fmod(x, y), std::fmod(x, y))) << x << " " << y;
    // Compared by value, because which zero wins is open.
    const float smaller = sprue_math::fmin(x, y);
    const float larger = sprue_math::fmax(x, y);
    if (std::isnan(x) || std::isnan(y)) {
      ASSERT_TRUE(same_value(smaller, std::isnan(x) ? y : x)) << x << " " << y;
      ASSERT_TRUE(same_value(larger, std::isnan(x) ? y : x)) << x << " " << y;
    } else {
      ASSERT_EQ(smaller, std::fmin(x, y));
      ASSERT_EQ(larger, std::fmax(x, y));
    }
  };
  for (const float x : kSpecialValues) {
    for (const float y : kSpecialValues) check(x, y);
  }
  BitPatternSource source(4);
  for (int i = 0; i < 1'000'000 && !::testing::Test::HasFatalFailure(); ++i) {
    check(source.any(), source.any());
    check(source.between_powers(-4, 30), source.between_powers(-4, 4));
  }
}

TEST(MathBits, SignKeepsZerosAndDropsNan) {
  EXPECT_EQ(sprue_math::sign(kTiny), 1.0f);
  EXPECT_EQ(sprue_math::sign(-kInfinity), -1.0f);
  EXPECT_TRUE(same_value(sprue_math::sign(0.0f), 0.0f));
  EXPECT_TRUE(same_value(sprue_math::sign(-0.0f), -0.0f));
  EXPECT_TRUE(same_value(sprue_math::sign(kNan), 0.0f));
}

// ---- Functions of two arguments ----

TEST(MathPower, StaysWithinItsError) {
  BitPatternSource source(5);
  double largest = 0.0;
  float worst_x = 0.0f;
  float worst_y = 0.0f;
  const auto check = [&](float x, float y) {
    const double error = error_in_ulps(sprue_math::pow(x, y), std::pow(double{x}, double{y}));
    if (error > largest) {
      largest = error;
      worst_x = x;
      worst_y = y;
    }
  };
  const int count = is_soak() ? 200'000'000 : 2'000'000;
  for (int i = 0; i < count; ++i) {
    check(source.any(), source.any());
    // An exponent that brings the result anywhere between vanishing and overflow.
    const float x = std::fabs(source.between_powers(-149 + 23, 127));
    const auto span = static_cast<float>(150.0 / std::log2(double{x}));
    check(x, span * source.between_powers(-6, 0));
    const float near_one = 1.0f + source.between_powers(-23, -1);
    check(near_one,
          static_cast<float>(150.0 / std::log2(double{near_one})) * source.between_powers(-3, 0));
  }
  for (int i = -40; i <= 40; ++i) {
    for (int j = -40; j <= 40; ++j) {
      check(static_cast<float>(i), static_cast<float>(j));
      check(static_cast<float>(i) * 0.25f, static_cast<float>(j) * 0.25f);
    }
  }
  RecordProperty("largest_error_in_ulps", std::to_string(largest));
  EXPECT_LE(largest, 7.0) << "pow(" << worst_x << ", " << worst_y << ")";
}

TEST(MathPower, SpecialValuesMatchC) {
  for (const float x : kSpecialValues) {
    for (const float y : kSpecialValues) {
      const float expected = std::pow(x, y);
      const float actual = sprue_math::pow(x, y);
      if (expected == 0.0f || std::isinf(expected) || std::isnan(expected)) {
        EXPECT_TRUE(same_value(actual, expected)) << x << " " << y << " " << actual;
      } else {
        EXPECT_LE(error_in_ulps(actual, double{expected}), 16.0) << x << " " << y;
      }
      EXPECT_EQ(std::signbit(actual) && !std::isnan(actual),
                std::signbit(expected) && !std::isnan(expected))
          << x << " " << y;
    }
  }
}

TEST(MathPower, PowrIsDefinedByExponentials) {
  for (const float x : {0.25f, 0.9f, 1.0f, 3.0f, 1e20f, kTiny}) {
    for (const float y : {-3.5f, -1.0f, -0.0f, 0.0f, 0.5f, 7.0f}) {
      EXPECT_TRUE(same_value(sprue_math::powr(x, y), sprue_math::pow(x, y))) << x << " " << y;
    }
  }
  EXPECT_EQ(sprue_math::powr(0.0f, 2.0f), 0.0f);
  EXPECT_EQ(sprue_math::powr(0.0f, -2.0f), kInfinity);
  EXPECT_EQ(sprue_math::powr(kInfinity, 2.0f), kInfinity);
  EXPECT_EQ(sprue_math::powr(0.5f, kInfinity), 0.0f);
  EXPECT_TRUE(std::isnan(sprue_math::powr(-1.0f, 2.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(-kInfinity, 2.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(0.0f, 0.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(kInfinity, 0.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(1.0f, kInfinity)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(kNan, 0.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::powr(1.0f, kNan)));
}

TEST(MathAngle, ArcTangentOfTwoStaysWithinItsError) {
  BitPatternSource source(6);
  double largest = 0.0;
  const auto check = [&](float y, float x) {
    const double expected = std::atan2(double{y}, double{x});
    const float actual = sprue_math::atan2(y, x);
    largest = std::fmax(largest, error_in_ulps(actual, expected));
    ASSERT_TRUE(std::isnan(expected) || std::signbit(actual) == std::signbit(expected));
  };
  const int count = is_soak() ? 200'000'000 : 1'000'000;
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    check(source.any(), source.any());
    check(source.between_powers(-4, 4), source.between_powers(-4, 4));
  }
  for (const float y : kSpecialValues) {
    for (const float x : kSpecialValues) check(y, x);
  }
  RecordProperty("largest_error_in_ulps", std::to_string(largest));
  EXPECT_LE(largest, 1.7);
}

TEST(MathAngle, SineAndCosineTogetherEqualEachAlone) {
  for_each_pattern(stride(), [](float x) {
    float cosine = 0.0f;
    const float sine = sprue_math::sincos(x, cosine);
    ASSERT_TRUE(same_value(sine, sprue_math::sin(x))) << x;
    ASSERT_TRUE(same_value(cosine, sprue_math::cos(x))) << x;
  });
}

TEST(MathAngle, HugeAndNearZeroArguments) {
  // The floats that come closest to multiples of pi/2, and the largest float.
  for (const float x : {0x1.f37a56p+95f, 0x1.5f9d54p+15f, 16367173.0f * 0x1p72f, kPi, kPi / 2.0f,
                        11.0f * kPi, kLargest, 0x1.fffffep+27f, 0x1p28f}) {
    EXPECT_LE(error_in_ulps(sprue_math::sin(x), std::sin(double{x})), 2.0) << x;
    EXPECT_LE(error_in_ulps(sprue_math::cos(x), std::cos(double{x})), 2.0) << x;
    EXPECT_LE(error_in_ulps(sprue_math::tan(x), std::tan(double{x})), 4.0) << x;
  }
}

// ---- Special values ----

TEST(MathSpecial, ExactResults) {
  EXPECT_EQ(sprue_math::exp(0.0f), 1.0f);
  EXPECT_TRUE(same_value(sprue_math::exp(-kInfinity), 0.0f));
  EXPECT_EQ(sprue_math::exp(kInfinity), kInfinity);
  EXPECT_EQ(sprue_math::expm1(-kInfinity), -1.0f);
  EXPECT_EQ(sprue_math::log(0.0f), -kInfinity);
  EXPECT_EQ(sprue_math::log(-0.0f), -kInfinity);
  EXPECT_TRUE(std::isnan(sprue_math::log(-1.0f)));
  EXPECT_TRUE(std::isnan(sprue_math::log(-kTiny)));
  EXPECT_EQ(sprue_math::log1p(-1.0f), -kInfinity);
  EXPECT_EQ(sprue_math::rsqrt(-0.0f), -kInfinity);
  EXPECT_EQ(sprue_math::cos(0.0f), 1.0f);
  EXPECT_EQ(sprue_math::tanh(kInfinity), 1.0f);
  EXPECT_EQ(sprue_math::tanpi(0.25f), 1.0f);
  EXPECT_EQ(sprue_math::tanpi(0.5f), kInfinity);
  EXPECT_EQ(sprue_math::cospi(1.0f), -1.0f);
  EXPECT_TRUE(same_value(sprue_math::sinpi(-3.0f), -0.0f));
  EXPECT_TRUE(same_value(sprue_math::cospi(1.5f), 0.0f));
  EXPECT_TRUE(std::isnan(sprue_math::sin(kInfinity)));
  EXPECT_TRUE(std::isnan(sprue_math::cos(-kInfinity)));
  for (int exponent = -149; exponent < 128; ++exponent) {
    const float power = std::ldexp(1.0f, exponent);
    ASSERT_EQ(sprue_math::exp2(static_cast<float>(exponent)), power);
    ASSERT_EQ(sprue_math::log2(power), static_cast<float>(exponent));
  }
}

// An odd function of a tiny argument is that argument, denormals included.
TEST(MathSpecial, TinyArgumentsComeBack) {
  for (const float x : {kTiny, -kTiny, 13.0f * kTiny, kSmallestNormal, -kSmallestNormal, -0.0f}) {
    EXPECT_TRUE(same_value(sprue_math::sin(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::tan(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::asin(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::atan(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::sinh(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::tanh(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::asinh(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::atanh(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::expm1(x), x)) << x;
    EXPECT_TRUE(same_value(sprue_math::log1p(x), x)) << x;
  }
}

}  // namespace
