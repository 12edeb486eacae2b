// Running another program and reading what it writes.
//
//   SPRUE_ASSIGN(auto git, run_process({"git", "show", "HEAD:scale.toml"}, {.folder = "kernels"}));
//   if (git.exit_code == 0) use(git.output);
//
// The words go to the program as they are: no shell reads them. The call returns when the program has
// ended and nobody holds its output open. The program gets an empty standard input and this process's
// environment. Not for programs that talk back. Thread-safe. Errors: not_found if there is no such
// program, io for all else; a program that fails is no error here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace sprue {

struct ProcessOptions {
  std::string folder;        // where it runs; empty: here
  bool show_errors = false;  // its standard error is this process's
};

struct ProcessResult {
  int exit_code = 0;   // 128 + the signal's number if one ended it
  std::string output;  // what it wrote to standard output
  std::string errors;  // and to standard error, unless shown
};

// command[0] is looked for in PATH unless it holds a slash.
Result<ProcessResult> run_process(const std::vector<std::string>& command,
                                  const ProcessOptions& options = {});

}  // namespace sprue
