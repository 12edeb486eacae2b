#include "benchmark/bench_plan.h"

#include <algorithm>

namespace sprue {

namespace {

constexpr size_t kMostRows = 1000;

// Every combination, the last axis changing fastest.
Result<std::vector<Sizes>> combinations(const std::vector<SweepAxis>& sweep) {
  std::vector<Sizes> all = {{}};
  for (const SweepAxis& axis : sweep) {
    std::vector<Sizes> longer;
    for (const Sizes& sizes : all)
      for (const int64_t value : axis.values) {
        longer.push_back(sizes);
        longer.back().emplace_back(axis.name, value);
      }
    all = std::move(longer);
    if (all.empty() || all.size() > kMostRows)
      return fail(ErrorCode::invalid_argument, "bench",
                  "expected 1 to {} combinations of swept sizes, got {}", kMostRows,
                  all.empty() ? "none" : "more");
  }
  return all;
}

// The swept sizes that have several values, for they tell the rows apart.
std::string label(const CallSpec& spec, const std::vector<SweepAxis>& sweep, const Sizes& swept,
                  bool one_call) {
  std::string text;
  for (size_t i = 0; i < sweep.size(); ++i)
    if (sweep[i].values.size() > 1 && find_size(spec.sizes, sweep[i].name))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", sweep[i].name, swept[i].second);
  if (text.empty()) return spec.name;
  return one_call ? text : spec.name + " " + text;
}

}  // namespace

Result<std::vector<PlannedRow>> plan_rows(const KernelFileSource& source,
                                          const BenchmarkOptions& options) {
  SPRUE_ASSIGN(const auto all_sizes, combinations(options.sweep));
  std::vector<PlannedRow> rows;
  for (const Sizes& sizes : all_sizes) {
    ReadOptions read = source.read;
    read.sizes.insert(read.sizes.end(), sizes.begin(), sizes.end());
    SPRUE_ASSIGN(const KernelFile file, read_kernel_file(source.path, read));
    if (!options.call.empty()) SPRUE_CHECK(find_call(file, options.call));
    for (const CallSpec& spec : file.calls) {
      if (!options.call.empty() && spec.name != options.call) continue;
      const std::string name =
          label(spec, options.sweep, sizes, file.calls.size() == 1 || !options.call.empty());
      // A call without the swept sizes is the same in every combination.
      const bool known = std::any_of(rows.begin(), rows.end(),
                                     [&](const PlannedRow& row) { return row.label == name; });
      if (!known) rows.push_back({name, file, spec});
    }
  }
  return rows;
}

}  // namespace sprue
