// What a figure was measured on: part of every report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sprue {

struct Machine {
  std::string processor;         // "AMD EPYC 9B45"
  int processors = 0;            // that this process may use
  std::string operating_system;  // PRETTY_NAME of /etc/os-release
  std::string kernel;            // of the operating system
  std::string host_compiler;     // that built this program
  double load = 0;               // one-minute load average when asked

  nlohmann::ordered_json json() const;
};

Machine this_machine();

}  // namespace sprue
