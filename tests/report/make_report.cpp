// Writes pages whose numbers the test knows, because both are made from the same rules, below and in
// report_test.py. Usage: make_report FOLDER
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "measure/report/report_html.h"

namespace sprue {
namespace {

// Trial i takes base * (1 + 0.02 * (d / 15)^3) where d = (stride i + 3) mod 31 - 15: the median of 31 is base,
// the range 2 % to both sides. Arms of different strides are disturbed at different times.
std::vector<double> steady_trials(double base, int count, int stride = 7) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    const double part = ((stride * i + 3) % 31 - 15) / 15.0;
    seconds.push_back(base * (1 + 0.02 * part * part * part));
  }
  return seconds;
}

ArmTimes arm(std::string name, std::vector<double> seconds) {
  const Summary summary = summarize(seconds);
  return {.name = std::move(name), .seconds = std::move(seconds), .summary = summary};
}

ArmIdentity identity(const std::string& name, const std::string& digest) {
  const bool is_native = name == "native";
  return {.name = name,
          .route = is_native ? "native" : name.substr(0, name.find('-')),
          .optimization = name.ends_with("-fast") ? "fast" : "default",
          .source = "scale_rows.toml",
          .target = "cpu:x86-64-v3",
          .compiler = is_native ? "GCC 12.2.0" : "clang 19.1.7",
          .options = "-O3 -ffp-contract=off",
          .digest = digest,
          .form = is_native ? "" : "loop",
          .code_bytes = 4096};
}

// Every pair with the plainest interval, the 9th and the 23rd of 31 ratios: how intervals are found is not what
// this is about.
std::vector<PairResult> known_pairs(const std::vector<ArmTimes>& arms) {
  std::vector<PairResult> pairs = compare_all(arms);
  for (PairResult& pair : pairs) {
    std::vector<double> ratios = pair.ratios;
    std::sort(ratios.begin(), ratios.end());
    pair.interval = {ratios.at(8), ratios.at(22)};
    pair.verdict = judge(pair.interval);
    pair.sentence =
        fmt::format("{} against {}: {} (ratio {:.3f}, interval {:.3f} to {:.3f})",
                    arms[pair.arm].name, arms[pair.reference].name, verdict_name(pair.verdict),
                    pair.ratio(), pair.interval.low, pair.interval.high);
  }
  return pairs;
}

// The five arms of a real run; jit and cast are one binary. `scale` is the time of `native`.
BenchRow row(const std::string& call, int64_t rows, double scale) {
  BenchRow row{.call = call, .sizes = {{"M", rows}, {"N", 4096}}};
  row.bytes = static_cast<double>(rows) * 4096 * 8;
  row.ops = static_cast<double>(rows) * 4096 * 2;
  row.trials = 31;
  row.operations = 200;
  row.input_copies = 4;
  row.working_set_bytes = rows * 4096 * 16;
  row.input_digests = {{"x", "0123456789abcdef0123456789abcdef"}};
  const std::string shared = "4f1d0c9a7b3e2856aa10";
  const std::pair<const char*, double> arms[] = {
      {"native", 1}, {"jit", 0.95}, {"jit-fast", 0.90}, {"cast", 0.952}, {"cast-fast", 0.8995}};
  for (const auto& [name, factor] : arms) {
    row.times.push_back(
        arm(name, steady_trials(scale * factor, 31, 3 + 2 * static_cast<int>(row.arms.size()))));
    row.arms.push_back(identity(name, std::string(name) == "jit" || std::string(name) == "cast"
                                          ? shared
                                          : fmt::format("{:x}c0ffee1234567890", row.arms.size())));
  }
  row.pairs = known_pairs(row.times);
  row.parity = {{.arm = "jit", .reference = "native", .identical = true},
                {.arm = "jit-fast", .reference = "native", .deviation = 1.2e-7, .bar = 1e-5}};
  row.left_out = {"c++: the compiler doesn't know <threads>"};
  row.bound = {.by = "bandwidth",
               .seconds = *row.bytes / 41e9,
               .bandwidth = 41e9,
               .memory = rows < 1000 ? "L3" : "memory"};
  return row;
}

