// Paths in a kernel file are relative to it.
#pragma once

#include <string>

namespace sprue {

// `path` as it stands in the kernel file `file`, as this process opens it.
std::string resolve_beside(const std::string& file, const std::string& path);

}  // namespace sprue
