#include "measure/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/claims.h"
#include "measure/doubts.h"
#include "measure/row_pairs.h"

namespace sprue {
namespace {

// How often each thing holds, in words: "faster in 1 of 4 rows, slower in 2".
struct Tally {
  int faster = 0, slower = 0, same = 0, unresolved = 0;
  int rows = 0;      // of the sweep
  int measured = 0;  // of them, those that have both arms

  void add(Verdict verdict) {
    ++measured;
    switch (verdict) {
      case Verdict::faster:
        ++faster;
        return;
      case Verdict::slower:
        ++slower;
        return;
      case Verdict::same:
        ++same;
        return;
      case Verdict::unresolved:
        ++unresolved;
    }
  }
  Tally reversed() const {
    Tally tally = *this;
    std::swap(tally.faster, tally.slower);
    return tally;
  }
  std::string text() const {
    std::string text;
    const auto add_part = [&](const char* name, int count) {
      if (count == 0) return;
      text += text.empty() ? fmt::format("{} in {} of {} rows", name, count, rows)
                           : fmt::format(", {} in {}", name, count);
    };
    add_part("faster", faster);
    add_part("slower", slower);
    add_part("same", same);
    add_part("not resolved", unresolved);
    add_part("not measured", rows - measured);
    return text;
  }
};

// What medians alone would say, were they to be believed.
Verdict direction_of(double ratio) { return judge({ratio, ratio}); }

std::string write_conclusion(NamedPair pair, Tally verdicts, Tally medians, Interval range,
                             bool has_intervals) {
  // The sentence is about whichever is ahead: by verdicts, else by the medians.
  const int lead = verdicts.faster != verdicts.slower ? verdicts.faster - verdicts.slower
                                                      : medians.faster - medians.slower;
  if (lead < 0) {
    std::swap(pair.arm, pair.reference);
    verdicts = verdicts.reversed();
    medians = medians.reversed();
    range = {1 / range.high, 1 / range.low};
  }
  const std::string ratios = fmt::format("{:.3f} to {:.3f}", range.low, range.high);
  if (verdicts.same == verdicts.rows)
    return fmt::format("{} and {} take the same time within 1 %: shown (in all {} rows, ratios {})",
                       pair.arm, pair.reference, verdicts.rows, ratios);
  const std::string claim = fmt::format("{} beats {}", pair.arm, pair.reference);
  if (verdicts.faster == verdicts.rows)
    return fmt::format("{}: shown (faster in all {} rows, ratios {})", claim, verdicts.rows,
                       ratios);
  if (has_intervals)
    return fmt::format("{}: not shown ({}; ratios {})", claim, verdicts.text(), ratios);
  const bool agree = std::max({medians.faster, medians.slower, medians.same}) == medians.measured;
  return fmt::format(
      "{}: not shown (medians alone carry no spread; their ratios, {}, {} in direction: {})", claim,
      ratios, agree ? "agree" : "disagree", medians.text());
}

std::string write_control(const NamedPair& pair, const Tally& verdicts) {
  return fmt::format("{} and {} are the same binary, a control: {}", pair.arm, pair.reference,
                     verdicts.text());
}

}  // namespace

std::vector<PairConclusion> conclude(const std::vector<BenchRow>& rows) {
  std::vector<PairConclusion> conclusions;
  if (rows.size() < 2) return conclusions;
  for (const NamedPair& names : pairs_of(rows)) {
    Tally verdicts{.rows = static_cast<int>(rows.size())}, medians = verdicts;
    Interval range = {std::numeric_limits<double>::infinity(), 0};
    bool has_intervals = false;
    int controls = 0;
    for (const BenchRow& row : rows) {
      const auto pair = pair_between(row, names.arm, names.reference);
      if (!pair) continue;
      verdicts.add(pair->verdict);
      medians.add(direction_of(pair->ratio_of_medians));
      range = {std::min(range.low, pair->ratio()), std::max(range.high, pair->ratio())};
      has_intervals |= !pair->ratios.empty();
      controls += are_same_binary(row, names.arm, names.reference);
    }
    if (verdicts.measured == 0) continue;
    const bool is_control = controls == verdicts.measured;
    conclusions.push_back({names.arm, names.reference, verdicts.faster, verdicts.slower,
                           verdicts.same, verdicts.unresolved,
                           is_control
                               ? write_control(names, verdicts)
                               : write_conclusion(names, verdicts, medians, range, has_intervals)});
  }
  return conclusions;
}

void review(BenchReport& report) {
  report.conclusions = conclude(report.rows);
  const auto add = [&](const std::vector<std::string>& flags) {
    for (const std::string& flag : flags)
      if (std::find(report.flags.begin(), report.flags.end(), flag) == report.flags.end())
        report.flags.push_back(flag);
  };
  add(find_failed_controls(report.rows));
  add(find_false_claims(report.rows, report.claims));
  add(find_contradictions(report.rows));
  add(find_reversals(report.rows));
  add(find_confounded_arms(report.rows));
  add(find_undeclared_bytes(report.rows));
}

}  // namespace sprue
