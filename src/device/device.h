// One device of this machine: memory, loading, running. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/launch.h"
#include "program/target.h"

namespace sprue {

class Device : public LaunchSink {
 public:
  virtual DeviceId id() const = 0;
  virtual std::string description() const = 0;  // for people: "AMD EPYC 9B45, 2 threads"
  virtual Target jit_target() const = 0;        // what a just-in-time compile is made for
  // Whether a binary for this target runs here, and a reason if it doesn't.
  virtual Status accepts(const Target& target) const = 0;
  virtual Result<std::shared_ptr<const Pipeline>> load(const Binary& binary) = 0;
  // Uninitialised memory for an output.
  virtual Result<Array> allocate(const Shape& shape, Dtype dtype) = 0;
  // Sets every element of a row-contiguous array; the value is converted to its dtype.
  virtual Status fill(Array& array, double value) = 0;
  // Sets every byte of a row-contiguous array to 0xff: NaN, or the largest integer.
  virtual Status poison(Array& array) = 0;
};

Device& cpu_device();

}  // namespace sprue
