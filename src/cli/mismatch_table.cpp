#include "cli/mismatch_table.h"

#include <algorithm>
#include <array>

namespace sprue::cli {

namespace {

using Row = std::array<std::string, 7>;

Row element_row(std::string label, const ElementMismatch& element) {
  return {std::move(label),
          fmt::format("[{}]", fmt::join(element.index, ", ")),
          element.got,
          element.expected,
          fmt::format("{:.3g}", element.absolute),
          fmt::format("{:.3g}", element.relative),
          element.ulp ? fmt::format("{:.3g}", *element.ulp) : "-"};
}

}  // namespace

std::vector<std::string> mismatch_table(const Mismatch& mismatch) {
  std::vector<std::string> lines = {
      fmt::format("{} of {} elements differ", mismatch.mismatched, mismatch.total)};
  const Row rows[] = {{"", "index", "got", "expected", "absolute", "relative", "ulp"},
                      element_row("first", mismatch.first),
                      element_row("worst", mismatch.worst)};
  std::array<size_t, 7> widths = {};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}  {:<{}}", row[0], widths[0], row[1], widths[1]);
    for (size_t i = 2; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    lines.push_back(std::move(line));
  }
  const auto count = [&](std::string_view what, int64_t got, int64_t expected) {
    if (got || expected)
      lines.push_back(fmt::format("{}: got {}, expected {}", what, got, expected));
  };
  count("NaN", mismatch.got_nan, mismatch.expected_nan);
  count("infinite", mismatch.got_infinite, mismatch.expected_infinite);
  return lines;
}

}  // namespace sprue::cli
