#include "measure/plot/svg_text.h"

#include <cstdint>
#include <vector>

namespace sprue {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Takes one code point off the front; kReplacement for a byte that doesn't belong to any.
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
  char32_t value = length == 1 ? first : first & (0xFF >> (length + 1));
  bool is_valid = text.size() >= length && (length < 4 || first >> 3 == 30);
  for (size_t i = 1; is_valid && i < length; ++i) {
    is_valid = byte(i) >> 6 == 2;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms must be used
  is_valid = is_valid && value >= kSmallest[length] && value <= 0x10FFFF && value >> 11 != 0x1B;
  text.remove_prefix(is_valid ? length : 1);
  return is_valid ? value : kReplacement;
}

bool is_forbidden(char32_t value) {
  if (value < 0x20) return value != '\n' && value != '\t';
  return (value >= 0x7F && value < 0xA0) || (value >= 0x202A && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x2069) || (value & 0xFFFE) == 0xFFFE;
}

// In hundredths of an em, from the space on.
constexpr uint8_t kWidths[] = {
    32,  40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34,  // space to /
    64,  64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53,  // 0 to ?
    100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,  // @ to O
    61,  79, 70, 64, 61, 74, 69, 99, 69, 61, 69, 39, 34, 39, 84, 50,  // P to _
    50,  62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62,  // ` to o
    64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84, 64,  // p to DEL
};

double code_point_width(char32_t value) {
  if (value < 0x20) return 0.32;
  if (value < 0x80) return kWidths[value - 0x20] / 100.0;
  if (value < 0x1100) return 0.8;
  return value < 0x2E80 ? 1.0 : 1.1;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t value = take_code_point(text);
    switch (value) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (value == kReplacement || is_forbidden(value)) {
          result += "\uFFFD";
        } else {
          result += before.substr(0, before.size() - text.size());
        }
    }
  }
  return result;
}

double text_width(std::string_view text, double size, bool is_bold) {
  double ems = 0;
  while (!text.empty()) ems += code_point_width(take_code_point(text));
  return ems * size * (is_bold ? 1.12 : 1);
}

std::string shorten_text(std::string_view text, double width, double size, bool is_bold) {
  if (text_width(text, size, is_bold) <= width) return std::string(text);
  std::vector<std::string_view> pieces;
  std::vector<double> widths;
  const double scale = size * (is_bold ? 1.12 : 1);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view before = rest;
    widths.push_back(code_point_width(take_code_point(rest)) * scale);
    pieces.push_back(before.substr(0, before.size() - rest.size()));
  }
  std::string head, tail;
  double room = width - scale;  // the ellipsis
  for (size_t front = 0, back = pieces.size(); front < back;) {
    const bool takes_front = front <= pieces.size() - back;
    const size_t i = takes_front ? front++ : --back;
    room -= widths[i];
    if (room < 0) break;
    if (takes_front) {
      head += pieces[i];
    } else {
      tail.insert(0, pieces[i]);
    }
  }
  return head + "…" + tail;
}

}  // namespace sprue
