// A compile in a process of its own: nothing that a kernel's text makes the compiler do reaches this one.
//
//   auto compiled = compile_in_helper(request, CompileOutput::binary);
//
// The helper is the program sprue-compile: $SPRUE_COMPILE_HELPER (nothing else is tried then), else
// beside this program, or beside the compiler library. It gets $SPRUE_COMPILE_SECONDS (10) of time and
// $SPRUE_COMPILE_MEGABYTES (2048) of memory, the compiler's stack not counted, and is killed after that
// with all that it started. As many run at once as there are processors; further calls wait, and that
// time isn't counted. Thread-safe. Costs a process and the opening of the library, some 25 ms a compile.
// The result is that of compile_by_library, byte for byte.
//
// Errors: those of compile_by_library; compile_failed if the text crashes the compiler or exceeds the
// limits; unavailable if there is no helper or it gives no answer; invalid_argument for a bad setting.
#pragma once

#include "compile/clang/clang_library.h"

namespace sprue {

// SPRUE_ISOLATE=1: all texts are strangers'. Read at each call.
bool isolation_wanted();

// Whether there is a helper to start.
bool helper_is_there();

Result<Compiled> compile_in_helper(const CompileRequest& request, CompileOutput output);

// The helper's exit code when it has run out of memory: it has none left to say so.
inline constexpr int kHelperOutOfMemory = 77;

}  // namespace sprue
