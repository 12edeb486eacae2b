// Lines for people who look into what happened: SPRUE_LOG=info prints them on standard error.
//
//   log_info("casting", "took {} for {}: the best that runs here", target, kernel);
//
// Not for errors (they are returned) and not for results (they go to standard output).
// Thread-safe: one line is one write. Off, a call costs a load and a branch.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace sprue {

bool log_enabled();
void write_log(std::string_view origin, std::string_view text);

template <typename... Arguments>
void log_info(std::string_view origin, fmt::format_string<Arguments...> text,
              Arguments&&... arguments) {
  if (log_enabled()) write_log(origin, fmt::format(text, std::forward<Arguments>(arguments)...));
}

}  // namespace sprue
