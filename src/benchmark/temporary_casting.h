// Entries as a casting that lives only as long as its kernel. Internal to benchmark/.
#pragma once

#include "casting/casting.h"
#include "kernel_file/kernel_file.h"

namespace sprue {

// The file is gone when this returns; what it held stays mapped.
Result<Kernel> open_temporary_casting(const KernelFile& file, std::vector<CastingEntry> entries,
                                      Optimization optimization);

}  // namespace sprue
