// The arguments of a launch, packed into a buffer of fixed size: no allocation for ordinary kernels.
#pragma once

#include "device/launch.h"
#include "program/signature.h"

namespace sprue {

class ArgumentPack {
 public:
  // `inputs` and `outputs` stay alive and in place while this pack is used: host scalars and shapes are
  // pointed to. Errors: a shape slot whose extent doesn't fit int32.
  Status fill(const Signature& signature, std::span<const Array> inputs,
              std::span<const Array> outputs, std::string_view kernel_name,
              std::string_view origin);

  const Argument* arguments() const { return arguments_; }
  uint32_t count() const { return count_; }

 private:
  Argument arguments_[kMaximumParameters];
  uint32_t count_ = 0;
  SmallVector<int32_t, 32> extents_;  // shapes of all inputs with a shape slot, one after the other
};

}  // namespace sprue
