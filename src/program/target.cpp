#include "program/target.h"

#include "program/identifier.h"

namespace sprue {

namespace {

constexpr std::string_view kCuda = "cuda:";

// "90", "90a", "120f": two or three digits, and a letter for code of one family only.
bool is_version(std::string_view text) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const std::string_view suffix = text.substr(digits);
  return (digits == 2 || digits == 3) && (suffix.empty() || suffix == "a" || suffix == "f");
}

bool is_cuda_architecture(std::string_view name) {
  for (std::string_view prefix : {"sm_", "compute_"})
    if (name.starts_with(prefix)) return is_version(name.substr(prefix.size()));
  return false;
}

}  // namespace

std::string Target::name() const {
  return (kind == TargetKind::cpu ? "cpu:" : "cuda:") + architecture;
}

Result<Target> Target::from_name(std::string_view name) {
  if (name == "cpu" || name == "cpu:x86-64-v3") return Target{TargetKind::cpu, "x86-64-v3", ""};
  if (name == "cpu:x86-64-v4") return Target{TargetKind::cpu, "x86-64-v4", ""};
  if (name.starts_with(kCuda) && is_cuda_architecture(name.substr(kCuda.size())))
    return Target{TargetKind::cuda, std::string(name.substr(kCuda.size())), ""};
  return fail(
      ErrorCode::invalid_argument, "target",
      "expected a target, got {}; known: cpu, cpu:x86-64-v3, cpu:x86-64-v4, cuda:sm_90a and "
      "other architectures of CUDA, cuda:compute_90 and others for PTX",
      shown_name(name));
}

}  // namespace sprue
