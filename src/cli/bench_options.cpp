#include "cli/bench_options.h"

#include <charconv>
#include <cmath>

namespace sprue::cli {

namespace {

template <typename T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, reason] = std::from_chars(text.data(), text.data() + text.size(), value);
  return reason == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<SweepAxis> parse_sweep(const std::string& text) {
  SweepAxis axis;
  const size_t equals = text.find('=');
  const auto wrong = [&] {
    return fail(ErrorCode::invalid_argument, "bench",
                "expected --sweep NAME=VALUE,VALUE,... with integers, got '{}'", text);
  };
  if (equals == std::string::npos || equals == 0) return wrong();
  axis.name = text.substr(0, equals);
  std::string_view rest = std::string_view(text).substr(equals + 1);
  for (;;) {
    const size_t comma = rest.find(',');
    int64_t value = 0;
    if (!parse_whole(rest.substr(0, comma), value)) return wrong();
    axis.values.push_back(value);
    if (comma == std::string_view::npos) return axis;
    rest.remove_prefix(comma + 1);
  }
}

Result<double> parse_share(const std::string& text) {
  std::string_view number = text;
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  while (number.ends_with(' ')) number.remove_suffix(1);
  double value = 0;
  if (!parse_whole(number, value) || !std::isfinite(value) || value < 0)
    return fail(ErrorCode::invalid_argument, "bench", "expected a bar such as 5% or 0.05, got '{}'",
                text);
  return percent ? value / 100 : value;
}

}  // namespace sprue::cli
