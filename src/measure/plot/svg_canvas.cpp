#include "measure/plot/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "measure/plot/svg_text.h"

namespace sprue {
namespace {

constexpr size_t kColours = 7;
// Around (0, 0), about as heavy as a circle of radius 4. Eight shapes and seven colours have no common
// divisor: 56 series differ.
constexpr const char* kShapes[] = {
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z",  // circle
    "M-3.6-3.6H3.6V3.6H-3.6Z",             // square
    "M0-4.8L4.6 3.4H-4.6Z",                // triangle
    "M0-5.2L5.2 0L0 5.2L-5.2 0Z",          // diamond
    "M0 4.8L4.6-3.4H-4.6Z",                // triangle on its tip
    "M-4.6-3L-3-4.6L0-1.6L3-4.6L4.6-3L1.6 0L4.6 3L3 4.6L0 1.6L-3 4.6L-4.6 3L-1.6 0Z",  // cross
    "M-1.3-5H1.3V-1.3H5V1.3H1.3V5H-1.3V1.3H-5V-1.3H-1.3Z",                             // plus
    "M0-5L4.8-1.5L2.9 4H-2.9L-4.8-1.5Z",                                               // pentagon
};

// Two decimals at most: a hundredth of a pixel is below what anybody sees.
std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", std::clamp(value, -1e5, 1e5));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string point_list(const std::vector<std::pair<double, double>>& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    text += (text.empty() ? "" : " ") + number(x) + "," + number(y);
  }
  return text;
}

}  // namespace

void SvgCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  const bool is_bold = style.classes.starts_with("name");
  const std::string shown = shorten_text(text, width_ - 2, kTextSize, is_bold);
  const double width = text_width(shown, kTextSize, is_bold);
  const double before = style.anchor == Anchor::start    ? 0
                        : style.anchor == Anchor::middle ? width / 2
                                                         : width;
  x = std::max(std::min(x, width_ - 1 - width + before), before + 1);
  content_ += fmt::format(R"(<text x="{}" y="{}")", number(x), number(y));
  if (!style.classes.empty()) content_ += fmt::format(R"( class="{}")", style.classes);
  if (style.anchor != Anchor::start) {
    content_ +=
        style.anchor == Anchor::middle ? R"( text-anchor="middle")" : R"( text-anchor="end")";
  }
  content_ += ">" + escape_markup(shown) + "</text>";
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  content_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>)", number(x1),
                          number(y1), number(x2), number(y2), classes);
}

void SvgCanvas::rectangle(double x, double y, double width, double height,
                          std::string_view classes) {
  content_ +=
      fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="{}"/>)", number(x),
                  number(y), number(std::max(width, 0.0)), number(std::max(height, 0.0)), classes);
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view classes) {
  content_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}" class="{}"/>)", number(x), number(y),
                          number(radius), classes);
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points,
                         std::string_view classes) {
  content_ += fmt::format(R"(<polyline points="{}" class="{}"/>)", point_list(points), classes);
}

void SvgCanvas::polygon(const std::vector<std::pair<double, double>>& points,
                        std::string_view classes) {
  content_ += fmt::format(R"(<polygon points="{}" class="{}"/>)", point_list(points), classes);
}

void SvgCanvas::marker(size_t series, double x, double y, std::string_view hint) {
  content_ +=
      fmt::format(R"svg(<path class="marker {}" transform="translate({} {})" d="{}")svg",
                  series_class(series), number(x), number(y), kShapes[series % std::size(kShapes)]);
  content_ += hint.empty() ? "/>" : fmt::format("><title>{}</title></path>", escape_markup(hint));
}

void SvgCanvas::horizontal_axis(const Axis& axis, const std::vector<std::string>& labels,
                                double left, double right, double top, double bottom) {
  double free_from = 0;
  for (size_t i = 0; i < axis.ticks.size(); ++i) {
    const double x = left + axis.fraction(axis.ticks[i]) * (right - left);
    line(x, top, x, bottom, "grid");
    const double width = text_width(labels[i], kTextSize);
    // As text() will place it.
    const double begin = std::clamp(x - width / 2, 1.0, std::max(width_ - 1 - width, 1.0));
    if (begin < free_from) continue;
    text(x, bottom + kLineHeight, labels[i], {.classes = "tick", .anchor = Anchor::middle});
    free_from = begin + width + 6;
  }
  line(left, bottom, right, bottom, "axis");
}

void SvgCanvas::vertical_axis(const Axis& axis, const std::vector<std::string>& labels, double left,
                              double right, double top, double bottom) {
  for (size_t i = 0; i < axis.ticks.size(); ++i) {
    const double y = bottom - axis.fraction(axis.ticks[i]) * (bottom - top);
    line(left, y, right, y, "grid");
    text(left - 6, y + 4, labels[i], {.classes = "tick", .anchor = Anchor::end});
  }
}

void SvgCanvas::rising_text(double x, double y, double degrees, std::string_view text,
                            std::string_view classes) {
  content_ +=
      fmt::format(R"svg(<text class="{}" transform="translate({} {}) rotate({})">{}</text>)svg",
                  classes, number(x), number(y), number(-degrees), escape_markup(text));
}

void SvgCanvas::begin_group(std::string_view classes) {
  content_ += fmt::format(R"(<g class="{}">)", classes);
}

std::string SvgCanvas::finish(std::string_view title, std::string_view description) const {
  return fmt::format(
      R"(<svg role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}" style="min-width:{0}px;max-width:{2}px">)"
      "<title>{3}</title><desc>{4}</desc>{5}</svg>",
      number(width_), number(height_), number(std::round(width_ * 4 / 3)), escape_markup(title),
      escape_markup(description), content_);
}

std::string series_class(size_t series) { return fmt::format("s{}", series % kColours); }

}  // namespace sprue
