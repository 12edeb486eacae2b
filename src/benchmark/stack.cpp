#include "benchmark/stack.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <set>

#include "base/version.h"
#include "measure/machine/caches.h"
#include "measure/machine/machine.h"

namespace sprue {

nlohmann::ordered_json stack_identity(const BenchReport& report) {
  std::set<std::string> compilers;
  for (const BenchRow& row : report.rows)
    for (const ArmIdentity& arm : row.arms)
      if (!arm.compiler.empty()) compilers.insert(arm.compiler);
  nlohmann::ordered_json caches = nlohmann::ordered_json::object();
  for (const Cache& cache : data_caches()) caches[cache.name] = cache.capacity;
  return {{"sprue", kVersion},
          {"machine", this_machine().json()},
          {"caches", std::move(caches)},
          {"kernel_compilers", compilers},
          {"driver", nullptr},  // the CPU has none
          {"libraries",
           {{"glibc", gnu_get_libc_version()},
            {"libstdc++", fmt::format("{}", _GLIBCXX_RELEASE)},
            {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                FMT_VERSION % 100)}}}};
}

}  // namespace sprue
