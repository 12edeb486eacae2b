#include "kernel_file/relative_path.h"

#include <filesystem>

namespace sprue {

std::string resolve_beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace sprue
