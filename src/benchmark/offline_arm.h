// The generated text built by the system's own compiler, offline: another route to the same code.
#pragma once

#include "benchmark/built_arm.h"

namespace sprue {

// Compiled by clang++ (19, else whichever is there; the prelude needs clang) with the flags of the
// just-in-time compiler, and loaded like a casting. Errors: unavailable without a clang++, and for a
// kernel that waits for other threads or has threadgroup storage: those need Sprue's own passes.
Result<BuiltArm> build_offline_arm(const KernelFile& file, const KernelCall& call);

}  // namespace sprue
