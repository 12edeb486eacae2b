// Whether builds that are about to be timed compute the same thing. Internal to benchmark/.
#pragma once

#include <optional>

#include "benchmark/built_arm.h"

namespace sprue {

// Runs each arm once, on inputs of its own from `make_inputs`, and compares outputs and mutable inputs
// with those of an earlier arm: with the first one that is promised to give the same bits if there is
// one (its bar is 0), else with the first arm. That bar is `bar` if given, else by the coarsest output's
// dtype: 0 for integers, 1e-4 for float32, 2e-2 for narrower floats, of the largest magnitude.
Result<std::vector<ArmParity>> compare_outputs(
    const std::vector<BuiltArm>& arms, const std::vector<size_t>& mutable_inputs,
    const std::function<Result<KernelCall>()>& make_inputs, std::optional<double> bar);

}  // namespace sprue
