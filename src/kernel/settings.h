// Process-wide switches of the call path, read once from the environment; tests set them.
#pragma once

#include <atomic>

namespace sprue {

struct KernelSettings {
  // SPRUE_VERIFY_KEYS=1: every hit generates its text again and fails if it differs.
  std::atomic<bool> verify_keys{false};
  // SPRUE_TABLE=0: every call generates, compiles and loads anew.
  std::atomic<bool> table{true};
  // Outputs without an init_value are filled with 0xff bytes (NaN, or the largest integer) before the
  // launch, so that an element that no thread writes shows.
  std::atomic<bool> poison_outputs{false};
};

KernelSettings& kernel_settings();

}  // namespace sprue
