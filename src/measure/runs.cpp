#include "measure/runs.h"

#include <algorithm>

#include "measure/sweep.h"

namespace sprue {

namespace {

Status check_same_shape(const BenchReport& first, const BenchReport& other) {
  bool same = first.rows.size() == other.rows.size();
  for (size_t i = 0; same && i < first.rows.size(); ++i) {
    const BenchRow &a = first.rows[i], &b = other.rows[i];
    same = a.call == b.call && a.arms.size() == b.arms.size();
    for (size_t j = 0; same && j < a.arms.size(); ++j) same = a.arms[j].name == b.arms[j].name;
  }
  if (same) return {};
  return fail(ErrorCode::invalid_argument, "report",
              "expected every run to measure the same rows and arms, got a run with others");
}

std::string run_list(const BenchReport::RunPairs& run) {
  std::string text;
  for (size_t i = 0; i < run.ratios.size(); ++i)
    text += fmt::format("{}run {}: {} {:.3f}", text.empty() ? "" : ", ", i + 1,
                        verdict_name(judge(run.intervals[i])), run.ratios[i]);
  return text;
}

}  // namespace

Result<BenchReport> combine_runs(std::vector<BenchReport> reports) {
  if (reports.empty())
    return fail(ErrorCode::invalid_argument, "report", "expected at least one run, got none");
  for (const BenchReport& other : reports) SPRUE_CHECK(check_same_shape(reports.front(), other));
  BenchReport combined = reports.front();
  combined.runs.clear();
  combined.run_pairs.clear();
  for (size_t i = 0; i < combined.rows.size(); ++i) {
    const BenchRow& row = combined.rows[i];
    for (size_t j = 0; j < row.arms.size(); ++j) {
      BenchReport::RunMedians run{.call = row.call, .arm = row.arms[j].name, .medians = {}};
      for (const BenchReport& report : reports)
        run.medians.push_back(report.rows[i].times[j].summary.median);
      const auto [smallest, largest] = std::minmax_element(run.medians.begin(), run.medians.end());
      run.spread = (*largest - *smallest) / *smallest;
      combined.runs.push_back(std::move(run));
    }
    for (size_t j = 0; j < row.pairs.size(); ++j) {
      BenchReport::RunPairs run{.call = row.call,
                                .arm = row.arms[row.pairs[j].arm].name,
                                .reference = row.arms[row.pairs[j].reference].name,
                                .ratios = {},
                                .intervals = {}};
      for (const BenchReport& report : reports) {
        run.ratios.push_back(report.rows[i].pairs[j].ratio());
        run.intervals.push_back(report.rows[i].pairs[j].interval);
      }
      combined.run_pairs.push_back(std::move(run));
    }
  }
  for (size_t i = 1; i < reports.size(); ++i)
    if (reports[i].noise)
      for (const std::string& flag : reports[i].noise->flags)
        if (combined.noise) combined.noise->flags.push_back(fmt::format("run {}: {}", i + 1, flag));
  apply_run_pairs(combined);
  review(combined);
  return combined;
}

void apply_run_pairs(BenchReport& report) {
  for (const BenchReport::RunPairs& run : report.run_pairs) {
    if (run.ratios.size() < 2 || run.ratios.size() != run.intervals.size()) continue;
    const Verdict first = judge(run.intervals.front());
    const bool agree =
        std::all_of(run.intervals.begin(), run.intervals.end(),
                    [&](const Interval& interval) { return judge(interval) == first; });
    for (BenchRow& row : report.rows) {
      if (row.call != run.call) continue;
      for (PairResult& pair : row.pairs) {
        if (row.arms[pair.arm].name != run.arm || row.arms[pair.reference].name != run.reference)
          continue;
        if (agree) {
          pair.sentence += fmt::format("; every run agrees ({})", run_list(run));
        } else {
          pair.verdict = Verdict::unresolved;
          pair.sentence = fmt::format("{} against {}: not resolved: the runs disagree ({})",
                                      run.arm, run.reference, run_list(run));
        }
      }
    }
  }
}

}  // namespace sprue
