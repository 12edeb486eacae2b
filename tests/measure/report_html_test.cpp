// The page as text. How a browser shows it: tests/report.
#include "measure/report/report_html.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/report_page.h"

namespace sprue {
namespace {

TEST(ReportHtml, StandsAlone) {
  const std::string html = report_html(small_report());
  for (const char* part : {"<script", "http:", "https:", "src=", "url(", "@import", "<link",
                           "javascript:", "onload"}) {
    EXPECT_FALSE(holds(html, part)) << part;
  }
  EXPECT_TRUE(holds(html, "default-src 'none'"));
  EXPECT_TRUE(holds(html, "prefers-color-scheme:dark"));
  EXPECT_TRUE(holds(html, "@media print"));
  EXPECT_EQ(find_fault(html), "");
}

TEST(ReportHtml, ShowsWhatWasMeasured) {
  const std::string html = report_html(small_report());
  for (const char* part : {"<h1>scale</h1>", "sprue bench scale.toml", "2025-03-04 05:06 UTC",
                           "default, M = 64", "median, µs", "<b>12.00</b>", "<b>11.00</b>",
                           "11.91 to 12.09",   // quartiles: 7.5 steps of 0.001 off the middle
                           ">167<", ">42 %<",  // 2e6 bytes in 12 µs: 166.7 GB/s, of 400
                           ">41.7<",           // 5e5 operations in 12 µs
                           "cpu:x86-64-v4", "clang 19", "<code>0123456789ab</code>", "31 trials",
                           "200 operations a trial", "the measured roof of L2, takes 5.000 µs",
                           "11.00 µs of jit, is 2.20 times that", "inferred"}) {
    EXPECT_TRUE(holds(html, part)) << part;
  }
}

TEST(ReportHtml, MarksTheSameBinary) {
  BenchReport report = small_report();
  EXPECT_FALSE(holds(report_html(report), "same binary (A/A control)"));
  report.rows[0].arms[1].digest = report.rows[0].arms[0].digest;
  EXPECT_TRUE(holds(report_html(report), "same binary (A/A control)"));
  EXPECT_TRUE(holds(report_html(report), "same as native"));
  EXPECT_TRUE(holds(report_html(report), "A/A control: "));  // in the picture
}

TEST(ReportHtml, SaysWhichArmNothingBeats) {
  BenchReport report = small_report();
  BenchRow& row = report.rows[0];
  row.pairs[0].verdict = Verdict::faster;
  EXPECT_TRUE(holds(report_html(report), "<b>jit</b> (11.00 µs) is faster than every other arm."));
  row.pairs[0].verdict = Verdict::slower;
  EXPECT_TRUE(
      holds(report_html(report), "<b>native</b> (12.00 µs) is faster than every other arm."));
  row.pairs[0].verdict = Verdict::unresolved;
  EXPECT_TRUE(
      holds(report_html(report),
            "No arm is shown to be faster than another: <b>native</b> (12.00 µs) and <b>jit</b>"));
  // A difference between an arm and itself is none.
  row.pairs[0].verdict = Verdict::faster;
  row.arms[1].digest = row.arms[0].digest;
  EXPECT_TRUE(holds(report_html(report), "No arm is shown to be faster than another"));
}

TEST(ReportHtml, AnArmWithWrongOutputsWinsNothing) {
  BenchReport report = small_report();
  report.rows[0].pairs[0].verdict = Verdict::faster;
  report.rows[0].parity = {{.arm = "jit",
                            .reference = "native",
                            .deviation = 0.5,
                            .bar = 1e-3,
                            .mismatch = "7 of 9 differ"}};
  const std::string html = report_html(report);
  EXPECT_FALSE(holds(html, "<b>jit</b> (11.00 µs)"));
  EXPECT_TRUE(holds(html, "No arm is shown to be faster than <b>native</b>"));
  EXPECT_LT(html.find("Outputs differ"), html.find("Summary"));
  EXPECT_TRUE(holds(html, "7 of 9 differ"));
}

TEST(ReportHtml, DoubtsComeBeforeTheSummaryNoiseFirst) {
  BenchReport report = small_report();
  report.noise = Noise{.flags = {"somebody compiles"}};
  report.flags = {"a sweep isn't monotonic"};
  report.rows[0].flags = {"too few trials"};
  const std::string html = report_html(report);
  const size_t places[] = {html.find("The machine was noisy"), html.find("somebody compiles"),
                           html.find("a sweep isn&#39;t monotonic"), html.find("too few trials"),
                           html.find("<h2>Summary</h2>")};
  EXPECT_TRUE(std::is_sorted(std::begin(places), std::end(places)));
  EXPECT_NE(places[4], std::string::npos);
  report.noise->flags.clear();
  EXPECT_FALSE(holds(report_html(report), "The machine was noisy"));
}

TEST(ReportHtml, PicturesAppearWhereTheirDataIs) {
  const auto pictures = [](const BenchReport& report) {
    const std::string html = report_html(report);
    size_t found = 0;
    for (size_t at = 0; (at = html.find("<svg role=\"img\"", at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  BenchReport report = small_report();
  EXPECT_EQ(pictures(report), 2u);  // times and ratios
  report.roofline = Roofline{.levels = {{"memory", 0, 1e10}}, .operations = 1e12};
  EXPECT_EQ(pictures(report), 3u);
  report.rows.push_back(report.rows[0]);
  EXPECT_EQ(pictures(report), 5u);  // the sizes are the same: no sweep
  report.rows[1].sizes[0].second = 128;
  EXPECT_EQ(pictures(report), 7u);  // a sweep, in seconds and relative
  report.rows[1].call = "other";
  EXPECT_EQ(pictures(report), 5u);
  report.rows[0].bytes.reset();
  report.rows[1].ops.reset();
  EXPECT_EQ(pictures(report), 4u);
}

TEST(ReportHtml, ManyRowsAreFoldedAndReachable) {
  BenchReport report = small_report();
  report.rows.resize(50, report.rows[0]);
  const std::string html = report_html(report);
  EXPECT_TRUE(holds(html, "href=\"#row-50\""));
  EXPECT_TRUE(holds(html, "id=\"row-50\""));
  EXPECT_TRUE(holds(html, "<details class=\"row\">"));
}

}  // namespace
}  // namespace sprue
