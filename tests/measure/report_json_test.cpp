#include "measure/report/report_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measure/bar.h"
#include "measure/report/report_text.h"
#include "measure/runs.h"
#include "measure/sweep.h"

namespace sprue {
namespace {

ArmTimes times_around(const std::string& name, double seconds) {
  ArmTimes times{.name = name};
  for (int i = 0; i < 31; ++i) times.seconds.push_back(seconds * (1 + 0.0001 * (i % 5)));
  times.summary = summarize(times.seconds);
  return times;
}

// Two rows of three arms with known times: native 10 µs, jit 9 µs, cast 10 µs.
BenchReport known_report(double jit = 9e-6) {
  BenchReport report;
  report.kernel = "scale \"rows\"";
  report.device = "cpu";
  report.command = "sprue bench scale.toml";
  report.started = "2026-01-02T03:04:05Z";
  report.stack = {{"sprue", "1.2.3"}};
  report.roofline = Roofline{{{"L2", 1 << 20, 50e9}, {"memory", 0, 10e9}}, 200e9, 1e-6};
  report.noise = Noise{};
  report.noise->load_before = 0.25;
  for (int64_t k : {64, 128}) {
    BenchRow row;
    row.call = "K=" + std::to_string(k);
    row.sizes = {{"K", k}};
    row.bytes = 1000.0 * static_cast<double>(k);
    row.operations = 20;
    row.input_copies = 3;
    row.working_set_bytes = 1 << 22;
    row.trials = 31;
    row.input_digests = {{"x", "abc"}};
    const double scale = static_cast<double>(k) / 64;
    row.times = {times_around("native", 10e-6 * scale), times_around("jit", jit * scale),
                 times_around("cast", 10e-6 * scale)};
    row.arms = {{.name = "native", .route = "native", .optimization = "default"},
                {.name = "jit",
                 .route = "jit",
                 .optimization = "default",
                 .digest = "d1",
                 .form = "loop",
                 .code_bytes = 99},
                {.name = "cast", .route = "cast", .optimization = "default", .digest = "d2"}};
    row.parity = {{.arm = "jit", .reference = "native", .deviation = 1e-6, .bar = 1e-4}};
    row.left_out = {"c++: no clang++"};
    row.bound = {"bandwidth", 1e-6, 10e9, "memory"};
    row.pairs = compare_all(row.times);
    report.rows.push_back(row);
  }
  review(report);
  return report;
}

TEST(ReportJson, ComesBackAsItWent) {
  const BenchReport report = known_report();
  const auto json = report_json(report);
  const auto again = parse_report(json.dump(), "test");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(report_json(*again), json);
  EXPECT_EQ(report_text(*again), report_text(report));
}

TEST(ReportJson, JudgementsAreMadeAnew) {
  auto json = report_json(known_report());
  json["calls"][0]["pairs"][0]["verdict"] = "slower";
  json["calls"][0]["pairs"][0]["sentence"] = "a lie";
  json["conclusions"] = nlohmann::ordered_json::array();
  const auto again = parse_report(json.dump(), "test");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->rows[0].pairs[0].verdict, Verdict::faster);
  EXPECT_FALSE(again->conclusions.empty());
}

TEST(ReportJson, MediansAreEnough) {
  const auto report = parse_report(R"({"calls": [
      {"arms": [{"name": "a", "seconds": {"median": 2}}, {"name": "b", "seconds": {"median": 1}}]}]})",
                                   "typed in");
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows[0].pairs.size(), 1u);
  EXPECT_EQ(report->rows[0].pairs[0].verdict, Verdict::unresolved);
  EXPECT_DOUBLE_EQ(report->rows[0].pairs[0].ratio_of_medians, 0.5);
  EXPECT_NE(report_text(*report).find("not shown"), std::string::npos);
}

TEST(ReportJson, NotANumberIsLeftOut) {
  BenchReport report = known_report();
  report.rows[0].times[0] = ArmTimes{.name = "native"};  // NaN throughout
  const std::string text = report_json(report).dump();
  EXPECT_EQ(text.find("null"), std::string::npos) << text;
}

