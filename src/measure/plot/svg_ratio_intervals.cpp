#include "measure/plot/svg_ratio_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/plot/svg_canvas.h"
#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"

namespace sprue {
namespace {

constexpr double kWidth = 360, kTop = 4;
constexpr double kLeft = 30, kRight = 330;  // of the axis: half a label fits beside it
constexpr double kTextLeft = 2, kTextRight = 358;
constexpr double kPair = 40;  // a line of text and the bar
constexpr double kBar = 28;   // from the pair's top to its bar
constexpr int kMostTicks = 7;

bool has_interval(const RatioInterval& pair) {
  return std::isfinite(pair.low) && std::isfinite(pair.high);
}

std::string verdict_words(const RatioInterval& pair) {
  const std::string verdict = has_interval(pair) ? verdict_name(pair.verdict) : "no interval";
  return pair.is_control ? "A/A control: " + verdict : verdict;
}

std::string describe(const RatioInterval& pair) {
  std::string text = fmt::format("{}: ratio {}", pair.name, format_ratio(pair.ratio));
  if (has_interval(pair)) {
    text += fmt::format(", interval {} to {}", format_ratio(pair.low), format_ratio(pair.high));
  }
  return text + ", " + verdict_words(pair) + ".";
}

Axis choose_axis(const std::vector<RatioInterval>& pairs) {
  double low = 0.98, high = 1.02;  // the band with as much beside it
  for (const RatioInterval& pair : pairs) {
    for (double value : {pair.low, pair.ratio, pair.high}) {
      if (!std::isfinite(value) || value <= 0) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  // A ratio of 1/2 weighs as much as one of 2; near 1 that makes no difference.
  return high / low > 3 ? logarithmic_axis(low, high, kMostTicks)
                        : linear_axis(low, high, kMostTicks);
}

// Points at the side that it lies on; a circle for what is on neither.
void draw_mark(SvgCanvas& canvas, const RatioInterval& pair, double x, double y) {
  constexpr double kSize = 6;
  if (!has_interval(pair) || pair.verdict == Verdict::unresolved) {
    canvas.circle(x, y, 4.5, "mark open");
  } else if (pair.verdict == Verdict::same) {
    canvas.rectangle(x - 4.5, y - 4.5, 9, 9, "mark same");
  } else {
    const double tip = pair.verdict == Verdict::faster ? -kSize : kSize;
    canvas.polygon({{x + tip, y}, {x - tip * 0.6, y - kSize}, {x - tip * 0.6, y + kSize}},
                   pair.verdict == Verdict::faster ? "mark faster" : "mark slower");
  }
}

}  // namespace

std::string svg_ratio_intervals(const std::string& title, const std::vector<RatioInterval>& pairs) {
  if (std::none_of(pairs.begin(), pairs.end(), [](const RatioInterval& pair) {
        return std::isfinite(pair.ratio) || has_interval(pair);
      })) {
    return "";
  }
  const Axis axis = choose_axis(pairs);
  const auto x = [&](double ratio) {
    return kLeft + std::clamp(axis.fraction(ratio), 0.0, 1.0) * (kRight - kLeft);
  };
  const double bottom = kTop + kPair * static_cast<double>(pairs.size()) + 4;
  SvgCanvas canvas(kWidth, bottom + 2 * kLineHeight + 8);
  canvas.rectangle(x(kFasterBelow), kTop, x(kSlowerAbove) - x(kFasterBelow), bottom - kTop, "band");
  canvas.horizontal_axis(axis, number_labels(axis, 2), kLeft, kRight, kTop, bottom);
  canvas.line(x(1), kTop, x(1), bottom, "one");
  std::string description;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const RatioInterval& pair = pairs[i];
    const double y = kTop + kPair * static_cast<double>(i);
    canvas.begin_group("pair");
    const std::string words = format_ratio(pair.ratio) + "  " + verdict_words(pair);
    const double room = kTextRight - kTextLeft - 10 - text_width(words, kTextSize);
    canvas.text(kTextLeft, y + 15, shorten_text(pair.name, room, kTextSize, true),
                {.classes = "name halo"});
    canvas.text(kTextRight, y + 15, words, {.classes = "halo", .anchor = Anchor::end});
    if (has_interval(pair)) {
      canvas.line(x(pair.low), y + kBar, x(pair.high), y + kBar, "interval");
      for (double end : {pair.low, pair.high}) {
        canvas.line(x(end), y + kBar - 4, x(end), y + kBar + 4, "interval");
      }
    }
    if (std::isfinite(pair.ratio)) draw_mark(canvas, pair, x(pair.ratio), y + kBar);
    canvas.end_group();
    description += (i == 0 ? "" : " ") + describe(pair);
  }
  const double base = canvas.height() - 5;
  canvas.text(kTextLeft, base, "← first arm faster", {.classes = "note"});
  canvas.text(kTextRight, base, axis.is_logarithmic ? "slower, logarithmic →" : "slower →",
              {.classes = "note", .anchor = Anchor::end});
  return canvas.finish(title, description);
}

}  // namespace sprue
