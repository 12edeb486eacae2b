#include "program/source.h"

#include "program/definition.h"

namespace sprue {

namespace {
constexpr std::string_view kOptimizations[] = {"default", "fast"};
}

std::string_view optimization_name(Optimization optimization) {
  const auto index = static_cast<size_t>(optimization);
  return index < std::size(kOptimizations) ? kOptimizations[index] : "unknown";
}

bool optimization_from_name(std::string_view name, Optimization& optimization) {
  for (size_t i = 0; i < std::size(kOptimizations); ++i) {
    if (kOptimizations[i] != name) continue;
    optimization = static_cast<Optimization>(i);
    return true;
  }
  return false;
}

std::string CompileRequest::options() const {
  return fmt::format("target={} features={} math={} opt={}", target.architecture, target.features,
                     math_mode_name(math), optimization_name(optimization));
}

}  // namespace sprue
