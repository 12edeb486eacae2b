// Symbols and markers that the generated text, the prelude and the passes agree on.
#pragma once

namespace sprue_clang {

inline constexpr char kRunGroups[] = "sprue_run_groups";
inline constexpr char kRunThread[] = "sprue_run_thread";
inline constexpr char kKernelInfo[] = "sprue_kernel_info";
inline constexpr char kYieldMarker[] = "__sprue_yield";
inline constexpr char kThreadMarker[] = "__sprue_thread";
inline constexpr char kLoopMarker[] = "__sprue_independent";
// Where the `extern __shared__` arrays of CUDA text begin; the generated text gives it its size.
inline constexpr char kDynamicShared[] = "sprue_dynamic_shared";
inline constexpr char kThreadgroupSection[] = ".sprue_threadgroup";

}  // namespace sprue_clang
