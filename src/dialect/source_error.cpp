#include "dialect/source_error.h"

namespace sprue {

Error to_error(const SourceError& error, std::string_view kernel_name, std::string_view file,
               std::string_view origin) {
  ErrorDetails details;
  details.user_file = std::string(file);
  details.line = static_cast<int>(error.line);
  details.column = static_cast<int>(error.column);
  details.compile_log = fmt::format("{}:{}:{}: error: expected {}, got {}; {}\n", file, error.line,
                                    error.column, error.expected, error.got, error.hint);
  return Error(
      ErrorCode::compile_failed,
      fmt::format("[{}] expected {}, got {} at {}:{}:{}; {}; kernel '{}'", origin, error.expected,
                  error.got, file, error.line, error.column, error.hint, kernel_name),
      std::move(details));
}

}  // namespace sprue
