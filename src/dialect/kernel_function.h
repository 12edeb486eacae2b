// A Metal kernel as one C++ function: what the generators for C++ targets have in common.
//
//   SPRUE_ASSIGN(const KernelFunction kernel, lower_kernel(definition, specialization));
//   kernel.write_prelude(writer, "metal_cpu.h");
//   kernel.write_function(writer);      // the user's header, then LABEL(parameters, attributes) { body }
//
// Errors: those of generator.h. Owns all its texts.
#pragma once

#include <map>

#include "dialect/lowering.h"
#include "dialect/text_writer.h"
#include "program/source.h"
#include "program/specialization.h"

namespace sprue {

struct KernelFunction {
  std::string entry_name;
  Signature signature;
  LoweredText header, body;
  std::map<std::string, std::string> includes;  // name -> text with its #line
  std::string header_file, source_file;
  std::string prelude_definitions;  // macros in front of the prelude: its parts
  std::string swizzle_definitions;  // macros behind it
  std::string template_line;        // "template <typename T>\n", or nothing
  std::string template_arguments;   // "<float16_t>", or nothing

  bool has_threadgroup_storage() const {
    return header.has_threadgroup_storage || body.has_threadgroup_storage;
  }
  // Definitions, `#include "PRELUDE"`, definitions.
  void write_prelude(TextWriter& writer, std::string_view prelude) const;
  // Stands in front of what calls the function, and that in front of all user text: its macros then touch
  // nothing of ours.
  void write_declaration(TextWriter& writer) const;
  void write_header(TextWriter& writer) const;
  void write_function(TextWriter& writer) const;
  // What a generator returns, once its text is complete.
  GeneratedSource source(std::string text) const;
};

Result<KernelFunction> lower_kernel(const KernelDefinition& definition,
                                    const Specialization& specialization,
                                    const LoweringOptions& options = {});

}  // namespace sprue
