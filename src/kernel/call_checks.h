// What is checked of a call before anything runs.
#pragma once

#include "device/device.h"
#include "program/definition.h"
#include "program/signature.h"

namespace sprue {

// Counts, dtypes, sizes and names; the device of each input.
Status check_call(const KernelDefinition& definition, const KernelCall& call, const Device& device,
                  std::string_view origin);

// The shapes and strides that a CUDA kernel takes by value have ten places.
Status check_cuda_ndim(const KernelDefinition& definition, const Signature& signature,
                       const KernelCall& call, std::string_view origin);

// Mutable inputs: memory of their own, writable, row-contiguous, in no other argument.
Status check_mutable_inputs(const KernelDefinition& definition, const KernelCall& call,
                            std::string_view origin);

}  // namespace sprue
