// Generated text to a binary. One implementation a kind of compiler; each is thread-safe and compiles
// different requests in parallel.
#pragma once

#include <string>

#include "program/binary.h"
#include "program/source.h"

namespace sprue {

// Texts on the way to a binary, for people.
enum class EmitKind : uint8_t {
  llvm,      // LLVM's IR after the optimiser
  assembly,  // the machine code, before it is linked with the runtime's functions
  ptx,       // CUDA's
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Counts in counters().compiles. Errors: compile_failed with the log in its details, the user's files
  // and lines; unavailable when the compiler isn't on this machine.
  virtual Result<Binary> compile(const CompileRequest& request) = 0;
  // What compile() would have gone through. The same request gives the same text, in any folder and
  // process. Counts and fails as compile() does; nothing is linked, so a call of a function without a
  // body shows only as a call.
  virtual Result<std::string> emit(const CompileRequest& request, EmitKind kind) = 0;
};

// clang, by libsprue-clang.so, which is opened at the first compile. In this process; in a helper process
// with limits (compile/isolated/isolated_compile.h) where SPRUE_ISOLATE=1 asks for it, and, if there is a
// helper, for all that comes after clang has crashed in this one. Either way the bytes are the same.
Compiler& clang_compiler();

// Whether the language allows a text that generate_cpu() made: clang's front end and the rules of Metal that
// other compilers don't know (address spaces, no recursion, no double). What is refused here is refused on
// every device. About a third of a compile's time; counts as none. Errors: as compile()'s; unavailable
// without clang's library.
Status check_language(const CompileRequest& request);

// NVRTC (compile/nvrtc/nvrtc_library.h says where it is looked for): machine code, a cubin, for targets
// "sm_90a", PTX for "compute_90". In this process, several at a time. No header of the CUDA toolkit is
// needed. Emits PTX only.
Compiler& nvrtc_compiler();

Compiler& compiler_for(TargetKind target);

}  // namespace sprue