BenchReport known_report() {
  BenchReport report{.kernel = "scale_rows",
                     .device = "cpu:x86-64-v3",
                     .command = "sprue bench examples/scale_rows/scale_rows.toml --html bench.html",
                     .started = "2025-03-04T05:06:07Z"};
  report.stack = {{"machine", {{"processor", "Example 9000"}, {"processors", 16}}},
                  {"libraries", {"fmt 9.1.0", "LLVM 19.1.7"}}};
  report.roofline = {.levels = {{"L1d", 512 << 10, 1.9e12},
                                {"L2", 16 << 20, 7.2e11},
                                {"L3", 32 << 20, 1.9e11},
                                {"memory", 0, 4.1e10}},
                     .operations = 8.2e11,
                     .launch_seconds = 1.1e-6};
  report.noise = {.load_before = 0.4, .load_after = 1.1, .control_spread = 0.003};
  for (int64_t rows : {64, 256, 1024, 4096}) {
    report.rows.push_back(row("default", rows, static_cast<double>(rows) * 1e-6));
  }
  // Three trials of one arm were disturbed: far beyond everything else.
  for (size_t i : {4, 11, 25}) report.rows[1].times[1].seconds[i] *= 1.5;
  report.rows[1].times[1] = arm("jit", report.rows[1].times[1].seconds);
  report.rows[1].pairs = known_pairs(report.rows[1].times);
  report.conclusions = {
      {"cast-fast", "jit", 4, 0, 0, 0, "cast-fast is 5 % faster than jit in all of 4 rows"},
      {"cast", "jit", 0, 0, 4, 0, "cast and jit take the same time in all of 4 rows"}};
  report.claims = {{"jit", "native", "", 0.8}, {"native", "jit-fast", "", 1.112}};
  report.runs = {{"default", "jit", {6.1e-5, 6.2e-5, 6.15e-5}, 0.016}};
  report.run_pairs = {{"default", "jit", "native", {0.95, 0.96}, {{0.94, 0.96}, {0.95, 0.97}}}};
  return report;
}

// Everything that may go wrong with a page at once.
BenchReport hostile_report() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BenchReport report = known_report();
  report.kernel = "<script>alert(\"kernel & 'name'\")</script> größe 行列 \xff\x01 \u202e";
  report.command = std::string(400, 'x') + " --and <b>more</b>";
  report.noise->flags = {"load average of 7.9 on 8 processors", "a fixed loop varied by 9 %"};
  report.flags = {"times of jit aren't monotonic in M"};
  report.rows.resize(2);
  report.rows[0].call = "a call with a name that is longer than anyone would choose <&>\"'";
  report.rows[0].flags = {"the clock of this machine is coarser than 1 % of a trial"};
  report.rows[0].parity[1] = {.arm = "jit-fast",
                              .reference = "native",
                              .deviation = nan,
                              .bar = 1e-5,
                              .mismatch = "12 of 4096 elements; first [0, 17]: 3.5 against NaN"};
  for (size_t i = 0; i < 12; ++i) {
    const std::string name = fmt::format("arm-with-a-very-long-name-{}-of-twelve-<{}>", i, i);
    report.rows[0].times.push_back(arm(name, steady_trials(1e-6 * std::pow(10, i), 124)));
  }
  report.rows[1].times[0].seconds[3] = nan;
  report.rows[1].times[1] = {.name = "jit", .summary = kUnknownSummary};
  report.rows[1].times[2] = {.name = "jit-fast", .summary = {nan, nan, 2.5e-4, nan, nan}};
  report.rows[1].times[3] = arm("cast", {2.51e-4});
  report.rows[1].pairs = compare_all(report.rows[1].times);
  report.rows[1].pairs[0].arm = 99;
  report.rows.push_back({});
  return report;
}

BenchReport long_report() {
  BenchReport report = known_report();
  for (int64_t i = 0; i < 46; ++i) {
    report.rows.push_back(row(fmt::format("call-{}", i % 7), 64 + 100 * i, 1e-4 * (1 + 0.3 * i)));
  }
  return report;
}

void write(const std::string& folder, const char* name, const BenchReport& report) {
  std::ofstream(folder + "/" + name, std::ios::binary) << report_html(report);
}

}  // namespace
}  // namespace sprue

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: make_report FOLDER\n");
    return 2;
  }
  using namespace sprue;
  write(argv[1], "known.html", known_report());
  write(argv[1], "hostile.html", hostile_report());
  write(argv[1], "long.html", long_report());
  BenchReport one = known_report();
  one.rows.resize(1);
  one.conclusions.clear();
  write(argv[1], "one.html", one);
  write(argv[1], "empty.html", {});
  return 0;
}