TEST(ReportJson, WhateverElseIsAnErrorWithItsPlace) {
  const char* arm = R"({"name": "a", "seconds": {"median": 1}})";
  const auto with_arms = [](const std::string& arms) {
    return R"({"calls": [{"arms": [)" + arms + "]}]}";
  };
  const std::pair<std::string, const char*> cases[] = {
      {"", "JSON"},
      {"[1, 2", "JSON"},
      {"[]", "an object"},
      {"{}", "'calls'"},
      {R"({"calls": {}})", "'calls'"},
      {R"({"calls": [3]})", "call 1"},
      {with_arms("3"), "arm 1 of call 1"},
      {with_arms("{}"), "'name'"},
      {with_arms(R"({"name": 3})"), "'name'"},
      {with_arms(R"({"name": "a"})"), "'trials' or 'seconds'"},
      {with_arms(R"({"name": "a", "seconds": {"median": 0}})"), "positive 'median'"},
      {with_arms(R"({"name": "a", "seconds": {"median": "fast"}})"), "'median'"},
      {with_arms(R"({"name": "a", "trials": [1, -1]})"), "positive seconds"},
      {with_arms(R"({"name": "a", "trials": [1, "x"]})"), "positive seconds"},
      {with_arms(R"({"name": "a", "trials": [1, 2]}, {"name": "b", "trials": [1]})"),
       "trials in arm 2"},
      {with_arms(std::string(arm) + R"(, {"name": "b", "trials": [1]})"), "trials in arm 2"},
      {R"({"calls": [{"sizes": {"K": 1.5}, "arms": []}]})", "'K'"},
      {R"({"calls": [{"sizes": 3, "arms": []}]})", "'sizes'"},
      {R"({"calls": [{"operations": -1, "arms": []}]})", "'operations'"},
      {R"({"calls": [{"operations": 1e30, "arms": []}]})", "'operations'"},
      {R"({"calls": [{"arms": [], "left_out": [1]}]})", "'left_out'"},
      {R"({"calls": [{"arms": []}], "claims": [1]})", "'claims'"},
      {R"({"calls": [{"arms": []}], "noise": 1})", "'noise'"},
      {R"({"calls": [{"arms": []}], "roofline": {"levels": [1]}})", "'levels'"},
      {R"({"calls": [{"arms": []}], "run_pairs": [{"intervals": [1]}]})", "'intervals'"},
      {R"({"calls": [{"arms": [], "parity": [{"identical": 3}]}]})", "got"},
  };
  for (const auto& [text, place] : cases) {
    const auto report = parse_report(text, "some.json");
    ASSERT_FALSE(report) << text;
    EXPECT_EQ(report.error().code(), ErrorCode::invalid_argument);
    EXPECT_NE(report.error().message().find(place), std::string::npos) << report.error().message();
    EXPECT_NE(report.error().message().find("some.json"), std::string::npos)
        << report.error().message();
  }
}

