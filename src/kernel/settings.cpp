#include "kernel/settings.h"

#include <cstdlib>
#include <string_view>

namespace sprue {

KernelSettings& kernel_settings() {
  static KernelSettings* settings = [] {
    auto is = [](const char* name, std::string_view value) {
      const char* text = std::getenv(name);
      return text && text == value;
    };
    auto* fresh = new KernelSettings;
    fresh->verify_keys = is("SPRUE_VERIFY_KEYS", "1");
    fresh->table = !is("SPRUE_TABLE", "0");
    return fresh;
  }();
  return *settings;
}

}  // namespace sprue
