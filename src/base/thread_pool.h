// One process-wide pool of threads for data-parallel loops; the caller takes part.
//
//   parallel_for(rows, 16, [&](int64_t begin, int64_t end) { for (...) work(row); });
//
// Not for blocking work: a body that waits for another body may wait for ever. Bodies must not throw.
// Nested and concurrent calls are allowed: a caller that finds the pool busy runs its loop alone.
// SPRUE_CPU_THREADS sets the number of threads (default: the processors this process may use). After
// fork() the child makes its own pool on first use.
#pragma once

#include <cstdint>
#include <functional>

namespace sprue {

// Runs body over [0, count) in pieces of about `grain` indices, on any thread; returns when all are
// done. Each index runs exactly once.
void parallel_for(int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& body);

int parallel_threads();  // threads that take part, the caller included; at least 1

}  // namespace sprue
