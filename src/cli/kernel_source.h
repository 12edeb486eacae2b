// The kernel of a kernel file, just-in-time or from a casting: what run and bench have in common.
#pragma once

#include <string>

#include "kernel_file/kernel_file.h"
#include "sprue/casting.h"

namespace sprue::cli {

// The kernel compiled when it is called.
Result<Kernel> jit_kernel(const KernelFile& file);
// The kernel from a casting, whose entries must be made from this file's source.
Result<Kernel> casting_kernel(const KernelFile& file, const std::string& casting_path);

// The calls to make: the one of that name, or all if the name is empty.
Result<std::vector<const CallSpec*>> select_calls(const KernelFile& file, const std::string& name);

// "cpu" is the only device there is.
Status check_device(const std::string& name);

}  // namespace sprue::cli
