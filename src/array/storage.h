// Memory behind arrays: where it is, whose it is, and how it goes back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "sprue/array.h"

namespace sprue {

struct Storage {
  void* address = nullptr;
  size_t bytes = 0;
  DeviceId device;
  uint64_t stream = 0;  // the stream that last wrote it, opaque to all but its device; 0 = none
  bool writable = true;
  std::function<void()> release;  // runs once, when the last reference is gone
  std::atomic<int> references{1};
};

// 64-byte aligned host memory of at least `bytes` bytes (one cache line if 0), from a small pool of
// recently returned blocks. Throws std::bad_alloc.
StorageReference allocate_host_storage(size_t bytes);

}  // namespace sprue
