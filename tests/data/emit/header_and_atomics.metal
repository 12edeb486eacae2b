// Written by Sprue: a custom kernel as a complete Metal file, 2 specialisations, math mode safe.
// Not run by Sprue's authors on Apple hardware. A Mac builds a library of it with
//   xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -o histogram.metallib histogram.metal

<preamble>

// custom_kernel_histogram_float_int32_ts_uint32_t: x: float32, step: int32 (0-d) -> bins: uint32
#line 1 "<generated>"
#line 1 "bodies/helpers.h"
constant float kScale = 0.5f;
template <typename T>
inline uint bin_of(T value) { return uint(float(value) * kScale); }
#line 6 "<generated>"
[[kernel]] void custom_kernel_histogram_float_int32_ts_uint32_t(
  const device float* x [[buffer(0)]],
  const constant int32_t& step [[buffer(1)]],
  device atomic<uint32_t>* bins [[buffer(2)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "bodies/histogram.metal"
uint i = thread_position_in_grid.x;
atomic_fetch_add_explicit(&bins[bin_of(x[i])], uint32_t(step), memory_order_relaxed);
#line 15 "<generated>"
}

// custom_kernel_histogram_bfloat16_t_int32_ts_uint32_t: x: bfloat16, step: int32 (0-d) -> bins: uint32
#line 6 "<generated>"
[[kernel]] void custom_kernel_histogram_bfloat16_t_int32_ts_uint32_t(
  const device bfloat16_t* x [[buffer(0)]],
  const constant int32_t& step [[buffer(1)]],
  device atomic<uint32_t>* bins [[buffer(2)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "bodies/histogram.metal"
uint i = thread_position_in_grid.x;
atomic_fetch_add_explicit(&bins[bin_of(x[i])], uint32_t(step), memory_order_relaxed);
#line 15 "<generated>"
}
