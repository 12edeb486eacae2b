// The parts of an error about a kernel file. Internal to kernel_file/.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sprue {

// An error that begins with "[kernel_file] PATH:LINE: " and carries both in its details.
Error error_at(std::string_view path, int line, std::string_view text,
               ErrorCode code = ErrorCode::invalid_argument);

// 'text' with control characters escaped and cut at 60 bytes.
std::string quoted(std::string_view text);

// "[origin] text" without the origin, for an error that gets a file and line in front.
std::string_view without_origin(std::string_view message);

}  // namespace sprue
