// Measured numbers as people read them, with a unit that suits; what isn't finite is an en dash.
//
//   format_seconds(1.2312e-5);               // "12.31 µs"
//   format_digits(0.96871, 3);               // "0.969"
//   format_bytes(12'582'912);                // "12.6 MB"
//
// Not for data that a program reads back: JSON holds every digit. Pure functions, independent of the locale.
#pragma once

#include <string>

namespace sprue {

inline constexpr const char* kNotMeasured = "–";

// So many significant digits, in decimal notation where that stays readable, else as 1.23e+12.
std::string format_digits(double value, int digits);
// So many digits after the point.
std::string format_decimals(double value, int decimals);

// "0.969", "1.002", "12.50": three decimals below ten, else four digits.
std::string format_ratio(double ratio);

struct TimeUnit {
  double seconds;
  const char* name;  // "ns", "µs", "ms", "s"
};
// The largest unit of which the time, rounded to four digits, is at least one; ns for less.
TimeUnit time_unit(double seconds);
std::string format_seconds(double seconds);  // four digits

std::string format_bytes(double bytes);     // of traffic: powers of 1000, three digits
std::string format_capacity(double bytes);  // of memories: powers of 1024, "48 MiB"
std::string format_bandwidth(double bytes_a_second);
std::string format_operations(double operations_a_second);  // "51.2 Gop/s"
std::string format_percent(double share);  // 0.374: "37 %"; below 10 % one digit more

}  // namespace sprue
