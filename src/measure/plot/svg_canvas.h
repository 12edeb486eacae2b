// Writes one picture as inline SVG, for an HTML page whose stylesheet is report_html_style.h.
//
//   SvgCanvas canvas(360, 120);
//   canvas.line(10, 60, 350, 60, "axis");
//   canvas.marker(2, 100, 60);                              // the third series: its shape and colour
//   canvas.text(10, 20, "jit", {.classes = "name"});
//   std::string svg = canvas.finish("Times of row default", "jit: median 12.3 µs ...");
//
// Coordinates are pixels from the upper left; text is kTextSize high and escaped here. A picture is shown
// at its size up to a third larger, never smaller, so text stays legible; a narrow page scrolls its box.
// Not for documents of their own: nothing is styled without the page. Belongs to one thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/plot/svg_axis.h"

namespace sprue {

inline constexpr double kTextSize = 12;
inline constexpr double kLineHeight = 15;

enum class Anchor { start, middle, end };

struct TextStyle {
  std::string_view
      classes;  // of the stylesheet: "name" is bold, "note" muted, "tick" an axis label
  Anchor anchor = Anchor::start;
};

class SvgCanvas {
 public:
  SvgCanvas(double width, double height) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }

  // `y` is the baseline. Moved sideways where it would leave the picture, shortened where that
  // doesn't help.
  void text(double x, double y, std::string_view text, const TextStyle& style = {});
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void rectangle(double x, double y, double width, double height, std::string_view classes);
  void circle(double x, double y, double radius, std::string_view classes);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view classes);
  void polygon(const std::vector<std::pair<double, double>>& points, std::string_view classes);
  // The shape and colour that stand for series number `series`; `hint` shows where a pointer rests.
  void marker(size_t series, double x, double y, std::string_view hint = {});
  // Ticks with grid lines from `top` to `bottom` and, under them, the labels that have room.
  void horizontal_axis(const Axis& axis, const std::vector<std::string>& labels, double left,
                       double right, double top, double bottom);
  // Ticks with grid lines from `left` to `right`, labels left of them.
  void vertical_axis(const Axis& axis, const std::vector<std::string>& labels, double left,
                     double right, double top, double bottom);
  // Begins at (x, y) and rises by `degrees`.
  void rising_text(double x, double y, double degrees, std::string_view text,
                   std::string_view classes);
  // Everything until end_group belongs to one thing and inherits its classes.
  void begin_group(std::string_view classes);
  void end_group() { content_ += "</g>"; }

  // `description` says in words what the picture shows.
  std::string finish(std::string_view title, std::string_view description) const;

 private:
  double width_, height_;
  std::string content_;
};

// The class that gives a series its colour: "s0" to "s6".
std::string series_class(size_t series);

}  // namespace sprue
