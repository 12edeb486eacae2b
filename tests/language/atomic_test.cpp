// Atomics: each operation on each type against a serial model, and sums of many threads in device and
// threadgroup memory.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <memory>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

// One operation by one thread: what it gives back and what it leaves.
struct Operation {
  std::string call;  // of `a`, a pointer to the cell, and `b`
  std::function<Real(Real cell, Real b)> left;
  bool gives_back = true;
};

std::vector<Operation> operations(Dtype type) {
  const auto integer = [type](auto operation) {
    return [=](Real cell, Real b) {
      const uint64_t mask = (uint64_t{1} << 8 * dtype_size(type)) - 1;
      return decode(operation(encode(cell, type), encode(b, type)) & mask, type);
    };
  };
  std::vector<Operation> list = {
      {"atomic_load_explicit(a, memory_order_relaxed)", [](Real cell, Real) { return cell; }},
      {"atomic_exchange_explicit(a, b, memory_order_relaxed)", [](Real, Real b) { return b; }},
      {"atomic_store_explicit(a, b, memory_order_relaxed)", [](Real, Real b) { return b; }, false}};
  if (type == bool_) return list;
  const auto fetch = [&](const char* name, const std::function<Real(Real, Real)>& left) {
    list.push_back(
        {fmt::format("atomic_fetch_{}_explicit(a, b, memory_order_relaxed)", name), left});
  };
  fetch("add", [type](Real cell, Real b) { return sum_in(type, cell, b); });
  fetch("sub", [type](Real cell, Real b) { return sum_in(type, cell, -b); });
  if (type == float32) return list;
  fetch("min", [](Real cell, Real b) { return std::min(cell, b); });
  fetch("max", [](Real cell, Real b) { return std::max(cell, b); });
  fetch("and", integer([](uint64_t x, uint64_t y) { return x & y; }));
  fetch("or", integer([](uint64_t x, uint64_t y) { return x | y; }));
  fetch("xor", integer([](uint64_t x, uint64_t y) { return x ^ y; }));
  return list;
}

// Each thread has a cell and an operand of its own. `left` is what its cell holds after operation k,
// `got` what that gave back.
Row serial(const std::string& type_name, Dtype type, const std::vector<Real>& cells,
           const std::vector<Real>& operands, const std::string& memory) {
  auto list = std::make_shared<std::vector<Operation>>(operations(type));
  const auto threads = static_cast<int64_t>(cells.size());
  Row row{.name = type_name + "_in_" + memory};
  row.body = fmt::format(
      "uint i = thread_position_in_grid.x, n = threads_per_grid.x; {} b = operands[i];\n",
      type_name);
  const bool shared = memory == "threadgroup";
  if (shared) row.body += fmt::format("threadgroup {} cells[64];\n", type_name);
  for (size_t k = 0; k < list->size(); ++k) {
    const std::string at = shared ? "cells[i]" : fmt::format("left[{} * n + i]", k);
    row.body += fmt::format("{{ {} = start[i]; auto* a = ({} atomic<{}>*)&{};\n ", at, memory,
                            type_name, at);
    if ((*list)[k].gives_back) row.body += fmt::format("got[{} * n + i] = ", k);
    row.body += (*list)[k].call + ";\n";
    if (shared) row.body += fmt::format(" left[{} * n + i] = cells[i];\n", k);
    row.body += "}\n";
  }
  row.inputs = {{"start", make_array(type, cells)}, {"operands", make_array(type, operands)}};
  const auto count = static_cast<int64_t>(list->size());
  const auto text = [=](int64_t index) {
    return (*list)[static_cast<size_t>(index / threads)].call;
  };
  row.outputs = {{.name = "left",
                  .dtype = type,
                  .shape = {count, threads},
                  .expected =
                      [=](int64_t index) {
                        const auto i = static_cast<size_t>(index % threads);
                        return (*list)[static_cast<size_t>(index / threads)].left(cells[i],
                                                                                  operands[i]);
                      },
                  .element_text = text},
                 {.name = "got",
                  .dtype = type,
                  .shape = {count, threads},
                  .expected =
                      [=](int64_t index) {
                        if (!(*list)[static_cast<size_t>(index / threads)].gives_back)
                          return Real(77);
                        return cells[static_cast<size_t>(index % threads)];
                      },
                  .element_text = text}};
  row.grid = {threads, 1, 1};
  row.threadgroup = {threads, 1, 1};
  return row;
}

