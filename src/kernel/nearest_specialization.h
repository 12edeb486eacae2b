// What a missing specialisation is closest to, and in what it differs.
#pragma once

#include <span>
#include <string>

#include "program/specialization.h"

namespace sprue {

// "nearest is x: float32 -> y: float32 <N=64>, which differs in x (float32 for float16), N (64 for 128)"
// or "there are none".
std::string describe_nearest(const KernelDefinition& definition, const Specialization& wanted,
                             std::span<const Specialization> known);

}  // namespace sprue
