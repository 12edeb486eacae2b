#include "measure/plot/svg_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "measure/plot/svg_canvas.h"
#include "measure/plot/svg_labels.h"
#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"

namespace sprue {
namespace {

constexpr double kWidth = 680, kHeight = 420;
constexpr double kLeft = 80, kRight = 670, kTop = 12, kBottom = 376;
constexpr int kMostTicks = 7;
constexpr double kWidestLabel = 240;
constexpr double kTouching = 12;  // pixels between points that share a label

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

struct Plot {
  Axis horizontal, vertical;

  double x(double intensity) const {
    return kLeft + horizontal.fraction(intensity) * (kRight - kLeft);
  }
  double y(double operations) const {
    return kBottom - vertical.fraction(operations) * (kBottom - kTop);
  }
};

// All points, and on both sides of them enough of the roofs to see which one is the lower there.
Plot choose_axes(const Roofs& roofs, const std::vector<RooflinePoint>& points) {
  double left = points[0].intensity, right = left;
  double low = points[0].operations, high = low;
  for (const RooflinePoint& point : points) {
    left = std::min(left, point.intensity);
    right = std::max(right, point.intensity);
    low = std::min(low, point.operations);
    high = std::max(high, point.operations);
  }
  for (const Roofs::Memory& memory : roofs.memories) {
    low = std::min(low, memory.bandwidth * left);
    high = std::max(high, std::min(memory.bandwidth * right, is_positive(roofs.operations)
                                                                 ? roofs.operations
                                                                 : memory.bandwidth * right));
    if (!is_positive(roofs.operations)) continue;
    const double ridge = roofs.operations / memory.bandwidth;
    left = std::min(left, ridge);
    right = std::max(right, ridge);
  }
  if (is_positive(roofs.operations)) high = std::max(high, roofs.operations);
  return {.horizontal = logarithmic_axis(left / 3, right * 2, kMostTicks),
          .vertical = logarithmic_axis(low / 1.5, high * 1.4, kMostTicks)};
}

// A text that rises with its line, as boxes that other labels must not touch.
void occupy_rising(LabelSpace& space, double x, double y, double radians, double length) {
  constexpr double kPiece = 8;
  for (double along = 0; along < length; along += kPiece) {
    const double cx = x + along * std::cos(radians), cy = y - along * std::sin(radians);
    space.occupy({cx - 4, cy - kLineHeight, cx + kPiece + 4, cy + 4});
  }
}

// One slope, from where it enters the picture to its ridge or its exit, with its label along it, beginning
// `label_offset` pixels from its start; returns the label's length.
double draw_memory(SvgCanvas& canvas, LabelSpace& space, const Plot& plot, const Roofs& roofs,
                   const Roofs::Memory& memory, double label_offset) {
  const double begin = std::max(plot.horizontal.low, plot.vertical.low / memory.bandwidth);
  double end = std::min(plot.horizontal.high, plot.vertical.high / memory.bandwidth);
  if (is_positive(roofs.operations)) end = std::min(end, roofs.operations / memory.bandwidth);
  if (!(begin < end)) return 0;
  const double x1 = plot.x(begin), y1 = plot.y(begin * memory.bandwidth);
  const double x2 = plot.x(end), y2 = plot.y(end * memory.bandwidth);
  canvas.line(x1, y1, x2, y2, "roof");
  const double radians = std::atan2(y1 - y2, x2 - x1);
  const std::string text = fmt::format("{} {}", shorten_text(memory.name, 60, kTextSize),
                                       format_bandwidth(memory.bandwidth));
  const double length = text_width(text, kTextSize) + 6;
  const double room = std::hypot(x2 - x1, y2 - y1);
  const double along = std::max(std::min(label_offset + 14, room - length), 14.0);
  // Five pixels above the line, at right angles to it.
  const double x = x1 + along * std::cos(radians) - 5 * std::sin(radians);
  const double y = y1 - along * std::sin(radians) - 5 * std::cos(radians);
  canvas.rising_text(x, y, radians * 180 / std::numbers::pi, text, "note halo");
  occupy_rising(space, x, y, radians, length);
  return length;
}

void draw_roofs(SvgCanvas& canvas, LabelSpace& space, const Plot& plot, const Roofs& roofs) {
  std::vector<Roofs::Memory> memories = roofs.memories;
  std::sort(memories.begin(), memories.end(),
            [](const auto& a, const auto& b) { return a.bandwidth > b.bandwidth; });
  double offset = 0, last_y = -1e9;
  for (const Roofs::Memory& memory : memories) {
    // Slopes that lie close together have their labels one behind the other.
    const double y = plot.y(memory.bandwidth * plot.horizontal.low);
    if (y - last_y > 26) offset = 0;
    last_y = y;
    offset += draw_memory(canvas, space, plot, roofs, memory, offset) + 10;
  }
  if (!is_positive(roofs.operations)) return;
  double ridge = plot.horizontal.low;
  if (!memories.empty()) ridge = std::max(ridge, roofs.operations / memories[0].bandwidth);
  const double y = plot.y(roofs.operations);
  canvas.line(plot.x(ridge), y, kRight, y, "roof");
  const std::string text = "arithmetic " + format_operations(roofs.operations);
  canvas.text(kRight - 4, y - 6, text, {.classes = "note halo", .anchor = Anchor::end});
  space.occupy({kRight - 8 - text_width(text, kTextSize), y - 6 - kLineHeight, kRight, y});
}

// From the point to the nearest spot of a label that had to go further off.
void draw_leader(SvgCanvas& canvas, double x, double y, const Box& box) {
  const double tx = std::clamp(x, box.left, box.right),
               ty = std::clamp(y, box.top + 3, box.bottom - 3);
  if (std::hypot(tx - x, ty - y) > 12) canvas.line(x, y, tx, ty, "leader");
}

// Points that would touch, one by one or in a chain.
struct Cluster {
  std::vector<size_t> points;
  double x = 0, y = 0;  // of the first
};

std::vector<Cluster> find_clusters(const Plot& plot, const std::vector<RooflinePoint>& points) {
  std::vector<Cluster> clusters;
  std::vector<bool> is_taken(points.size());
  for (size_t first = 0; first < points.size(); ++first) {
    if (is_taken[first]) continue;
    is_taken[first] = true;
    Cluster cluster{{first}, plot.x(points[first].intensity), plot.y(points[first].operations)};
    for (size_t member = 0; member < cluster.points.size(); ++member) {
      const RooflinePoint& from = points[cluster.points[member]];
      for (size_t other = first + 1; other < points.size(); ++other) {
        const RooflinePoint& to = points[other];
        if (is_taken[other] ||
            std::hypot(plot.x(from.intensity) - plot.x(to.intensity),
                       plot.y(from.operations) - plot.y(to.operations)) > kTouching)
          continue;
        is_taken[other] = true;
        cluster.points.push_back(other);
      }
    }
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

// "native, jit and 3 more", as many as fit.
std::string enumerate(std::vector<std::string> names) {
  const size_t count = names.size();
  for (;; names.pop_back()) {
    const std::string text =
        fmt::format("{}", fmt::join(names, ", ")) +
        (names.size() < count ? fmt::format(" and {} more", count - names.size()) : "");
    if (names.size() == 1 || text_width(text, kTextSize) <= kWidestLabel) {
      return shorten_text(text, kWidestLabel, kTextSize);
    }
  }
}

// The arms and, where the picture has several, the rows of a cluster: a line each.
std::vector<std::string> label_of(const Cluster& cluster,
                                  const std::vector<RooflinePoint>& points) {
  std::vector<std::string> arms, rows;
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (size_t i : cluster.points) {
    add(arms, points[i].arm);
    add(rows, points[i].row);
  }
  std::vector<std::string> lines = {enumerate(arms)};
  const bool is_one_row =
      std::all_of(points.begin(), points.end(),
                  [&](const RooflinePoint& point) { return point.row == points[0].row; });
  if (!is_one_row) {
    lines.push_back(rows.size() == 1 ? shorten_text(rows[0], kWidestLabel, kTextSize)
                                     : fmt::format("in {} rows", rows.size()));
  }
  return lines;
}

// How many clusters there was no room for.
size_t draw_labels(SvgCanvas& canvas, LabelSpace& space, const Plot& plot,
                   const std::vector<RooflinePoint>& points) {
  size_t missing = 0;
  for (const Cluster& cluster : find_clusters(plot, points)) {
    const std::vector<std::string> lines = label_of(cluster, points);
    double width = 0;
    for (const std::string& line : lines) width = std::max(width, text_width(line, kTextSize));
    const auto box =
        space.place(cluster.x, cluster.y, width, kLineHeight * static_cast<double>(lines.size()));
    if (!box) {
      ++missing;
      continue;
    }
    draw_leader(canvas, cluster.x, cluster.y, *box);
    for (size_t i = 0; i < lines.size(); ++i) {
      canvas.text(box->left, box->top + kLineHeight * static_cast<double>(i + 1) - 4, lines[i],
                  {.classes = "halo"});
    }
  }
  return missing;
}

}  // namespace

std::string svg_roofline(const std::string& title, const Roofs& all_roofs,
                         const std::vector<RooflinePoint>& all_points) {
  Roofs roofs{.memories = {}, .operations = all_roofs.operations};
  std::vector<RooflinePoint> points;
  std::string description;
  for (const Roofs::Memory& memory : all_roofs.memories) {
    if (!is_positive(memory.bandwidth)) continue;
    roofs.memories.push_back(memory);
    description += fmt::format("Roof {}: {}. ", memory.name, format_bandwidth(memory.bandwidth));
  }
  if (is_positive(roofs.operations)) {
    description += fmt::format("Roof arithmetic: {}. ", format_operations(roofs.operations));
  }
  for (const RooflinePoint& point : all_points) {
    if (!is_positive(point.intensity) || !is_positive(point.operations)) continue;
    points.push_back(point);
    description +=
        fmt::format("{}, {}: {} at {} operations per byte. ", point.arm, point.row,
                    format_operations(point.operations), format_digits(point.intensity, 3));
  }
  if (points.empty()) return "";
  description.pop_back();

  const Plot plot = choose_axes(roofs, points);
  SvgCanvas canvas(kWidth, kHeight);
  LabelSpace space({kLeft + 2, kTop, kRight, kBottom});
  std::vector<std::string> rates;
  for (double tick : plot.vertical.ticks) rates.push_back(format_operations(tick));
  canvas.vertical_axis(plot.vertical, rates, kLeft, kRight, kTop, kBottom);
  canvas.horizontal_axis(plot.horizontal, number_labels(plot.horizontal), kLeft, kRight, kTop,
                         kBottom);
  draw_roofs(canvas, space, plot, roofs);

  constexpr double kMark = 6;
  for (const RooflinePoint& point : points) {
    const double x = plot.x(point.intensity), y = plot.y(point.operations);
    space.occupy({x - kMark, y - kMark, x + kMark, y + kMark});
  }
  const size_t missing = draw_labels(canvas, space, plot, points);
  for (const RooflinePoint& point : points) {
    canvas.marker(
        point.series, plot.x(point.intensity), plot.y(point.operations),
        fmt::format("{}, {}: {}", point.arm, point.row, format_operations(point.operations)));
  }
  std::string note = "operations per byte; both axes logarithmic";
  if (missing > 0) note += fmt::format("; {} labels had no room", missing);
  canvas.text(kLeft, kHeight - 8, note, {.classes = "note"});
  return canvas.finish(title, description);
}

}  // namespace sprue