std::vector<Row> serial_rows() {
  const Real top = 2147483647;
  const std::vector<Real> ints = {0, 1, -1, 5, top, -top - 1, 123456, -7},
                          more = {1, -1, 3, 5, 1, -1, -99, 12};
  const std::vector<Real> uints = {0, 1, 2, 5, 4294967295.0L, 77, 123456, 1u << 31},
                          other = {1, 4294967295.0L, 3, 5, 1, 9, 99, 1u << 31};
  const std::vector<Real> floats = {0, -0.0L, 1.5L, -2, 1e30L, INFINITY, 16777216, 1e-40L},
                          addends = {-0.0L, -0.0L, 0.25L, 7, 1e30L, 1, 1, rounded(1e-40L, float32)};
  std::vector<Real> start = floats;
  start[7] = rounded(start[7], float32);
  start[4] = rounded(start[4], float32);
  std::vector<Real> summands = addends;
  summands[4] = rounded(summands[4], float32);
  std::vector<Row> rows;
  for (const char* memory : {"device", "threadgroup"}) {
    rows.push_back(serial("int", int32, ints, more, memory));
    rows.push_back(serial("uint", uint32, uints, other, memory));
    rows.push_back(serial("float", float32, start, summands, memory));
    rows.push_back(serial("bool", bool_, {0, 1, 0, 1}, {0, 0, 1, 1}, memory));
  }
  return rows;
}
SPRUE_MATRIX(AtomicOperations, serial_rows)

// Names of the types, compare-and-exchange, ulong, and the fence.
std::vector<Row> form_rows() {
  std::vector<Row> rows;
  rows.push_back(
      {.name = "compare_and_exchange",
       .body = "device atomic_int* a = (device atomic_int*)y; int e = 5;\n"
               "atomic_store_explicit(a, 5, memory_order_relaxed);\n"
               "y[1] = atomic_compare_exchange_weak_explicit(a, &e, 9, memory_order_relaxed, "
               "memory_order_relaxed);\n"
               "y[2] = e; e = 5;\n"
               "y[3] = atomic_compare_exchange_weak_explicit(a, &e, 11, memory_order_relaxed, "
               "memory_order_relaxed);\n"
               "y[4] = e; y[5] = atomic_load_explicit(a, memory_order_relaxed);",
       .outputs = {{"y", int32, {6}, [](int64_t k) {
                      const Real expected[] = {9, 1, 5, 0, 9, 9};
                      return expected[k];
                    }}}});
  // Bits are compared: a NaN equals itself, -0 isn't 0.
  rows.push_back(
      {.name = "compare_and_exchange_floats",
       .body = "device atomic_float* a = (device atomic_float*)y; float e = NAN, z = 0.0f; bool b "
               "= true;\n"
               "y[0] = NAN; y[1] = -0.0f; device atomic_bool* c = (device atomic_bool*)flags;\n"
               "y[2] = atomic_compare_exchange_weak_explicit(a, &e, 2, memory_order_relaxed, "
               "memory_order_relaxed);\n"
               "y[3] = atomic_compare_exchange_weak_explicit(a + 1, &z, 3, memory_order_relaxed, "
               "memory_order_relaxed);\n"
               "y[4] = 1 / z; flags[0] = true;\n"
               "y[5] = atomic_compare_exchange_weak_explicit(c, &b, false, memory_order_relaxed, "
               "memory_order_relaxed);",
       .outputs = {{"y",
                    float32,
                    {6},
                    [](int64_t k) {
                      const Real expected[] = {2, -0.0L, 1, 0, -INFINITY, 1};
                      return expected[k];
                    }},
                   {"flags", bool_, {1}, [](int64_t) { return 0; }}}});
  rows.push_back(
      {.name = "long_minimum_and_maximum",
       .body = "uint i = thread_position_in_grid.x; ulong v = ulong(i * 7919 % 1000) << 40 | i;\n"
               "device atomic_ulong* a = (device atomic_ulong*)y;\n"
               "if (i == 0) return;\n"
               "atomic_min_explicit(a, v, memory_order_relaxed); atomic_max_explicit(a + 1, v, "
               "memory_order_relaxed);",
       .outputs = {{"y",
                    uint64,
                    {2},
                    [](int64_t k) {
                      uint64_t least = 77, most = 77;
                      for (uint64_t i = 1; i < 1000; ++i) {
                        const uint64_t v = (i * 7919 % 1000) << 40 | i;
                        least = std::min(least, v);
                        most = std::max(most, v);
                      }
                      return Real(k == 0 ? least : most);
                    }}},
       .grid = {1000, 1, 1},
       .threadgroup = {100, 1, 1}});
  // A flag behind a fence: whoever sees the flag sees the value.
  rows.push_back(
      {.name = "fence",
       .body =
           "uint i = thread_position_in_grid.x; threadgroup uint value; threadgroup atomic_uint "
           "flag;\n"
           "if (i == 0) { value = 41; atomic_store_explicit(&flag, 0u, memory_order_relaxed); }\n"
           "threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);\n"
           "if (i == 33) { value = 42; atomic_thread_fence(mem_flags::mem_threadgroup, "
           "memory_order_seq_cst, thread_scope_threadgroup); atomic_store_explicit(&flag, 1u, "
           "memory_order_relaxed); }\n"
           "if (i < 32 && atomic_load_explicit(&flag, memory_order_relaxed)) { "
           "atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_acquire); y[i] = value; } "
           "else y[i] = 42;",
       .outputs = {{"y", uint32, {64}, [](int64_t) { return 42; }}},
       .grid = {64, 1, 1},
       .threadgroup = {64, 1, 1}});
  return rows;
}
SPRUE_MATRIX(AtomicForms, form_rows)

