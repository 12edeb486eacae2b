// Ahead of time: entries of a casting from calls, without running them.
#pragma once

#include <span>
#include <vector>

#include "casting/casting.h"
#include "kernel/kernel_state.h"

namespace sprue {

// The specialisation that a call asks for.
Specialization specialization_of(const KernelCall& call);

inline constexpr Optimization kStandardOnly[] = {Optimization::standard};

// One entry for each distinct specialisation, target and optimisation, in order of first appearance;
// compiled in parallel. Errors: those of the call's checks, the generator and the compiler.
Result<std::vector<CastingEntry>> cast_kernel(
    const KernelDefinition& definition, std::span<const Specialization> specializations,
    std::span<const Target> targets, std::span<const Optimization> optimizations = kStandardOnly);

}  // namespace sprue
