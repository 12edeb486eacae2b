// Entries as a casting that lives only as long as its kernel. Internal to benchmark/.
#pragma once

#include "benchmark/built_arm.h"
#include "casting/casting.h"

namespace sprue {

// The file is gone when this returns; what it held stays mapped.
Result<Kernel> open_temporary_casting(const KernelFile& file, std::vector<CastingEntry> entries,
                                      Optimization optimization);

// An arm over a kernel, identified by the binary that the call runs.
Result<BuiltArm> build_kernel_arm(const KernelFile& file, const Kernel& kernel,
                                  const KernelCall& call, std::string name, std::string route,
                                  Optimization optimization);

}  // namespace sprue
