// A compiler's diagnostics as text for people and as an error.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/source.h"

namespace sprue {

struct CompilerDiagnostic {
  enum class Severity { error, warning, note } severity = Severity::error;
  std::string file;  // the user's file; empty if the place isn't in one
  int line = 0;      // 1-based; 0 if unknown
  int column = 0;    // 1-based, bytes; 0 if unknown
  std::string message;
};

// Line `number` (1-based) of a text, without its end; empty if there is none.
std::string_view line_of(std::string_view text, int number);

// GCC form, one diagnostic after the other, with the user's line and a caret:
//   scale.metal:3:7: error: use of undeclared identifier 'q'
//       3 | y[i] = q;
//         |        ^
std::string format_log(const std::vector<CompilerDiagnostic>& diagnostics,
                       const std::map<std::string, std::string>& user_files);

// compile_failed: "[compile] expected kernel 'scale' to compile, got scale.metal:3:7: error: ...".
Error compile_error(const std::vector<CompilerDiagnostic>& diagnostics,
                    const CompileRequest& request);

}  // namespace sprue
