// Files compiled into the program, so that nothing has to be found at run time.
#pragma once

#include <span>
#include <string_view>

namespace sprue {

struct EmbeddedText {
  std::string_view name;  // file name without its folder
  std::string_view text;
};

std::span<const EmbeddedText> prelude_texts();    // src/dialect/preludes and program/cpu_abi.h
std::span<const EmbeddedText> preamble_texts();   // src/dialect/preambles
std::span<const EmbeddedText> operation_texts();  // src/ops/*/*.metal
std::span<const EmbeddedText> preset_texts();     // src/benchmark/presets/*.toml

}  // namespace sprue
