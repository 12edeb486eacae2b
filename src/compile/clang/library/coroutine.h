// One thread of a kernel as a stackless coroutine.
#pragma once

#include <llvm/IR/Function.h>

namespace sprue_clang {

// void sprue_run_thread(launch, thread) with yields becomes
// void* sprue_run_thread(launch, thread, frame): it runs to the first yield or the end and returns the
// frame, whose first word resumes it. On return the thread's state is set to done.
void make_coroutine(llvm::Function& thread_function);

// Bytes of the frame, known once LLVM's coroutine passes have run.
uint64_t coroutine_frame_bytes(const llvm::Module& module);

}  // namespace sprue_clang
