// A fault in the user's text that is found before any compiler sees it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sprue {

struct SourceError {
  uint32_t line = 1;    // 1-based, in the text at hand
  uint32_t column = 1;  // 1-based, in bytes
  std::string expected;
  std::string got;
  std::string hint;
};

// compile_failed, under the kind of kernel as origin: "[metal_kernel] expected E, got G at FILE:LINE:COLUMN; HINT; kernel 'NAME'", with
// a log in GCC form.
Error to_error(const SourceError& error, std::string_view kernel_name, std::string_view file,
               std::string_view origin = "metal_kernel");

}  // namespace sprue
