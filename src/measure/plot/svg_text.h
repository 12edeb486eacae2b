// Text inside markup: escaping, and how wide it will be without a browser to ask.
//
//   escape_markup("a<b");                         // "a&lt;b"
//   shorten_text("a_very_long_name", 60, 12);     // "a_ve…name"
//
// Widths are those of a wide face (DejaVu Sans): what fits by this estimate fits in the usual ones too.
// Not for shaping: a cluster of code points counts as their sum. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sprue {

// For element content and quoted attributes. What isn't UTF-8, control characters and the ones that turn
// the direction of writing become U+FFFD.
std::string escape_markup(std::string_view text);

// In pixels, at `size` pixels an em.
double text_width(std::string_view text, double size, bool is_bold = false);

// Middle characters give way to an ellipsis until the text fits; names differ at their ends.
std::string shorten_text(std::string_view text, double width, double size, bool is_bold = false);

}  // namespace sprue
