// Reports that nobody should write: the page must be whole all the same.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "measure/report/report_html.h"
#include "measure/report_page.h"

namespace sprue {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ReportHtml, NamesAreTextEverywhere) {
  const std::string evil = "<img src=x onerror=\"a\">&'\xff\n";
  BenchReport report = small_report();
  report.kernel = report.device = report.command = report.started = evil;
  report.stack = {{evil, {evil, {{evil, evil}}}}, {"bytes", "\xc3"}};
  report.noise = Noise{.flags = {evil}};
  report.roofline = Roofline{.levels = {{evil, 1, 1e10}}, .operations = 1e12};
  report.flags = {evil};
  report.conclusions = {{.arm = evil, .reference = evil}, {.sentence = evil}};
  report.claims = {{.arm = evil, .reference = evil, .call = evil}};
  report.runs = {{.call = evil, .arm = evil}};
  report.run_pairs = {{.call = evil, .arm = evil, .reference = evil}};
  BenchRow& row = report.rows[0];
  row.call = evil;
  row.sizes[0].first = evil;
  row.input_digests = {{evil, evil}};
  row.left_out = row.flags = {evil};
  row.bound = {.by = evil, .memory = evil};
  row.parity = {{.arm = evil, .reference = evil, .mismatch = evil},
                {.arm = evil, .deviation = 1, .mismatch = evil}};
  row.times[0].name = evil;
  row.pairs = compare_all(row.times);
  ArmIdentity& arm = row.arms[0];
  for (std::string* text : {&arm.name, &arm.route, &arm.optimization, &arm.source, &arm.target,
                            &arm.compiler, &arm.options, &arm.digest, &arm.form}) {
    *text = evil;
  }
  report.rows.push_back(row);
  report.rows[1].sizes[0].second = 65;
  const std::string html = report_html(report);
  EXPECT_FALSE(holds(html, "<img"));
  EXPECT_FALSE(holds(html, "\xff"));
  EXPECT_EQ(find_fault(html), "");
}

TEST(ReportHtml, WhatWasNotMeasuredIsADashAndNeverNan) {
  BenchReport report = small_report();
  BenchRow& row = report.rows[0];
  row.times[0] = {.name = "native", .seconds = {}, .summary = {kNan, kNan, 2e-3, kNan, kNan}};
  row.times.push_back({.name = "cast"});
  row.times[1] = {.name = "jit", .seconds = {}, .summary = {kNan, kNan, 1e-3, kNan, kNan}};
  row.pairs = compare_all(row.times);
  for (PairResult& pair : row.pairs) pair.sentence.clear();
  report.noise = Noise{.load_before = kNan, .control_spread = kInfinity};
  report.roofline =
      Roofline{.levels = {{"memory", 0, kNan}}, .operations = kNan, .launch_seconds = kNan};
  report.runs = {{"default", "jit", {kNan, 1e-3}, kNan}};
  report.claims = {{"jit", "native", "", kNan}};
  const std::string html = report_html(report);
  for (const char* part : {"nan", "NaN", "inf<", "inf ", "=\"inf"})
    EXPECT_FALSE(holds(html, part)) << part;
  EXPECT_TRUE(holds(html, "1.000 ms, median only"));
  EXPECT_TRUE(holds(html, "no interval"));
}

TEST(ReportHtml, PositionsThatDoNotFitAreNoCrash) {
  BenchReport report = small_report();
  report.rows[0].pairs[0].arm = 7;
  report.rows[0].arms.pop_back();
  EXPECT_TRUE(holds(report_html(report), "arm 8"));
  report.rows[0].times.clear();
  EXPECT_EQ(find_fault(report_html(report)), "");
  EXPECT_TRUE(holds(report_html({}), "Nothing was measured."));
}

// Anything that fits the structure gives a page that is whole.
TEST(ReportHtml, AnyReportGivesAWellFormedPage) {
  std::mt19937_64 random(6);
  const auto below = [&](size_t bound) { return static_cast<size_t>(random() % bound); };
  const auto number = [&] {
    const double values[] = {0,    -1,     kNan, kInfinity, -kInfinity, 5e-324, 1e-12,
                             1e-6, 1.5e-6, 3e-3, 1,         1e300,      1.7e308};
    return values[below(std::size(values))];
  };
  const auto text = [&] {
    const std::string values[] = {
        "",         "jit",    "native",    "<b>",       "\"'&", "größe", std::string(300, 'w'),
        "\xf0\x9f", "launch", "bandwidth", "arithmetic"};
    return values[below(std::size(values))];
  };
  const auto summary = [&] { return Summary{number(), number(), number(), number(), number()}; };
  for (int round = 0; round < 300; ++round) {
    BenchReport report{.kernel = text(), .command = text(), .started = text()};
    if (below(2))
      report.roofline = Roofline{.levels = {{text(), 1, number()}, {text(), 0, number()}},
                                 .operations = number()};
    if (below(2)) report.noise = Noise{.load_before = number(), .flags = {text()}};
    const size_t rows = below(9);
    for (size_t i = 0; i < rows; ++i) {
      BenchRow row{.call = text(), .bytes = number(), .ops = number()};
      for (size_t s = below(3); s > 0; --s)
        row.sizes.emplace_back(text(), static_cast<int64_t>(random()));
      for (size_t arms = below(5); arms > 0; --arms) {
        ArmTimes one{.name = text(), .seconds = {}, .summary = summary()};
        for (size_t trials = below(12); trials > 0; --trials) one.seconds.push_back(number());
        row.times.push_back(one);
        row.arms.push_back({.name = text(), .digest = text()});
      }
      for (size_t pairs = below(6); pairs > 0; --pairs) {
        row.pairs.push_back({.arm = below(6),
                             .reference = below(6),
                             .ratios = {number()},
                             .summary = summary(),
                             .interval = {number(), number()},
                             .ratio_of_medians = number(),
                             .verdict = static_cast<Verdict>(below(4)),
                             .sentence = text()});
      }
      row.bound = {text(), number(), number(), text()};
      row.parity = {{text(), text(), below(2) == 0, number(), number(), text()}};
      report.rows.push_back(row);
      report.claims.push_back({text(), text(), text(), number()});
    }
    ASSERT_EQ(find_fault(report_html(report)), "") << round;
  }
}

}  // namespace
}  // namespace sprue
