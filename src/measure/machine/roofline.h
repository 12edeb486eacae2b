// The ceilings of this machine, measured: what no kernel can be faster than.
//
//   const Roofline roof = measure_roofline();
//   const RowBound bound = find_bound(roof, working_set, bytes, operations);
//   // bound.by == "bandwidth", bound.seconds == bytes / 41 GB/s
//
// Bandwidth is that of reading, by all threads of the pool, from a set of half a cache's capacity (and
// from far more than the last one: "memory"). Arithmetic is float32 fused multiply-adds in the widest
// vectors of this processor. Each is the best of several passes. What binds a row is inferred from the
// declared bytes and operations: the roof under which they take longest. Not a model of caches: a kernel
// that reads its inputs twice, or writes much, has a lower roof than this one.
//
// Belongs to one thread at a time: it uses the pool. Cost: about 0.3 s and four
// times the last cache, 64 MB to 1 GB.
#pragma once

#include "measure/report.h"

namespace sprue {

// launch_seconds is left 0: a launch is the caller's to time.
Roofline measure_roofline();

// The level that a working set of this size lives in: the nearest that holds it all.
const Roofline::Level& level_of(const Roofline& roof, int64_t working_set_bytes);

// `bytes` and `operations` of one operation of a kernel; what isn't declared doesn't bind.
RowBound find_bound(const Roofline& roof, int64_t working_set_bytes, std::optional<double> bytes,
                    std::optional<double> operations);

}  // namespace sprue
