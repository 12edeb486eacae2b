// libsprue-clang.so, opened when it is first needed, and one compile by it.
//
//   auto compiled = compile_by_library(request, CompileOutput::binary);
//   if (!compiled && compiler_library_crashed()) ...    // go on in another process
//
// Looked for at $SPRUE_CLANG_LIBRARY, else beside the program, in ../lib of it, and in the build tree.
// Never closed. Thread-safe; compiles run in parallel. Errors: compile_failed with the log in its
// details; unavailable without a library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/binary.h"
#include "program/source.h"

namespace sprue {

enum class CompileOutput : uint8_t { binary, llvm, assembly, check };

// What the library made of a request.
struct Compiled {
  std::string bytes;     // a shared object, or text; nothing of a check
  std::string log;       // warnings
  std::string compiler;  // "clang 19.1.7"
  Binary::Timing timing;
};

Result<Compiled> compile_by_library(const CompileRequest& request, CompileOutput output);

// clang has crashed in this process: it can't be trusted any more and refuses what comes.
bool compiler_library_crashed();

// Where the library is looked for, in order.
std::vector<std::filesystem::path> compiler_library_places();

}  // namespace sprue
