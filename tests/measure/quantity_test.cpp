#include "measure/report/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sprue {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Quantity, SecondsTakeTheLargestUnitThatLeavesAtLeastOne) {
  EXPECT_EQ(format_seconds(12.312), "12.31 s");
  EXPECT_EQ(format_seconds(1), "1.000 s");
  EXPECT_EQ(format_seconds(0.9999), "999.9 ms");
  EXPECT_EQ(format_seconds(1.2312e-5), "12.31 µs");
  EXPECT_EQ(format_seconds(1e-6), "1.000 µs");
  EXPECT_EQ(format_seconds(999.94e-9), "999.9 ns");
  EXPECT_EQ(format_seconds(3.5e-10), "0.3500 ns");
  EXPECT_EQ(format_seconds(0), "0 ns");
  EXPECT_EQ(format_seconds(-2e-3), "-2.000 ms");
}

TEST(Quantity, WhatRoundsUpToTheNextUnitTakesIt) {
  EXPECT_EQ(format_seconds(999.97e-9), "1.000 µs");
  EXPECT_EQ(format_seconds(0.99998), "1.000 s");
  EXPECT_EQ(format_bytes(999'900), "1.00 MB");
}

TEST(Quantity, AFormattedTimeReadsBackToFourDigits) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-9, 5);
  for (int i = 0; i < 2000; ++i) {
    const double seconds = std::pow(10, exponent(random));
    const std::string text = format_seconds(seconds);
    const std::string unit = text.substr(text.find(' ') + 1);
    const double scale = unit == "s" ? 1 : unit == "ms" ? 1e-3 : unit == "µs" ? 1e-6 : 1e-9;
    EXPECT_NEAR(std::stod(text) * scale / seconds, 1, 0.00051) << text;
  }
}

TEST(Quantity, DigitsAreSignificantOnes) {
  EXPECT_EQ(format_digits(0.96871, 3), "0.969");
  EXPECT_EQ(format_digits(99.96, 3), "100");
  EXPECT_EQ(format_digits(1234567, 3), "1234567");
  EXPECT_EQ(format_digits(1.5e12, 3), "1.50e+12");
  EXPECT_EQ(format_digits(1.5e-7, 3), "1.50e-07");
  EXPECT_EQ(format_digits(0, 3), "0");
}

TEST(Quantity, SizesAndRates) {
  EXPECT_EQ(format_bytes(12'582'912), "12.6 MB");
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_capacity(48.0 * (1 << 20)), "48 MiB");
  EXPECT_EQ(format_capacity(1536), "1.50 KiB");
  EXPECT_EQ(format_bandwidth(4.12e10), "41.2 GB/s");
  EXPECT_EQ(format_operations(5.125e10), "51.2 Gop/s");
  EXPECT_EQ(format_percent(0.374), "37 %");
  EXPECT_EQ(format_percent(0.0512), "5.1 %");
  EXPECT_EQ(format_percent(0), "0.0 %");
  EXPECT_EQ(format_ratio(1.0021), "1.002");
  EXPECT_EQ(format_ratio(12.5), "12.50");
  EXPECT_EQ(format_ratio(0.00125), "0.001250");
}

TEST(Quantity, WhatIsNotFiniteIsADash) {
  for (double value : {kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(format_seconds(value), kNotMeasured);
    EXPECT_EQ(format_digits(value, 3), kNotMeasured);
    EXPECT_EQ(format_decimals(value, 3), kNotMeasured);
    EXPECT_EQ(format_ratio(value), kNotMeasured);
    EXPECT_EQ(format_bytes(value), kNotMeasured);
    EXPECT_EQ(format_capacity(value), kNotMeasured);
    EXPECT_EQ(format_operations(value), kNotMeasured);
    EXPECT_EQ(format_percent(value), kNotMeasured);
  }
}

TEST(Quantity, NoValueMakesAnEndlessText) {
  for (double value : {5e-324, 1e-300, 1e300, 1.7e308, -1.7e308}) {
    EXPECT_LT(format_seconds(value).size(), 20u);
    EXPECT_LT(format_ratio(value).size(), 20u);
    EXPECT_LT(format_percent(value).size(), 20u);
    EXPECT_LT(format_bandwidth(value).size(), 20u);
    EXPECT_LT(format_decimals(value, 3).size(), 20u);
  }
}

}  // namespace
}  // namespace sprue
