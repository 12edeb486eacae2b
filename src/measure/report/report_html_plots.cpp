// Which pictures a report calls for, and their data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/plot/svg_distribution.h"
#include "measure/plot/svg_ratio_intervals.h"
#include "measure/plot/svg_roofline.h"
#include "measure/plot/svg_sweep.h"
#include "measure/report/report_html_parts.h"

namespace sprue::page {
namespace {

// Rows of one call that differ in one size: positions in BenchReport::rows, that size rising.
struct Sweep {
  std::string call, size;
  std::string fixed;  // the other sizes
  std::vector<std::pair<int64_t, size_t>> rows;
};

std::vector<Sweep> find_sweeps(const BenchReport& report) {
  std::vector<Sweep> sweeps;
  std::map<std::vector<std::string>, size_t> known;
  for (size_t row = 0; row < report.rows.size(); ++row) {
    const auto& sizes = report.rows[row].sizes;
    for (size_t i = 0; i < sizes.size(); ++i) {
      std::string fixed;
      for (size_t other = 0; other < sizes.size(); ++other) {
        if (other != i) fixed += fmt::format(", {} = {}", sizes[other].first, sizes[other].second);
      }
      const std::vector<std::string> key = {report.rows[row].call, sizes[i].first, fixed};
      const auto [found, is_new] = known.try_emplace(key, sweeps.size());
      if (is_new) sweeps.push_back({key[0], key[1], fixed, {}});
      sweeps[found->second].rows.emplace_back(sizes[i].second, row);
    }
  }
  std::erase_if(sweeps, [](Sweep& sweep) {
    std::stable_sort(sweep.rows.begin(), sweep.rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return sweep.rows.front().first == sweep.rows.back().first;
  });
  return sweeps;
}

std::vector<SweepLine> sweep_lines(const BenchReport& report, const Sweep& sweep) {
  const std::vector<std::string> names = arm_names(report);
  std::vector<SweepLine> lines;
  for (size_t series = 0; series < names.size(); ++series) {
    SweepLine line{.name = names[series], .series = series, .points = {}};
    for (const auto& [size, row] : sweep.rows) {
      for (size_t arm = 0; arm < report.rows[row].times.size(); ++arm) {
        if (arm_name(report.rows[row], arm) != names[series]) continue;
        line.points.push_back({size, report.rows[row].times[arm].summary});
      }
    }
    if (!line.points.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

// Over the smallest median at each size: differences of a few percent drown where times grow a thousandfold.
std::vector<SweepLine> relative_lines(std::vector<SweepLine> lines) {
  std::map<int64_t, double> smallest;
  for (const SweepLine& line : lines) {
    for (const SweepPoint& point : line.points) {
      const double median = point.value.median;
      if (!std::isfinite(median) || median <= 0) continue;
      const auto [found, is_new] = smallest.try_emplace(point.size, median);
      if (!is_new) found->second = std::min(found->second, median);
    }
  }
  for (SweepLine& line : lines) {
    for (SweepPoint& point : line.points) {
      const auto found = smallest.find(point.size);
      const double unit = found == smallest.end() ? kUnknown : found->second;
      Summary& value = point.value;
      value = {value.minimum / unit, value.lower_quartile / unit, value.median / unit,
               value.upper_quartile / unit, value.maximum / unit};
    }
  }
  return lines;
}

std::string sweep_figures(const BenchReport& report, const Sweep& sweep) {
  const std::vector<SweepLine> lines = sweep_lines(report, sweep);
  const std::string what = fmt::format("{} by {}{}", sweep.call, sweep.size, sweep.fixed);
  std::string html =
      figure("Times of " + what + ".", "Medians; the bar is the middle half of the trials.",
             svg_sweep({"Times of " + what, sweep.size, "time of one operation"}, lines));
  if (lines.size() < 2) return html;
  return html + figure("The same, relative.",
                       "Each time over the smallest median at that size: 1 is the fastest.",
                       svg_sweep({"Relative times of " + what, sweep.size,
                                  "over the smallest median", true},
                                 relative_lines(lines)));
}

std::string roofline_figure(const BenchReport& report) {
  if (!report.roofline) return "";
  Roofs roofs{.memories = {}, .operations = report.roofline->operations};
  for (const Roofline::Level& level : report.roofline->levels) {
    roofs.memories.push_back({level.name, level.bandwidth});
  }
  const std::vector<std::string> names = arm_names(report);
  std::vector<RooflinePoint> points;
  for (const BenchRow& row : report.rows) {
    if (!row.bytes || !row.ops) continue;
    for (size_t arm = 0; arm < row.times.size(); ++arm) {
      const std::string name = arm_name(row, arm);
      points.push_back({.arm = name,
                        .row = row_title(row),
                        .series = series_of(names, name),
                        .intensity = *row.ops / *row.bytes,
                        .operations = *row.ops / row.times[arm].summary.median});
    }
  }
  return figure(
      "Roofline.",
      "Roofs are measured; where a point stands is inferred from declared bytes and operations.",
      svg_roofline("Roofline of this machine with every row and arm", roofs, points));
}

}  // namespace

std::string distribution_figure(const BenchReport& report, const BenchRow& row) {
  const std::vector<std::string> names = arm_names(report);
  std::vector<DistributionStrip> strips;
  for (size_t arm = 0; arm < row.times.size(); ++arm) {
    const std::string name = arm_name(row, arm);
    strips.push_back(
        {name, series_of(names, name), row.times[arm].seconds, row.times[arm].summary});
  }
  return figure(
      "Times.",
      "A dot is a trial, the first on top; the box holds the middle half, the bar is the median.",
      svg_distribution("Times of " + row_title(row), strips));
}

std::string ratio_figure(const BenchRow& row) {
  std::vector<RatioInterval> pairs;
  for (const PairResult& pair : row.pairs) {
    pairs.push_back({.name = arm_name(row, pair.arm) + " / " + arm_name(row, pair.reference),
                     .low = pair.interval.low,
                     .ratio = pair.ratio(),
                     .high = pair.interval.high,
                     .verdict = pair.verdict,
                     .is_control = is_same_binary(row, pair)});
  }
  return figure(
      "Ratios of times.",
      "The bar is the interval of the median ratio; within the shaded 1 % there is no difference.",
      svg_ratio_intervals("Ratios of times of " + row_title(row), pairs));
}

std::string report_figures(const BenchReport& report) {
  std::string sweeps;
  for (const Sweep& sweep : find_sweeps(report)) sweeps += sweep_figures(report, sweep);
  const std::string roofline = roofline_figure(report);
  std::string html;
  if (!sweeps.empty())
    html += "<section><h2>Sweeps</h2><div class=\"figures\">" + sweeps + "</div></section>\n";
  if (!roofline.empty())
    html += "<section><h2>Against the machine</h2>" + roofline + "</section>\n";
  return html;
}

}  // namespace sprue::page
