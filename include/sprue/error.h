// Errors, as the public doors throw them.
//
//   try {
//     auto out = kernel({...});
//   } catch (const sprue::Error& error) {
//     std::fprintf(stderr, "%s\n", error.what());         // [metal_kernel] expected X, got Y; hint
//     if (error.code() == sprue::ErrorCode::compile_failed) show(error.details().compile_log);
//   }
//
// Every message has the form `[origin] expected X, got Y; hint`. Inside the library errors are values
// (base/result.h); they are thrown once, at the public edge. Not for reporting bugs of Sprue itself:
// those are assertions.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace sprue {

enum class ErrorCode {
  invalid_argument,  // the caller's input is wrong: names, counts, shapes, dtypes, limits
  not_found,         // a file, a device, a casting entry
  compile_failed,    // the kernel's text does not compile: see compile_log
  load_failed,       // a binary does not load or does not fit its declaration
  corrupt,           // a file's content contradicts itself
  io,                // the system refused: read, write, map
  unavailable,       // a part that isn't on this machine: the compiler library, a device
  internal,          // a fault in Sprue, reported rather than aborted on
};

// The code's name as it stands above, for JSON.
const char* error_code_name(ErrorCode code);

struct ErrorDetails {
  std::string compile_log;  // compiler's diagnostics, GCC form, the user's own file names and lines
  std::string user_file;    // file of the first diagnostic; empty if unknown
  int line = 0;             // 1-based line in user_file; 0 if unknown
  int column = 0;           // 1-based, in bytes; 0 if unknown
  std::string options;      // options of the failed compile
};

class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message, ErrorDetails details = {})
      : code_(code), message_(std::move(message)), details_(std::move(details)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const ErrorDetails& details() const { return details_; }

 private:
  ErrorCode code_;
  std::string message_;
  ErrorDetails details_;
};

}  // namespace sprue
