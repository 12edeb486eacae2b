#include "benchmark/temporary_casting.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "base/sys.h"
#include "kernel_file/open_kernel.h"

namespace sprue {

Result<Kernel> open_temporary_casting(const KernelFile& file, std::vector<CastingEntry> entries,
                                      Optimization optimization) {
  static std::atomic<int> number{0};
  SPRUE_ASSIGN(const std::string bytes, write_casting(std::move(entries)));
  std::error_code ignored;
  const auto path = std::filesystem::temp_directory_path(ignored) /
                    fmt::format("sprue-bench-{}-{}.casting", getpid(), number++);
  SPRUE_CHECK(write_file_atomically(path.string(), bytes));
  auto kernel = casting_kernel(file, path.string(), optimization);
  std::filesystem::remove(path, ignored);
  return kernel;
}

}  // namespace sprue
