// A program that is given bytes, answers with bytes, and is not waited for longer than agreed.
//
//   SPRUE_ASSIGN(auto run, run_bounded({"/usr/lib/sprue-compile"}, request, {.seconds = 10}));
//   if (run.end == BoundedRun::End::exited) use(run.output);
//
// The program reads its input from a file in memory, so writing can't block or raise SIGPIPE. It is the
// leader of a process group of its own, which is killed when the call returns, whatever has happened.
// Its standard error is dropped. Not for programs that talk back and forth. Thread-safe.
// Errors: not_found if there is no such program, io for what else the system refuses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sprue {

struct ProcessBounds {
  double seconds = 10;                     // of wall-clock time
  size_t output_bytes = size_t{64} << 20;  // more is an end by overflow
};

struct BoundedRun {
  enum class End {
    exited,     // `status` is its exit code
    signalled,  // `status` is the signal
    timed_out,
    overflowed,  // it wrote too much
  } end = End::exited;
  int status = 0;
  std::string output;  // what it wrote to standard output
};

Result<BoundedRun> run_bounded(const std::vector<std::string>& command, std::string_view input,
                               const ProcessBounds& bounds = {});

}  // namespace sprue
