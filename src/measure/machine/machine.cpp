#include "measure/machine/machine.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>

#include "base/thread_pool.h"

namespace sprue {

namespace {

// The value of the first line that starts with `key`, after `separator`, without quotes.
std::string field_of(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    size_t begin = line.find(separator);
    if (begin == std::string::npos) return "";
    begin = line.find_first_not_of(" \t\"", begin + 1);
    const size_t end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return "";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = field_of("/proc/cpuinfo", "model name", ':');
  machine.processors = parallel_threads();
  machine.operating_system = field_of("/etc/os-release", "PRETTY_NAME", '=');
  utsname system{};
  if (uname(&system) == 0) machine.kernel = system.release;
  machine.host_compiler = "GCC " __VERSION__;
#ifdef __clang__
  machine.host_compiler = __VERSION__;
#endif
  double load = 0;
  if (getloadavg(&load, 1) == 1) machine.load = load;
  return machine;
}

nlohmann::ordered_json Machine::json() const {
  return {{"processor", processor},
          {"processors", processors},
          {"operating_system", operating_system},
          {"kernel", kernel},
          {"host_compiler", host_compiler},
          {"load_average", load}};
}

}  // namespace sprue
