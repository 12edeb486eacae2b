// What a binary is made for.
#pragma once

#include <compare>
#include <string>

#include "base/result.h"

namespace sprue {

enum class TargetKind : uint8_t { cpu, cuda };

struct Target {
  TargetKind kind = TargetKind::cpu;
  // CPU: a name that LLVM knows ("x86-64-v3", "znver5") and the features on top of it, sorted
  // ("+avx,-avx512bf16,..."); features are empty for the x86-64 levels.
  // CUDA: "sm_90a" for machine code, "compute_90" for PTX; no features.
  std::string architecture = "x86-64-v3";
  std::string features;

  auto operator<=>(const Target&) const = default;
  std::string name() const;  // "cpu:x86-64-v3", "cuda:sm_90a"
  // "cpu" (x86-64-v3), "cpu:x86-64-v3", "cpu:x86-64-v4", "cuda:sm_80", "cuda:compute_90" and so on.
  static Result<Target> from_name(std::string_view name);
};

}  // namespace sprue
