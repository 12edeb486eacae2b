#include "program/source.h"

#include "program/definition.h"

namespace sprue {

namespace {
std::string_view optimization_name(Optimization optimization) {
  switch (optimization) {
    case Optimization::standard:
      return "standard";
  }
  return "unknown";
}
}  // namespace

std::string CompileRequest::options() const {
  return fmt::format("target={} features={} math={} opt={}", target.architecture, target.features,
                     math_mode_name(math), optimization_name(optimization));
}

}  // namespace sprue
