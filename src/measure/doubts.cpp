#include "measure/doubts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "measure/report/quantity.h"
#include "measure/row_pairs.h"

namespace sprue {
namespace {

// Where an arm's typical time lies, as far as the row knows.
Interval time_interval(const ArmTimes& times) {
  if (times.seconds.size() >= kFewestForInterval) return median_interval(times.seconds);
  return {times.summary.median, times.summary.median};
}

// From a row to one that has more of a single size.
struct Step {
  const BenchRow* large = nullptr;
  size_t size = 0;    // its position in the smaller row's sizes
  int64_t value = 0;  // in `large`
};

std::optional<Step> step_between(const BenchRow& small, const BenchRow& large) {
  if (small.sizes.size() != large.sizes.size()) return std::nullopt;
  Step step;
  for (size_t i = 0; i < small.sizes.size(); ++i) {
    if (small.sizes[i].first != large.sizes[i].first) return std::nullopt;
    if (small.sizes[i].second == large.sizes[i].second) continue;
    if (small.sizes[i].second > large.sizes[i].second || step.large) return std::nullopt;
    step = {&large, i, large.sizes[i].second};
  }
  if (!step.large) return std::nullopt;
  return step;
}

// Unless the declarations say otherwise, a larger size is more work.
bool is_more_work(const BenchRow& small, const BenchRow& large) {
  bool is_declared = false, is_more = false;
  for (const auto member : {&BenchRow::bytes, &BenchRow::ops}) {
    if (!(small.*member) || !(large.*member)) continue;
    if (*(large.*member) < *(small.*member)) return false;
    is_declared = true;
    is_more |= *(large.*member) > *(small.*member);
  }
  return is_more || !is_declared;
}

void add_reversals(const BenchRow& small, const Step& step, std::vector<std::string>& flags) {
  std::vector<std::string> others;
  for (size_t i = 0; i < small.sizes.size(); ++i)
    if (i != step.size)
      others.push_back(fmt::format("{}={}", small.sizes[i].first, small.sizes[i].second));
  const auto& [name, value] = small.sizes[step.size];
  for (const ArmTimes& less : small.times) {
    const ArmTimes* more = times_of(*step.large, less.name);
    if (!more || !(time_interval(*more).high < kFasterBelow * time_interval(less).low)) continue;
    flags.push_back(fmt::format("{}: {}={} ({}) takes less than {}={} ({}){}{}", less.name, name,
                                step.value, format_seconds(more->summary.median), name, value,
                                format_seconds(less.summary.median), others.empty() ? "" : " at ",
                                fmt::join(others, ", ")));
  }
}

bool has_bytes(const BenchRow& row) { return row.bytes && *row.bytes > 0; }

// What a call leaves out. K is by custom the length of a dot product; how many there are is N.
std::string missing_size(const BenchRow& row) {
  if (row.sizes.empty()) return "no size is stated";
  const auto has = [&](const char* name) {
    return std::any_of(row.sizes.begin(), row.sizes.end(),
                       [&](const auto& size) { return size.first == name; });
  };
  return has("K") && !has("N") ? "N is not stated" : "";
}

}  // namespace

std::vector<std::string> find_failed_controls(const std::vector<BenchRow>& rows) {
  std::vector<std::string> flags;
  for (const NamedPair& names : pairs_of(rows)) {
    for (const BenchRow& row : rows) {
      const auto pair = pair_between(row, names.arm, names.reference);
      if (!pair || !are_same_binary(row, names.arm, names.reference)) continue;
      if (pair->verdict == Verdict::faster || pair->verdict == Verdict::slower)
        flags.push_back(
            fmt::format("{} and {} are the same binary, yet in {} {}: the machine or the "
                        "method is suspect, and with it every row",
                        names.arm, names.reference, row.call, pair->sentence));
    }
  }
  return flags;
}

std::vector<std::string> find_contradictions(const std::vector<BenchRow>& rows) {
  std::vector<std::string> flags;
  for (const NamedPair& names : pairs_of(rows)) {
    for (const BenchRow& row : rows) {
      const auto pair = pair_between(row, names.arm, names.reference);
      if (pair && pair->contradicts_medians)
        flags.push_back(
            fmt::format("{}: trial by trial and by medians differ: {}", row.call, pair->sentence));
    }
  }
  return flags;
}

std::vector<std::string> find_reversals(const std::vector<BenchRow>& rows) {
  // Rows of the same sizes differ in something that isn't told, and so may they from any other.
  std::map<std::vector<std::pair<std::string, int64_t>>, int> rows_by_sizes;
  for (const BenchRow& row : rows) ++rows_by_sizes[row.sizes];
  std::vector<std::string> flags;
  for (const BenchRow& small : rows) {
    if (rows_by_sizes[small.sizes] > 1) continue;
    // Only the next larger row, by each size: one slow row would otherwise be told of many times.
    std::vector<Step> steps(small.sizes.size());
    for (const BenchRow& large : rows) {
      if (rows_by_sizes[large.sizes] > 1) continue;
      const auto step = step_between(small, large);
      if (!step) continue;
      Step& nearest = steps[step->size];
      if (!nearest.large || step->value < nearest.value) nearest = *step;
    }
    for (const Step& step : steps)
      if (step.large && is_more_work(small, *step.large)) add_reversals(small, step, flags);
  }
  return flags;
}

std::vector<std::string> find_confounded_arms(const std::vector<BenchRow>& rows) {
  std::vector<std::string> flags;
  for (const NamedPair& names : pairs_of(rows)) {
    for (const BenchRow& row : rows) {
      const ArmIdentity* arm = identity_of(row, names.arm);
      const ArmIdentity* reference = identity_of(row, names.reference);
      if (!arm || !reference || are_same_binary(row, names.arm, names.reference)) continue;
      std::vector<std::string> differing;
      const auto compare = [&](const char* what, const std::string& one, const std::string& other) {
        if (!one.empty() && !other.empty() && one != other) differing.push_back(what);
      };
      compare("route", arm->route, reference->route);
      compare("optimization", arm->optimization, reference->optimization);
      compare("source", arm->source, reference->source);
      compare("target", arm->target, reference->target);
      compare("compiler", arm->compiler, reference->compiler);
      if (differing.size() < 2) continue;
      const std::string last = differing.back();
      differing.pop_back();
      flags.push_back(
          fmt::format("{} against {}: differs in {} and {} at once: no cause can be named",
                      names.arm, names.reference, fmt::join(differing, ", "), last));
      break;
    }
  }
  return flags;
}

std::vector<std::string> find_undeclared_bytes(const std::vector<BenchRow>& rows) {
  // By what is missing: a sweep that declares nothing is one doubt, not one a row.
  std::vector<std::pair<std::string, std::vector<std::string>>> calls;
  for (const BenchRow& row : rows) {
    if (has_bytes(row)) continue;
    const std::string missing = missing_size(row);
    auto found = std::find_if(calls.begin(), calls.end(),
                              [&](const auto& one) { return one.first == missing; });
    if (found == calls.end()) found = calls.insert(calls.end(), {missing, {}});
    found->second.push_back(row.call);
  }
  std::vector<std::string> flags;
  for (const auto& [missing, names] : calls)
    flags.push_back(fmt::format("bytes aren't declared{}: no bandwidth can be computed ({})",
                                missing.empty() ? "" : ": " + missing, fmt::join(names, ", ")));
  return flags;
}

}  // namespace sprue
