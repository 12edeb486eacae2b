#include "measure/machine/stack.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "base/version.h"
#include "measure/machine/caches.h"
#include "measure/machine/machine.h"

namespace sprue {

nlohmann::ordered_json stack_identity(const std::set<std::string>& kernel_compilers) {
  nlohmann::ordered_json caches = nlohmann::ordered_json::object();
  for (const Cache& cache : data_caches()) caches[cache.name] = cache.capacity;
  return {{"sprue", kVersion},
          {"machine", this_machine().json()},
          {"caches", std::move(caches)},
          {"kernel_compilers", kernel_compilers},
          {"driver", nullptr},
          {"libraries",
           {{"glibc", gnu_get_libc_version()},
            {"libstdc++", fmt::format("{}", _GLIBCXX_RELEASE)},
            {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                FMT_VERSION % 100)}}}};
}

}  // namespace sprue
