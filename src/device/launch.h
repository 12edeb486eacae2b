// A launch as plain data, and who takes it. Every call becomes one; devices differ only in what runs it.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "program/binary.h"
#include "sprue/kernel.h"

namespace sprue {

// A Binary loaded on one device: what a launch runs. Reference-counted, so code stays mapped while a
// launch or a table entry holds it. Immutable, hence safe to share between threads.
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  // The limits of this kernel on its device.
  struct Limits {
    uint32_t threads_per_threadgroup = 1024;
    uint64_t threadgroup_memory = 0;  // bytes that it uses
  };
  virtual const Limits& limits() const = 0;
};

inline constexpr int kMaximumParameters = 31;  // Metal's buffer slots

// Arguments packed for a launch: the 16-byte slots of program/cpu_abi.h, in signature order, and the
// shape and strides that some of them point to.
struct Argument {
  const void* address = nullptr;
  uint64_t value = 0;
};

struct Launch {
  std::shared_ptr<const Pipeline> pipeline;
  const Argument* arguments = nullptr;  // argument_count; borrowed for the time of submit()
  uint32_t argument_count = 0;
  Size3 grid;                                // threads, each at least 1
  Size3 threadgroup;                         // threads of a full group, as the caller asked
  const std::string* kernel_name = nullptr;  // for errors; borrowed
  // A sink that runs later keeps references. Mutable inputs are written too.
  std::span<const Array> inputs;
  std::span<const Array> outputs;
};

// Where launches go: a device (they run), a recording (they are kept), or nowhere (to time the host).
class LaunchSink {
 public:
  virtual ~LaunchSink() = default;
  virtual Status submit(const Launch& launch) = 0;
};

}  // namespace sprue
