#include "measure/plot/svg_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/plot/svg_canvas.h"
#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"

namespace sprue {
namespace {

constexpr double kWidth = 360, kTop = 4;
constexpr double kLeft = 30, kRight = 330;  // of the axis: half a label fits beside it
constexpr double kTextLeft = 2, kTextRight = 358;
constexpr double kStrip = 54;   // an arm: a line of text, then
constexpr double kBoxTop = 22;  // the strip from here
constexpr double kBoxHeight = 20;
constexpr double kFence = 3;  // interquartile ranges from the box to the end of the axis
constexpr int kMostTicks = 7;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

// What the axis must show of one strip.
Range shown_range(const DistributionStrip& strip) {
  Range all, shown;
  for (double seconds : strip.seconds) all.include(seconds);
  shown.include(strip.summary.median);
  const double spread = strip.summary.upper_quartile - strip.summary.lower_quartile;
  if (all.is_empty()) return shown;
  if (!std::isfinite(spread)) {
    shown.include(all.low);
    shown.include(all.high);
    return shown;
  }
  shown.include(strip.summary.lower_quartile);
  shown.include(strip.summary.upper_quartile);
  shown.include(std::max(all.low, strip.summary.lower_quartile - kFence * spread));
  shown.include(std::min(all.high, strip.summary.upper_quartile + kFence * spread));
  return shown;
}

Axis choose_axis(const std::vector<DistributionStrip>& strips) {
  Range range;
  for (const DistributionStrip& strip : strips) {
    const Range one = shown_range(strip);
    range.include(one.low);
    range.include(one.high);
  }
  // Not closer than 2 %: that would magnify what is nothing.
  const double least = 0.01 * (std::abs(range.low) + std::abs(range.high));
  if (range.high - range.low < least) {
    const double middle = range.low / 2 + range.high / 2;
    range.low = middle - least / 2;
    range.high = middle + least / 2;
  }
  return fitting_axis(range.low, range.high, kMostTicks);
}

std::string trials(size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "trial" : "trials");
}

struct Outside {
  Range before, beyond;
  size_t before_count = 0, beyond_count = 0, no_number = 0;

  std::string words() const {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (before_count > 0) {
      add(fmt::format("{} before, from {}", trials(before_count), format_seconds(before.low)));
    }
    if (beyond_count > 0) {
      add(fmt::format("{} beyond, to {}", trials(beyond_count), format_seconds(beyond.high)));
    }
    if (no_number > 0) add(trials(no_number) + " without a time");
    return text;
  }
};

Outside count_outside(const DistributionStrip& strip, const Axis& axis) {
  Outside outside;
  for (double seconds : strip.seconds) {
    if (!std::isfinite(seconds)) {
      ++outside.no_number;
    } else if (seconds < axis.low) {
      ++outside.before_count;
      outside.before.include(seconds);
    } else if (seconds > axis.high) {
      ++outside.beyond_count;
      outside.beyond.include(seconds);
    }
  }
  return outside;
}

std::string describe(const DistributionStrip& strip, const std::string& outside) {
  std::string text = fmt::format("{}: median {}", strip.name, format_seconds(strip.summary.median));
  if (strip.seconds.empty()) return text + ", trials not known.";
  text += fmt::format(", quartiles {} to {}, {}", format_seconds(strip.summary.lower_quartile),
                      format_seconds(strip.summary.upper_quartile), trials(strip.seconds.size()));
  return text + (outside.empty() ? "." : " (" + outside + ").");
}

void draw_strip(SvgCanvas& canvas, const DistributionStrip& strip, const Axis& axis, double y) {
  const auto x = [&](double seconds) { return kLeft + axis.fraction(seconds) * (kRight - kLeft); };
  const std::string time =
      format_seconds(strip.summary.median) + (strip.seconds.empty() ? ", median only" : "");
  canvas.begin_group("strip " + series_class(strip.series));
  canvas.marker(strip.series, kTextLeft + 5, y + 10);
  const double room = kTextRight - kTextLeft - 26 - text_width(time, kTextSize);
  canvas.text(kTextLeft + 15, y + 14, shorten_text(strip.name, room, kTextSize, true),
              {.classes = "name"});
  canvas.text(kTextRight, y + 14, time, {.anchor = Anchor::end});
  const Summary& summary = strip.summary;
  if (axis.holds(summary.lower_quartile) && axis.holds(summary.upper_quartile)) {
    canvas.rectangle(x(summary.lower_quartile), y + kBoxTop,
                     x(summary.upper_quartile) - x(summary.lower_quartile), kBoxHeight, "box");
  }
  const double count = static_cast<double>(strip.seconds.size());
  for (size_t i = 0; i < strip.seconds.size(); ++i) {
    if (!axis.holds(strip.seconds[i])) continue;
    const double down = (static_cast<double>(i) + 0.5) / count;
    canvas.circle(x(strip.seconds[i]), y + kBoxTop + 2 + down * (kBoxHeight - 4), 1.8, "dot");
  }
  if (axis.holds(summary.median)) {
    canvas.line(x(summary.median), y + kBoxTop - 3, x(summary.median), y + kBoxTop + kBoxHeight + 3,
                "median");
  }
  canvas.end_group();
}

}  // namespace

std::string svg_distribution(const std::string& title,
                             const std::vector<DistributionStrip>& strips) {
  if (std::all_of(strips.begin(), strips.end(),
                  [](const DistributionStrip& strip) { return shown_range(strip).is_empty(); })) {
    return "";
  }
  const Axis axis = choose_axis(strips);
  std::vector<Outside> outside;
  double bottom = kTop + 2;
  for (const DistributionStrip& strip : strips) {
    outside.push_back(count_outside(strip, axis));
    bottom += kStrip + (outside.back().words().empty() ? 0 : kLineHeight);
  }
  SvgCanvas canvas(kWidth, bottom + 2 * kLineHeight + 8);
  canvas.horizontal_axis(axis, time_labels(axis), kLeft, kRight, kTop, bottom);
  std::string description;
  double y = kTop;
  for (size_t i = 0; i < strips.size(); ++i) {
    draw_strip(canvas, strips[i], axis, y);
    y += kStrip;
    const Outside& one = outside[i];
    const std::string words = one.words();
    if (one.beyond_count > 0) {
      canvas.polygon({{kRight + 12, y - 22}, {kRight + 5, y - 26}, {kRight + 5, y - 18}}, "arrow");
    }
    if (one.before_count > 0) {
      canvas.polygon({{kLeft - 12, y - 22}, {kLeft - 5, y - 26}, {kLeft - 5, y - 18}}, "arrow");
    }
    if (!words.empty()) {
      canvas.text(kTextRight, y + 4, shorten_text(words, kTextRight - kTextLeft, kTextSize),
                  {.classes = "note", .anchor = Anchor::end});
      y += kLineHeight;
    }
    description += (i == 0 ? "" : " ") + describe(strips[i], words);
  }
  std::string axis_title = "time of one operation";
  if (axis.is_logarithmic) {
    axis_title += ", logarithmic";
  } else if (axis.low != 0) {
    axis_title += ", axis from " + time_labels(axis)[0];
  }
  canvas.text(kTextLeft, canvas.height() - 5, axis_title, {.classes = "note"});
  return canvas.finish(title, description);
}

}  // namespace sprue
