// Any text through the lexer, the name scan and the lowering: none may crash, and the lowered text is as
// long as the source, with the same line breaks.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dialect/lowering.h"
#include "dialect/name_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sprue;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TokenList tokens = lex(text);
  const Code code(tokens);
  static const std::string names[] = {"grid_size", "x_shape", "thread_position_in_grid"};
  scan_names(code, names);
  for (TextRole role : {TextRole::body, TextRole::header}) {
    const auto lowered = lower(code, text, role);
    if (!lowered) continue;
    if (lowered->text.size() != size) std::abort();
    for (size_t i = 0; i < size; ++i)
      if ((text[i] == '\n' || text[i] == '\r') && lowered->text[i] != text[i]) std::abort();
  }
  return 0;
}