TEST(ReportText, SaysWhatAReaderMustKnow) {
  BenchReport report = known_report();
  report.noise->flags = {"a hypervisor took 9 % of the time"};
  const std::string text = report_text(report);
  for (const char* part :
       {"NOISY MACHINE", "a hypervisor took 9 %", "jit is 10.0 % faster than native",
        "cast and native take the same time", "left out: c++: no clang++",
        "bound by (inferred): bandwidth", "31 trials of 20 operations", "beyond L2",
        "jit against native: largest deviation 1e-06", "over all rows", "K=128"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // 64,000 bytes in 9 µs are 7.11 GB/s, 71 % of the memory's 10 GB/s.
  EXPECT_NE(text.find("7.11 GB/s"), std::string::npos) << text;
  EXPECT_NE(text.find("71 %"), std::string::npos) << text;
}

TEST(Bar, IsMetMissedOrNotResolved) {
  const auto sentence = [](const BarResult& bar, const char* arm) {
    for (const std::string& one : bar.sentences)
      if (one.find(arm) != one.npos) return one;
    return std::string();
  };
  EXPECT_TRUE(check_bar(known_report(), 0.05).met);
  const BarResult missed = check_bar(known_report(11e-6), 0.05);
  EXPECT_FALSE(missed.met);
  EXPECT_NE(sentence(missed, "jit").find("MISSED"), std::string::npos);
  EXPECT_NE(sentence(missed, "cast").find("met"), std::string::npos);
  EXPECT_TRUE(check_bar(known_report(11e-6), 0.11).met);

  // Trials that scatter from 0.9 to 1.2 don't show that 5 % is kept.
  BenchReport noisy = known_report();
  for (size_t i = 0; i < 31; ++i)
    noisy.rows[0].times[1].seconds[i] = 10e-6 * (0.9 + 0.01 * static_cast<double>(i));
  noisy.rows[0].pairs = compare_all(noisy.rows[0].times);
  const BarResult unresolved = check_bar(noisy, 0.05);
  EXPECT_FALSE(unresolved.met);
  EXPECT_NE(sentence(unresolved, "jit").find("NOT RESOLVED"), std::string::npos);

  // Nor do medians alone.
  const auto typed = parse_report(
      R"({"calls": [{"arms": [{"name": "a", "seconds": {"median": 2}}, {"name": "b", "seconds": {"median": 1}}]}]})",
      "t");
  ASSERT_TRUE(typed);
  EXPECT_FALSE(check_bar(*typed, 0.05).met);
}

TEST(Runs, AVerdictStandsIfAllRunsComeToIt) {
  const auto agreed = combine_runs({known_report(9e-6), known_report(9.1e-6)});
  ASSERT_TRUE(agreed) << agreed.error().message();
  EXPECT_EQ(agreed->rows[0].pairs[0].verdict, Verdict::faster);
  EXPECT_NE(agreed->rows[0].pairs[0].sentence.find("every run agrees"), std::string::npos);
  ASSERT_EQ(agreed->runs.size(), 6u);
  EXPECT_EQ(agreed->runs[1].arm, "jit");
  EXPECT_NEAR(agreed->runs[1].spread, 0.1 / 9, 1e-6);

  const auto disagreed = combine_runs({known_report(9e-6), known_report(10e-6)});
  ASSERT_TRUE(disagreed);
  EXPECT_EQ(disagreed->rows[0].pairs[0].verdict, Verdict::unresolved);
  EXPECT_NE(disagreed->rows[0].pairs[0].sentence.find("the runs disagree"), std::string::npos);
  for (const PairConclusion& one : disagreed->conclusions)
    if (one.arm == "jit" && one.reference == "native") {
      EXPECT_EQ(one.faster, 0);
    }
}

TEST(Runs, SurviveTheFile) {
  const auto combined = combine_runs({known_report(9e-6), known_report(10e-6)});
  ASSERT_TRUE(combined);
  const auto again = parse_report(report_json(*combined).dump(), "runs");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->rows[0].pairs[0].verdict, Verdict::unresolved);
  EXPECT_EQ(report_text(*again), report_text(*combined));
}

TEST(Runs, EachMustMeetTheBar) {
  const auto combined = combine_runs({known_report(9e-6), known_report(10.7e-6)});
  ASSERT_TRUE(combined);
  EXPECT_FALSE(check_bar(*combined, 0.05).met);
  EXPECT_TRUE(check_bar(*combined, 0.08).met);
}

TEST(Runs, OfOtherRowsOrArmsAreRefused) {
  EXPECT_FALSE(combine_runs({}));
  BenchReport fewer = known_report();
  fewer.rows.pop_back();
  EXPECT_FALSE(combine_runs({known_report(), fewer}));
  BenchReport other = known_report();
  other.rows[0].arms[1].name = "gold";
  EXPECT_FALSE(combine_runs({known_report(), other}));
}

}  // namespace
}  // namespace sprue
