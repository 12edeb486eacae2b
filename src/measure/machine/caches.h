// The data caches that this process can use, as Linux tells them.
//
//   for (const Cache& cache : data_caches()) fmt::print("{} {}\n", cache.name, cache.capacity);
//   // L1d 65536, L2 1048576, L3 33554432: on two cores
//
// Capacities are of all instances that the process's processors reach. Empty where the system doesn't
// tell (some containers and virtual machines). Thread-safe; reads small files at each call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sprue {

struct Cache {
  std::string name;      // "L1d", "L2", "L3"
  int64_t capacity = 0;  // bytes, in all instances
};

// Nearest first. `root` is the folder of the processors; tests give their own.
std::vector<Cache> data_caches(const std::string& root = "/sys/devices/system/cpu");

}  // namespace sprue
