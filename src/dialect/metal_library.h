// Metal text as a whole: one file that a Mac's `metal` compiles as it is, for several specialisations of
// one kernel, under MLX's host names.
//
//   SPRUE_ASSIGN(MetalLibrary library, generate_metal_library(definition, specializations, "exp"));
//   library.text      // preamble, the user's header, one kernel a specialisation
//   library.command   // "xcrun -sdk macosx metal -std=metal3.1 ... -o exp.metallib exp.metal"
//
// The kernels' text is, byte for byte, what KernelCall::verbose prints, its header once. Not for running:
// no Metal is compiled by this program, and neither text nor command has been run on Apple hardware.
// Pure and thread-safe, like the generators. Errors: theirs; invalid_argument for two specialisations that
// have one label and two texts, for a file holds a label once.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/generator.h"

namespace sprue {

// generate_metal's text in its two parts.
struct MetalText {
  std::string
      header;  // of the definition, with its #line directives; the same for all; may be empty
  std::string kernel;
  std::string entry_name;
  Signature signature;
  std::string text() const { return header + kernel; }
};
Result<MetalText> generate_metal_text(const KernelDefinition& definition,
                                      const Specialization& specialization);

struct MetalLibrary {
  std::string text;
  std::string command;  // builds a metallib of it, in one shell line
};
// `stem` is the file's name without its folder and ".metal".
Result<MetalLibrary> generate_metal_library(const KernelDefinition& definition,
                                            std::span<const Specialization> specializations,
                                            std::string_view stem);

}  // namespace sprue
