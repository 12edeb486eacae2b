#include "base/log.h"

#include <cstdio>
#include <cstdlib>

namespace sprue {

bool log_enabled() {
  static const bool enabled = [] {
    const char* level = std::getenv("SPRUE_LOG");
    return level && std::string_view(level) == "info";
  }();
  return enabled;
}

void write_log(std::string_view origin, std::string_view text) {
  const std::string line = fmt::format("[{}] {}\n", origin, text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace sprue
