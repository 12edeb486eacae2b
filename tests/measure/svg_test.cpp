// What the pictures are made of: axes, labels, text. How they look is tested in a browser (tests/report).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "measure/plot/svg_axis.h"
#include "measure/plot/svg_canvas.h"
#include "measure/plot/svg_distribution.h"
#include "measure/plot/svg_labels.h"
#include "measure/plot/svg_ratio_intervals.h"
#include "measure/plot/svg_roofline.h"
#include "measure/plot/svg_sweep.h"
#include "measure/plot/svg_text.h"

namespace sprue {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// 1, 2 or 5 times a power of ten, to the accuracy of a double.
bool is_round(double value) {
  const double mantissa = value / std::pow(10, std::floor(std::log10(value) + 1e-9));
  return std::abs(mantissa - 1) < 1e-9 || std::abs(mantissa - 2) < 1e-9 ||
         std::abs(mantissa - 5) < 1e-9;
}

TEST(SvgAxis, LinearTicksAreRoundFewAndReachBothEnds) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  for (int i = 0; i < 5000; ++i) {
    const double low = std::copysign(std::pow(10, exponent(random)), sign(random));
    const double high = low + std::abs(low) * std::pow(10, exponent(random) / 4);
    for (int most : {3, 5, 7}) {
      const Axis axis = linear_axis(low, high, most);
      ASSERT_TRUE(is_round(axis.step)) << axis.step;
      ASSERT_LE(axis.low, low + axis.step * 1e-6);
      ASSERT_GE(axis.high, high - axis.step * 1e-6);
      ASSERT_GE(axis.ticks.size(), 2u);
      ASSERT_LE(axis.ticks.size(), static_cast<size_t>(most));
      ASSERT_DOUBLE_EQ(axis.ticks.front(), axis.low);
      ASSERT_DOUBLE_EQ(axis.ticks.back(), axis.high);
      for (double tick : axis.ticks) {
        ASSERT_NEAR(tick / axis.step, std::round(tick / axis.step), 1e-6);
      }
    }
  }
}

TEST(SvgAxis, LogarithmicTicksAreRoundAndTheAxisHoldsTheValues) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-12, 12);
  for (int i = 0; i < 5000; ++i) {
    double low = std::pow(10, exponent(random)), high = std::pow(10, exponent(random));
    if (low > high) std::swap(low, high);
    const Axis axis = logarithmic_axis(low, high, 7);
    ASSERT_LE(axis.low, low * (1 + 1e-9));
    ASSERT_GE(axis.high, high * (1 - 1e-9));
    ASSERT_GE(axis.ticks.size(), 2u) << low << " " << high;
    ASSERT_LE(axis.ticks.size(), 7u);
    for (double tick : axis.ticks) ASSERT_TRUE(is_round(tick)) << tick;
    ASSERT_TRUE(std::is_sorted(axis.ticks.begin(), axis.ticks.end()));
  }
}

TEST(SvgAxis, AnyLimitsGiveAUsableAxis) {
  const double values[] = {0,      -0.0,   1,     -1,      kNan,     kInfinity, -kInfinity,
                           5e-324, 1e-300, 1e300, 1.7e308, -1.7e308, 1e17,      1e17 + 64};
  for (double low : values) {
    for (double high : values) {
      for (const Axis& axis : {linear_axis(low, high, 7), logarithmic_axis(low, high, 7),
                               fitting_axis(low, high, 7)}) {
        EXPECT_LT(axis.low, axis.high) << low << " " << high;
        EXPECT_TRUE(std::isfinite(axis.low) && std::isfinite(axis.high));
        EXPECT_FALSE(axis.ticks.empty());
        EXPECT_LE(axis.ticks.size(), 7u);
        EXPECT_FALSE(std::isnan(axis.fraction(low)) && !std::isnan(low) && std::isfinite(low));
        for (const std::string& label : time_labels(axis)) EXPECT_LT(label.size(), 40u) << label;
        for (const std::string& label : number_labels(axis)) EXPECT_LT(label.size(), 40u) << label;
      }
    }
  }
}

TEST(SvgAxis, LabelsHaveTheDecimalsThatTheStepNeeds) {
  EXPECT_EQ(time_labels(linear_axis(11.9e-6, 12.5e-6, 5)),
            (std::vector<std::string>{"11.8 µs", "12.0 µs", "12.2 µs", "12.4 µs", "12.6 µs"}));
  EXPECT_EQ(number_labels(linear_axis(0.94, 1.03, 7), 2),
            (std::vector<std::string>{"0.94", "0.96", "0.98", "1.00", "1.02", "1.04"}));
  EXPECT_EQ(time_labels(logarithmic_axis(2e-7, 3e-3, 7)),
            (std::vector<std::string>{"1 µs", "10 µs", "100 µs", "1 ms"}));
}

