// What is checked of a call before anything runs.
#pragma once

#include "device/device.h"
#include "program/definition.h"

namespace sprue {

// Counts, dtypes, sizes and names; the device of each input.
Status check_call(const KernelDefinition& definition, const KernelCall& call, const Device& device,
                  std::string_view origin);

// Mutable inputs: memory of their own, writable, row-contiguous, in no other argument.
Status check_mutable_inputs(const KernelDefinition& definition, const KernelCall& call,
                            std::string_view origin);

}  // namespace sprue