// Many threads of many groups, which run on several workers at once.
constexpr int64_t kThreads = 40'000;

std::vector<Row> contended_rows() {
  const auto with_outputs = [](Row row) {
    row.grid = {kThreads, 1, 1};
    row.threadgroup = {64, 1, 1};
    return row;
  };
  std::vector<Row> rows;
  rows.push_back(with_outputs(
      {.name = "totals_in_device_memory",
       .body =
           "uint i = thread_position_in_grid.x; device atomic_int* a = (device atomic_int*)ints;\n"
           "device atomic_uint* u = (device atomic_uint*)uints; device atomic_float* f = (device "
           "atomic_float*)floats;\n"
           "int v = int(i % 101) - 40;\n"
           "atomic_fetch_add_explicit(a, v, memory_order_relaxed);\n"
           "atomic_fetch_sub_explicit(a + 1, v, memory_order_relaxed);\n"
           "atomic_fetch_min_explicit(a + 2, v, memory_order_relaxed);\n"
           "atomic_fetch_max_explicit(a + 3, int(i), memory_order_relaxed);\n"
           "atomic_fetch_or_explicit(u, 1u << i % 31, memory_order_relaxed);\n"
           "atomic_fetch_xor_explicit(u + 1, i * 2654435761u, memory_order_relaxed);\n"
           "atomic_fetch_and_explicit(u + 2, ~(1u << i % 5), memory_order_relaxed);\n"
           "atomic_fetch_add_explicit(f, 1.0f, memory_order_relaxed);\n"
           "atomic_fetch_sub_explicit(f + 1, 0.5f, memory_order_relaxed);\n"
           // Each turn of a counter is taken once: `turns` gets every number.
           "uint turn = atomic_fetch_add_explicit(u + 3, 1u, memory_order_relaxed) - 77; "
           "turns[turn] "
           "= turn;",
       .outputs = {
           {"ints",
            int32,
            {4},
            [](int64_t k) {
              Real sum = 77;
              for (int64_t i = 0; i < kThreads; ++i) sum += Real(i % 101 - 40);
              const Real expected[] = {sum, 154 - sum, -40, kThreads - 1};
              return expected[k];
            }},
           {"uints",
            uint32,
            {4},
            [](int64_t k) {
              uint32_t mixed = 77, bits = 77;
              for (uint32_t i = 0; i < kThreads; ++i) mixed ^= i * 2654435761u;
              bits |= 0x7fffffffu;
              const Real expected[] = {Real(bits), Real(mixed), Real(77u & ~31u),
                                       Real(77 + kThreads)};
              return expected[k];
            }},
           {"floats",
            float32,
            {2},
            [](int64_t k) { return k == 0 ? Real(77 + kThreads) : Real(77 - kThreads / 2); }},
           {"turns", uint32, {kThreads}, [](int64_t i) { return Real(i); }}}}));
  // A float sum as Metal kernels without float atomics write it.
  rows.push_back(with_outputs(
      {.name = "float_sum_by_compare_and_exchange",
       .body =
           "uint i = thread_position_in_grid.x; device atomic_uint* a = (device atomic_uint*)y;\n"
           "uint before = atomic_load_explicit(a, memory_order_relaxed), after;\n"
           "do { after = as_uint(as_float(before) + float(i % 8)); }\n"
           "while (!atomic_compare_exchange_weak_explicit(a, &before, after, memory_order_relaxed, "
           "memory_order_relaxed));",
       .header = "inline uint as_uint(float f) { return *(thread uint*)&f; }\n"
                 "inline float as_float(uint u) { return *(thread float*)&u; }\n",
       .outputs = {{"y", float32, {1}, [](int64_t) { return Real(77 + kThreads / 8 * 28); }}}}));
  return rows;
}
SPRUE_MATRIX(AtomicConcurrency, contended_rows)

}  // namespace
}  // namespace sprue::language
