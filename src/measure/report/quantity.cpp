#include "measure/report/quantity.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>

namespace sprue {
namespace {

constexpr TimeUnit kTimeUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};

// The decimal exponent after rounding: 999.96 to four digits is 1000, so 3.
int decimal_exponent(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

std::string scaled(double value, double base, const char* const* names, size_t count,
                   const char* unit) {
  if (!std::isfinite(value)) return kNotMeasured;
  size_t step = 0;
  // 999.5 of three digits would print as 1000 of the smaller unit.
  while (step + 1 < count && std::abs(value) >= base * 0.9995) {
    value /= base;
    ++step;
  }
  // Whole numbers below the base need no point: "48 MiB", "512 B".
  const bool is_whole = value == std::round(value) && std::abs(value) < 1e4;
  return fmt::format("{} {}{}", is_whole ? fmt::format("{:.0f}", value) : format_digits(value, 3),
                     names[step], unit);
}

constexpr const char* kDecimalPrefixes[] = {"", "k", "M", "G", "T", "P"};
constexpr const char* kBinaryPrefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

}  // namespace

std::string format_digits(double value, int digits) {
  if (!std::isfinite(value)) return kNotMeasured;
  if (value == 0) return "0";
  const int exponent = decimal_exponent(value, digits);
  if (exponent < -4 || exponent > 7) return fmt::format("{:.{}e}", value, digits - 1);
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string format_decimals(double value, int decimals) {
  if (!std::isfinite(value)) return kNotMeasured;
  if (std::abs(value) >= 1e9) return format_digits(value, 4);
  return fmt::format("{:.{}f}", value, decimals);
}

std::string format_ratio(double ratio) {
  const double size = std::abs(ratio);
  return size < 9.9995 && size >= 0.01 ? format_decimals(ratio, 3) : format_digits(ratio, 4);
}

TimeUnit time_unit(double seconds) {
  for (const TimeUnit& unit : kTimeUnits) {
    if (std::abs(seconds) >= unit.seconds * 0.99995) return unit;
  }
  return kTimeUnits[std::size(kTimeUnits) - 1];
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return kNotMeasured;
  const TimeUnit unit = time_unit(seconds);
  return fmt::format("{} {}", format_digits(seconds / unit.seconds, 4), unit.name);
}

std::string format_bytes(double bytes) {
  return scaled(bytes, 1000, kDecimalPrefixes, std::size(kDecimalPrefixes), "B");
}

std::string format_capacity(double bytes) {
  return scaled(bytes, 1024, kBinaryPrefixes, std::size(kBinaryPrefixes), "B");
}

std::string format_bandwidth(double bytes_a_second) {
  return scaled(bytes_a_second, 1000, kDecimalPrefixes, std::size(kDecimalPrefixes), "B/s");
}

std::string format_operations(double operations_a_second) {
  return scaled(operations_a_second, 1000, kDecimalPrefixes, std::size(kDecimalPrefixes), "op/s");
}

std::string format_percent(double share) {
  if (!std::isfinite(share)) return kNotMeasured;
  if (std::abs(share) >= 1e4) return format_digits(share * 100, 3) + " %";
  return fmt::format("{:.{}f} %", share * 100, std::abs(share) < 0.0995 ? 1 : 0);
}

}  // namespace sprue
