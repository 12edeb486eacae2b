// Kernel files from arbitrary bytes: an error or a file whose calls can be made, never a crash.
#include "kernel_file/kernel_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sprue;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parse_kernel_file(text, "/nonexistent/kernel.toml", {.sizes = {{"M", -1}, {"N", 7}}});
  const auto file = parse_kernel_file(text, "/nonexistent/kernel.toml");
  if (!file) return 0;
  for (const CallSpec& call : file->calls) {
    // Arrays are only made where they are small: their contents are no part of the reader.
    int64_t bytes = 0;
    for (const InputSpec& input : call.inputs) {
      const auto* filled = std::get_if<FilledInput>(&input.content);
      if (!filled) continue;
      int64_t array = static_cast<int64_t>(dtype_size(filled->dtype));
      for (const int64_t extent : filled->shape) array *= extent;
      bytes = std::max(bytes, array);
    }
    if (bytes <= 1 << 16) (void)make_call(*file, call);
  }
  return 0;
}