TEST(SvgAxis, BeginsAtZeroOnlyWhereTheValuesComeNearIt) {
  EXPECT_EQ(fitting_axis(2, 10, 7).low, 0);
  EXPECT_GT(fitting_axis(9, 10, 7).low, 8);
  EXPECT_TRUE(fitting_axis(1, 10, 7).is_logarithmic);
  EXPECT_FALSE(fitting_axis(0, 10, 7).is_logarithmic);
}

TEST(SvgLabels, ColumnLabelsKeepTheirDistanceAndOrder) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(0, 300);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> wanted(static_cast<size_t>(round % 20));
    for (double& y : wanted) y = place(random);
    const std::vector<double> centres = spread_labels(wanted, 15, 0, 300);
    ASSERT_EQ(centres.size(), wanted.size());
    for (size_t a = 0; a < wanted.size(); ++a) {
      ASSERT_GE(centres[a], 7.5 - 1e-9);
      ASSERT_LE(centres[a], 292.5 + 1e-9);
      for (size_t b = 0; b < a; ++b) {
        ASSERT_GE(std::abs(centres[a] - centres[b]), 15 - 1e-9);
        ASSERT_EQ(wanted[a] < wanted[b], centres[a] < centres[b]);
      }
    }
  }
  EXPECT_EQ(spread_labels({200, 50}, 15, 0, 300), (std::vector<double>{200, 50}));
  EXPECT_EQ(spread_labels({80, 80}, 10, 0, 300), (std::vector<double>{75, 85}));
}

TEST(SvgLabels, PlacedLabelsAreApartAndInside) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, 300);
  LabelSpace space({0, 0, 300, 300});
  std::vector<Box> placed;
  for (int i = 0; i < 60; ++i) {
    const auto box = space.place(place(random), place(random), 60, 15);
    if (!box) continue;
    EXPECT_TRUE(box->left >= 0 && box->right <= 300 && box->top >= 0 && box->bottom <= 300);
    for (const Box& other : placed) EXPECT_FALSE(box->overlaps(other));
    placed.push_back(*box);
  }
  EXPECT_GT(placed.size(), 20u);
  EXPECT_LT(placed.size(), 60u);  // it gives up rather than covering one
}

