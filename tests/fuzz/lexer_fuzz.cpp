// Any text through the lexer, the name scan, the lowering and the generator: none may crash. Tokens cover
// the text and know their places; the lowered text is as long as the source, with the same line breaks;
// what is generated around it is whole, so no text ends the function that holds it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dialect/generator.h"
#include "dialect/lowering.h"
#include "dialect/name_scan.h"
#include "program/definition.h"

namespace sprue {
namespace {

void expect(bool condition) {
  if (!condition) std::abort();
}

void check_tokens(std::string_view text, const TokenList& list) {
  size_t offset = 0;
  uint32_t line = 1;
  for (const Token& token : list.tokens()) {
    expect(token.offset == offset && token.size > 0 && token.line >= line);
    expect(token.column >= 1 && token.column <= offset + 1);
    offset += token.size;
    line = token.line;
  }
  expect(offset == text.size());
  // Line breaks as \n, \r\n or \r.
  uint32_t breaks = 0;
  for (size_t i = 0; i < text.size(); ++i)
    breaks += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
  expect(line <= breaks + 1);
}

void check_brackets(const Code& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    const size_t partner = code.match(i);
    expect(partner == Code::kNone || (partner < code.size() && partner != i));
    expect(code.run_end(i) > i && code.run_end(i) <= code.size());
    expect(code.parent(i) == Code::kNone || code.parent(i) < i);
  }
}

void check_lowered(const Code& code, std::string_view text, TextRole role) {
  const auto lowered = lower(code, text, role);
  if (!lowered) {
    expect(lowered.error().line >= 1 && lowered.error().column >= 1);
    return;
  }
  expect(lowered->text.size() == text.size());
  for (size_t i = 0; i < text.size(); ++i)
    expect((text[i] != '\n' && text[i] != '\r') || lowered->text[i] == text[i]);
}

void check_generated(std::string_view text, bool as_body) {
  KernelOptions options{.name = "k", .input_names = {"x"}, .output_names = {"y"}};
  (as_body ? options.source : options.header) = text;
  const auto definition = make_definition(options, "metal_kernel");
  if (!definition) return;  // a NUL byte
  const Specialization specialization{{{float32, false, false}}, {float32}, {{"T", float32}}};
  const auto generated = generate_cpu(*definition, specialization);
  if (!generated) return;
  const TokenList tokens = lex(generated->text);
  expect(!Code(tokens).error());
}

}  // namespace
}  // namespace sprue

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sprue;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TokenList tokens = lex(text);
  check_tokens(text, tokens);
  const Code code(tokens);
  check_brackets(code);
  static const std::string names[] = {"grid_size", "x_shape", "thread_position_in_grid"};
  scan_names(code, names);
  for (TextRole role : {TextRole::body, TextRole::header}) check_lowered(code, text, role);
  check_generated(text, size % 2 == 0);  // the costly one: as a body or as a header
  return 0;
}
