// From a kernel file to a kernel that can be called, with errors as values.
//
//   SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
//   SPRUE_ASSIGN(const Arrays outputs, call_kernel(kernel, call));
#pragma once

#include "kernel_file/kernel_file.h"
#include "sprue/casting.h"

namespace sprue {

// Compiled when it is called.
Result<Kernel> jit_kernel(const KernelFile& file,
                          Optimization optimization = Optimization::standard);

// From a casting, whose entries must be made from this file's source with this optimisation.
Result<Kernel> casting_kernel(const KernelFile& file, const std::string& casting_path,
                              Optimization optimization = Optimization::standard);

// What the public call operator does, without an exception.
Result<Arrays> call_kernel(const Kernel& kernel, const KernelCall& call);

}  // namespace sprue