TEST(SvgText, MarkupIsEscapedAndBrokenBytesReplaced) {
  EXPECT_EQ(escape_markup("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escape_markup("größe 行列 😀"), "größe 行列 😀");
  EXPECT_EQ(escape_markup("\xff"
                          "a\xc3"),
            "\uFFFDa\uFFFD");
  EXPECT_EQ(escape_markup("\xc0\xbc"), "\uFFFD\uFFFD");            // an overlong '<'
  EXPECT_EQ(escape_markup("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a pair
  EXPECT_EQ(escape_markup(std::string_view("\0\x1b", 2)), "\uFFFD\uFFFD");
  EXPECT_EQ(escape_markup("\u202Eabc"), "\uFFFDabc");
  EXPECT_EQ(escape_markup("a\nb\tc"), "a\nb\tc");
}

TEST(SvgText, ShortenedTextFitsAndKeepsBothEnds) {
  const std::string text = "first-part-of-a-name-with-größe-and-last";
  for (double width = 20; width < 300; width += 7) {
    const std::string shorter = shorten_text(text, width, 12);
    EXPECT_LE(text_width(shorter, 12), width);
    EXPECT_EQ(escape_markup(shorter).find("\uFFFD"), std::string::npos) << "cut inside a character";
    if (shorter != text && width > 40) {
      EXPECT_TRUE(shorter.starts_with("fi")) << shorter;
      EXPECT_TRUE(shorter.ends_with("st")) << shorter;
    }
  }
  EXPECT_EQ(shorten_text("short", 100, 12), "short");
}

TEST(SvgCanvas, TextStaysInsideThePicture) {
  for (double x : {-50.0, 0.0, 5.0, 50.0, 95.0, 100.0, 400.0}) {
    for (Anchor anchor : {Anchor::start, Anchor::middle, Anchor::end}) {
      for (const std::string& text : {std::string("label"), std::string(50, 'w')}) {
        SvgCanvas canvas(100, 20);
        canvas.text(x, 10, text, {.anchor = anchor});
        const std::string svg = canvas.finish("", "");
        const size_t begin = svg.find("<text");
        const double at = std::stod(svg.substr(svg.find(" x=\"", begin) + 4));
        const size_t content = svg.find('>', begin) + 1;
        const double width =
            text_width(svg.substr(content, svg.find("</text>") - content), kTextSize);
        const double left = at - (anchor == Anchor::start    ? 0
                                  : anchor == Anchor::middle ? width / 2
                                                             : width);
        EXPECT_GE(left, 0.9) << x;
        EXPECT_LE(left + width, 99.1) << x;
      }
    }
  }
}

DistributionStrip strip(std::vector<double> seconds) {
  const Summary summary = summarize(seconds);
  return {.name = "jit", .series = 1, .seconds = std::move(seconds), .summary = summary};
}

TEST(SvgDistribution, EveryTrialIsADotOrCounted) {
  std::vector<double> seconds(31, 1e-6);
  for (size_t i = 0; i < 31; ++i) seconds[i] *= 1 + 0.001 * static_cast<double>(i % 7);
  EXPECT_EQ(count(svg_distribution("t", {strip(seconds)}), "class=\"dot\""), 31u);
  seconds[3] = 5e-6;
  seconds[4] = 6e-6;
  seconds[5] = 1e-8;
  const std::string svg = svg_distribution("t", {strip(seconds)});
  EXPECT_EQ(count(svg, "class=\"dot\""), 28u);
  EXPECT_NE(svg.find("1 trial before, from 10.00 ns, 2 trials beyond, to 6.000 µs"),
            std::string::npos);
  EXPECT_EQ(count(svg, "class=\"arrow\""), 2u);
  seconds[6] = kNan;
  DistributionStrip with_hole = strip(std::vector<double>(31, 1e-6));
  with_hole.seconds = seconds;
  EXPECT_NE(svg_distribution("t", {with_hole}).find("1 trial without a time"), std::string::npos);
}

TEST(SvgDistribution, AMedianAloneIsDrawnAndSaid) {
  const std::string svg =
      svg_distribution("t", {{.name = "jit", .summary = {kNan, kNan, 2e-3, kNan, kNan}}});
  EXPECT_EQ(count(svg, "class=\"median\""), 1u);
  EXPECT_EQ(count(svg, "class=\"dot\""), 0u);
  EXPECT_NE(svg.find("2.000 ms, median only"), std::string::npos);
  EXPECT_NE(svg.find("jit: median 2.000 ms, trials not known."), std::string::npos);
}

TEST(SvgPictures, NothingToDrawIsNoPicture) {
  const Summary unknown = {kNan, kNan, kNan, kNan, kNan};
  EXPECT_EQ(svg_distribution("t", {}), "");
  EXPECT_EQ(svg_distribution("t", {{.name = "jit", .summary = unknown}}), "");
  EXPECT_EQ(svg_ratio_intervals("t", {}), "");
  EXPECT_EQ(svg_ratio_intervals("t", {{.name = "a / b", .low = kNan, .ratio = kNan, .high = kNan}}),
            "");
  EXPECT_EQ(svg_roofline("t", {.memories = {{"memory", 1e10}}, .operations = 1e11}, {}), "");
  EXPECT_EQ(svg_roofline("t", {}, {{.arm = "jit", .intensity = kNan, .operations = 1e9}}), "");
  EXPECT_EQ(svg_sweep({}, {}), "");
  EXPECT_EQ(svg_sweep({}, {{.name = "jit", .points = {{1, {1, 1, 1, 1, 1}}}}}), "");
  EXPECT_EQ(svg_sweep({}, {{.name = "jit", .points = {{1, {1, 1, 1, 1, 1}}, {2, unknown}}}}), "");
}

TEST(SvgPictures, SayTheirNumbersInWords) {
  EXPECT_NE(svg_ratio_intervals("Ratios", {{.name = "jit / native",
                                            .low = 0.951,
                                            .ratio = 0.969,
                                            .high = 0.985,
                                            .verdict = Verdict::faster}})
                .find("<title>Ratios</title><desc>jit / native: ratio 0.969, interval 0.951 to "
                      "0.985, faster.</desc>"),
            std::string::npos);
  EXPECT_NE(svg_sweep({.title = "Sweep", .size_name = "M"},
                      {{.name = "jit",
                        .points = {{64, {1e-6, 1e-6, 1e-6, 1e-6, 1e-6}},
                                   {128, {2e-6, 2e-6, 2e-6, 2e-6, 2e-6}}}}})
                .find("<title>Sweep</title><desc>jit: 1.000 µs at 64, 2.000 µs at 128.</desc>"),
            std::string::npos);
  EXPECT_NE(svg_roofline("Roof", {.memories = {{"L2", 1e11}}, .operations = 2e11},
                         {{.arm = "jit", .row = "default", .intensity = 0.25, .operations = 4e9}})
                .find("<title>Roof</title><desc>Roof L2: 100 GB/s. Roof arithmetic: 200 Gop/s. "
                      "jit, default: 4 Gop/s at 0.250 operations per byte.</desc>"),
            std::string::npos);
}

TEST(SvgPictures, SeriesDifferInShapeNotOnlyInColour) {
  std::vector<std::string> shapes, looks;
  for (size_t series = 0; series < 56; ++series) {
    SvgCanvas canvas(10, 10);
    canvas.marker(series, 5, 5);
    const std::string svg = canvas.finish("", "");
    looks.push_back(svg);
    const size_t begin = svg.find(" d=");
    shapes.push_back(svg.substr(begin, svg.find("/>", begin) - begin));
  }
  std::sort(shapes.begin(), shapes.begin() + 8);
  EXPECT_EQ(std::adjacent_find(shapes.begin(), shapes.begin() + 8), shapes.begin() + 8);
  std::sort(looks.begin(), looks.end());
  EXPECT_EQ(std::adjacent_find(looks.begin(), looks.end()), looks.end());
}

}  // namespace
}  // namespace sprue
