// Whole kernels in the style of those that people run: counts and hash tables in threadgroup memory, by
// atomics.
#include <set>

#include "language/matrix.h"

namespace sprue::language {
namespace {

uint32_t pixel(int64_t i) { return static_cast<uint32_t>(i * 2654435761 % 4294967296 >> 11) % 256; }

std::vector<Row> kernel_rows() {
  std::vector<Row> rows;
  constexpr int64_t kPixels = 30'000;
  std::vector<Real> pixels;
  for (int64_t i = 0; i < kPixels; ++i) pixels.push_back(Real(pixel(i)));
  // Each group counts in threadgroup memory, cast from plain uints, and adds up in device memory.
  rows.push_back({.name = "histogram",
                  .body =
                      "uint i = thread_position_in_grid.x, t = thread_position_in_threadgroup.x;\n"
                      "threadgroup uint bins[256];\n"
                      "for (uint k = t; k < 256; k += threads_per_threadgroup.x) bins[k] = 0;\n"
                      "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                      "for (uint k = i; k < uint(COUNT); k += threads_per_grid.x)\n"
                      "  atomic_fetch_add_explicit((threadgroup atomic_uint*)&bins[pixels[k]], 1u, "
                      "memory_order_relaxed);\n"
                      "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                      "for (uint k = t; k < 256; k += threads_per_threadgroup.x)\n"
                      "  if (bins[k] != 0) atomic_fetch_add_explicit((device "
                      "atomic_uint*)&counts[k], bins[k], "
                      "memory_order_relaxed);",
                  .template_arguments = {{"COUNT", static_cast<int>(kPixels)}},
                  .inputs = {{"pixels", make_array(uint8, pixels)}},
                  .outputs = {{"counts",
                               uint32,
                               {256},
                               [](int64_t bin) {
                                 Real count = 77;
                                 for (int64_t i = 0; i < kPixels; ++i) count += pixel(i) == bin;
                                 return count;
                               }}},
                  .grid = {1000, 1, 1},
                  .threadgroup = {128, 1, 1}});
  // Keys into an open hash table. Where a key lies depends on who comes first; how often it lies there
  // doesn't.
  constexpr int64_t kKeys = 3000;
  const auto key = [](int64_t i) { return pixel(i) * 16 + pixel(i + 999) % 16; };
  std::vector<Real> keys;
  for (int64_t i = 0; i < kKeys; ++i) keys.push_back(Real(key(i)));
  const std::set<Real> distinct(keys.begin(), keys.end());
  rows.push_back(
      {.name = "hash_insert",
       .body = "uint t = thread_position_in_threadgroup.x, n = threads_per_threadgroup.x;\n"
               "threadgroup uint table[4096];\n"
               "threadgroup atomic_uint* cells = (threadgroup atomic_uint*)table;\n"
               "for (uint k = t; k < 4096; k += n) table[k] = 0;\n"
               "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
               "for (uint k = t; k < 3000; k += n) {\n"
               "  uint wanted = keys[k] + 1, slot = wanted * 2654435761u >> 20;\n"
               "  for (uint probes = 0; probes < 4096; ++probes, slot = (slot + 1) & 4095) {\n"
               "    uint held = atomic_load_explicit(cells + slot, memory_order_relaxed);\n"
               "    if (held == 0 && atomic_compare_exchange_weak_explicit(cells + slot, &held, "
               "wanted, "
               "memory_order_relaxed, memory_order_relaxed)) {\n"
               "      atomic_fetch_add_explicit((device "
               "atomic_uint*)&inserted[threadgroup_position_in_grid"
               ".x], 1u, memory_order_relaxed);\n"
               "      break;\n"
               "    }\n"
               "    if (held == wanted) break;\n"
               "  }\n"
               "}\n"
               "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
               "for (uint k = t; k < 4096; k += n)\n"
               "  if (table[k] != 0) atomic_fetch_add_explicit((device "
               "atomic_uint*)&present[table[k] - 1], "
               "1u, memory_order_relaxed);",
       .inputs = {{"keys", make_array(uint32, keys)}},
       .outputs =
           {{"present",
             uint32,
             {4096},
             [distinct](int64_t k) { return Real(77 + 4 * distinct.count(Real(k))); }},
            {"inserted", uint32, {4}, [distinct](int64_t) { return Real(77 + distinct.size()); }}},
       .grid = {4 * 320, 1, 1},
       .threadgroup = {320, 1, 1}});
  return rows;
}
SPRUE_MATRIX(AtomicKernels, kernel_rows)

}  // namespace
}  // namespace sprue::language
