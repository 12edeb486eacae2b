#include "benchmark/presets.h"

#include <filesystem>

#include "base/embedded_text.h"

namespace sprue {

namespace {

struct Shipped {
  const char *name, *description;
  std::vector<SweepAxis> sweep;
};

// The sizes at which published int4 GEMV tables are given. N is what a CPU does in the time that a
// person waits.
const std::vector<Shipped>& shipped() {
  static const std::vector<Shipped> presets = {
      {"int4-gemv",
       "4-bit matrix (N = 1024 rows) times a vector, K from 8192 to 40960",
       {{"N", {1024}}, {"K", {8192, 16384, 20480, 28672, 32768, 40960}}}},
  };
  return presets;
}

Result<std::string> read_embedded(const std::string& path, uint64_t) {
  const std::string name = std::filesystem::path(path).filename();
  for (const auto texts : {preset_texts(), operation_texts()})
    for (const EmbeddedText& text : texts)
      if (text.name == name) return std::string(text.text);
  return fail(ErrorCode::not_found, "bench", "expected {} among the program's texts, got none",
              name);
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Shipped& preset : shipped()) names.push_back(preset.name);
  return names;
}

Result<Preset> find_preset(const std::string& name) {
  for (const Shipped& preset : shipped())
    if (preset.name == name)
      return Preset{
          preset.name,
          preset.description,
          {.path = name + ".toml", .shown = "preset " + name, .read = {.read_text = read_embedded}},
          preset.sweep};
  return fail(ErrorCode::not_found, "bench", "expected a preset ({}), got '{}'",
              fmt::join(preset_names(), ", "), name);
}

}  // namespace sprue
