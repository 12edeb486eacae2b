// What NVRTC said, as data: places in the user's files, no places in ours.
//
//   scale.metal(2): error: identifier "und" is undefined
//      x[0]=und;
//           ^
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "compile/diagnostic_log.h"

namespace sprue {

// Errors and warnings in order; notes (lists of overloads) are dropped. What was found inside the
// prelude moves to the user's line that led there, if the log names one; else it has no place.
std::vector<CompilerDiagnostic> parse_nvrtc_log(
    std::string_view log, const std::map<std::string, std::string>& user_files);

}  // namespace sprue
