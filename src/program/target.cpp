#include "program/target.h"

#include "program/identifier.h"

namespace sprue {

std::string Target::name() const { return "cpu:" + architecture; }

Result<Target> Target::from_name(std::string_view name) {
  if (name == "cpu" || name == "cpu:x86-64-v3") return Target{TargetKind::cpu, "x86-64-v3", ""};
  if (name == "cpu:x86-64-v4") return Target{TargetKind::cpu, "x86-64-v4", ""};
  return fail(ErrorCode::invalid_argument, "target",
              "expected a target, got {}; known: cpu, cpu:x86-64-v3, cpu:x86-64-v4",
              shown_name(name));
}

}  // namespace sprue
