// A request to compile a body over x and y, both float32, as the call path makes it.
#pragma once

#include <string>

#include "base/embedded_text.h"
#include "dialect/generator.h"
#include "program/source.h"

namespace sprue {

inline CompileRequest request_for(const std::string& body,
                                  const std::string& architecture = "x86-64-v3",
                                  const std::string& name = "emitted",
                                  const std::string& header = "") {
  const KernelDefinition definition = value_or_throw(make_definition(
      {.name = name, .input_names = {"x"}, .output_names = {"y"}, .source = body, .header = header},
      "test"));
  Specialization specialization;
  specialization.inputs = {{float32, false, false}};
  specialization.outputs = {float32};
  const GeneratedSource source = value_or_throw(generate_cpu(definition, specialization));
  CompileRequest request;
  request.text = source.text;
  request.file_name = "<generated>";
  request.kernel_name = definition.name;
  request.entry_name = source.entry_name;
  request.signature = source.signature;
  for (const EmbeddedText& text : prelude_texts())
    request.headers.emplace(std::string(text.name), std::string(text.text));
  request.user_files.emplace(definition.source_file, definition.source);
  request.user_files.emplace(definition.header_file, definition.header);
  request.target.architecture = architecture;
  return request;
}

}  // namespace sprue
