// Generated text, and a request to compile it. Both are plain data: what was hashed is what is compiled.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "program/definition.h"
#include "program/signature.h"
#include "program/target.h"
#include "sprue/kernel.h"

namespace sprue {

// "default", "fast": in options, on the command line, in reports.
std::string_view optimization_name(Optimization optimization);
bool optimization_from_name(std::string_view name, Optimization& optimization);

struct GeneratedSource {
  std::string text;  // complete for its target, with #line directives for the user's two files
  std::string
      entry_name;  // MLX's label: custom_kernel_<name>_<values>_<dtypes>, a valid identifier
  Signature signature;
  std::map<std::string, std::string> headers = {};  // the user's own, lowered: name -> text
  Digest digest;                                    // of text and headers
};

struct CompileRequest {
  std::string text;
  std::string file_name;  // of the text, for diagnostics outside the user's files
  std::string kernel_name;
  std::string entry_name;
  Signature signature;
  // Path -> bytes: all that an #include can find, the prelude's and the user's own.
  std::map<std::string, std::string> headers, user_headers;
  // Name in #line directives -> the user's own text: diagnostics point there and show its lines.
  std::map<std::string, std::string> user_files;
  Target target;
  Dialect dialect = Dialect::metal;  // of the user's texts
  MathMode math = MathMode::safe;
  Optimization optimization = Optimization::standard;

  // Options that change the binary, in order, as one line of text.
  std::string options() const;
};

}  // namespace sprue
