// Process-wide counters: the oracle of the caching tests and the figures behind `--json`.
// Relaxed atomics: each is exact once the threads that counted have been joined.
#pragma once

#include <atomic>
#include <cstdint>

namespace sprue {

struct Counters {
  std::atomic<uint64_t> definitions{0};      // distinct kernel definitions interned
  std::atomic<uint64_t> hits{0};             // calls that found their specialisation
  std::atomic<uint64_t> misses{0};           // calls that made one
  std::atomic<uint64_t> evictions{0};        // specialisations dropped to respect the table's bound
  std::atomic<uint64_t> generated_texts{0};  // sources generated
  std::atomic<uint64_t> compiles{0};         // compiler runs that were started
  std::atomic<uint64_t> failed_compiles{0};
  std::atomic<uint64_t> loads{0};     // binaries loaded onto a device
  std::atomic<uint64_t> launches{0};  // launches given to a device
  std::atomic<uint64_t> fills{0};     // outputs filled with an init_value
  std::atomic<uint64_t> copies{0};    // inputs made row-contiguous
};

Counters& counters();

}  // namespace sprue
