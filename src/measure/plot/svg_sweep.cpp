#include "measure/plot/svg_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "measure/plot/svg_canvas.h"
#include "measure/plot/svg_labels.h"
#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"

namespace sprue {
namespace {

constexpr double kWidth = 360, kTop = 10, kLeastHeight = 210;
constexpr double kWidestLabel = 110;
constexpr double kMargin = 10;  // between the outermost sizes and the frame
constexpr int kMostTicks = 7;

bool is_shown(const SweepPoint& point) {
  return std::isfinite(point.value.median) && point.value.median > 0;
}

// Ticks at the sizes themselves; a range that grows by factors gets equal room for equal factors.
Axis size_axis(const std::set<int64_t>& sizes) {
  Axis axis{.low = static_cast<double>(*sizes.begin()),
            .high = static_cast<double>(*sizes.rbegin()),
            .ticks = {}};
  axis.is_logarithmic = axis.low > 0 && axis.high / axis.low > 8;
  for (int64_t size : sizes) axis.ticks.push_back(static_cast<double>(size));
  return axis;
}

Axis value_axis(const std::vector<SweepLine>& lines) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const SweepLine& line : lines) {
    for (const SweepPoint& point : line.points) {
      if (!is_shown(point)) continue;
      for (double value :
           {point.value.lower_quartile, point.value.median, point.value.upper_quartile}) {
        if (!std::isfinite(value) || value <= 0) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  return fitting_axis(low, high, kMostTicks);
}

std::string format_value(double value, bool is_ratio) {
  return is_ratio ? format_digits(value, 4) : format_seconds(value);
}

std::string describe(const SweepLine& line, bool is_ratio) {
  std::string text;
  for (const SweepPoint& point : line.points) {
    text += fmt::format("{}{} at {}", text.empty() ? line.name + ": " : ", ",
                        format_value(point.value.median, is_ratio), point.size);
  }
  return text + ".";
}

}  // namespace

std::string svg_sweep(const SweepLabels& labels, const std::vector<SweepLine>& lines) {
  std::set<int64_t> sizes;
  size_t most_points = 0;
  double label_width = 0;
  for (const SweepLine& line : lines) {
    size_t count = 0;
    for (const SweepPoint& point : line.points) {
      if (!is_shown(point)) continue;
      sizes.insert(point.size);
      ++count;
    }
    most_points = std::max(most_points, count);
    label_width = std::max(label_width, text_width(line.name, kTextSize, true));
  }
  if (most_points < 2 || sizes.size() < 2) return "";

  label_width = std::min(label_width, kWidestLabel);
  const Axis horizontal = size_axis(sizes), vertical = value_axis(lines);
  const std::vector<std::string> value_texts =
      labels.is_ratio ? number_labels(vertical) : time_labels(vertical);
  std::vector<std::string> size_texts;
  for (int64_t size : sizes) size_texts.push_back(std::to_string(size));
  double left = 0;
  for (const std::string& text : value_texts) left = std::max(left, text_width(text, kTextSize));
  left += 10;
  const double right = kWidth - label_width - 26;
  const double bottom =
      kTop + std::max(kLeastHeight, (kLineHeight + 1) * static_cast<double>(lines.size()));
  SvgCanvas canvas(kWidth, bottom + 2 * kLineHeight + 10);
  const auto x = [&](double size) {
    return left + kMargin + horizontal.fraction(size) * (right - left - 2 * kMargin);
  };
  const auto y = [&](double value) {
    return bottom - std::clamp(vertical.fraction(value), 0.0, 1.0) * (bottom - kTop);
  };
  canvas.vertical_axis(vertical, value_texts, left, right, kTop, bottom);
  canvas.horizontal_axis(horizontal, size_texts, left + kMargin, right - kMargin, kTop, bottom);
  canvas.line(left, bottom, right, bottom, "axis");

  std::vector<double> wanted;
  std::vector<std::pair<double, double>> ends;
  std::string description;
  for (const SweepLine& line : lines) {
    std::vector<std::pair<double, double>> path;
    canvas.begin_group("sweep " + series_class(line.series));
    for (const SweepPoint& point : line.points) {
      if (!is_shown(point)) continue;
      path.emplace_back(x(static_cast<double>(point.size)), y(point.value.median));
      const Summary& value = point.value;
      if (std::isfinite(value.lower_quartile) && std::isfinite(value.upper_quartile)) {
        canvas.line(path.back().first, y(value.lower_quartile), path.back().first,
                    y(value.upper_quartile), "quartiles");
      }
    }
    canvas.polyline(path, "path");
    for (const auto& [px, py] : path) canvas.marker(line.series, px, py);
    canvas.end_group();
    ends.push_back(path.empty() ? std::pair{right, bottom} : path.back());
    wanted.push_back(ends.back().second);
    description += (description.empty() ? "" : " ") + describe(line, labels.is_ratio);
  }
  const std::vector<double> centres = spread_labels(wanted, kLineHeight, kTop, bottom);
  for (size_t i = 0; i < lines.size(); ++i) {
    canvas.line(ends[i].first + 6, ends[i].second, right + 8, centres[i], "leader");
    canvas.marker(lines[i].series, right + 15, centres[i]);
    canvas.text(right + 24, centres[i] + 4,
                shorten_text(lines[i].name, label_width, kTextSize, true), {.classes = "name"});
  }
  std::string note = shorten_text(labels.size_name, 120, kTextSize);
  note += horizontal.is_logarithmic ? ", logarithmic" : "";
  note += "; " + labels.value_name;
  if (vertical.is_logarithmic) {
    note += ", logarithmic";
  } else if (vertical.low != 0) {
    note += ", axis from " + value_texts[0];
  }
  canvas.text(2, canvas.height() - 5, note, {.classes = "note"});
  return canvas.finish(labels.title, description);
}

}  // namespace sprue
