// Written by Sprue: a custom kernel as a complete Metal file, 3 specialisations, math mode safe.
// Not run by Sprue's authors on Apple hardware. A Mac builds a library of it with
//   xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -o helpers.metallib helpers.metal

<preamble>

// custom_kernel_helpers__bfloat16_t_7_bfloat16_t_int64_t_complex64_t_bfloat16_t: x: bfloat16, w: int64, z: complex64 -> y: bfloat16 <T=bfloat16, N=7>
#line 1 "<generated>"
template <typename T, int N>
[[kernel]] void custom_kernel_helpers__bfloat16_t_7_bfloat16_t_int64_t_complex64_t_bfloat16_t(
  const device bfloat16_t* x [[buffer(0)]],
  const device int64_t* w [[buffer(1)]],
  const device complex64_t* z [[buffer(2)]],
  device bfloat16_t* y [[buffer(3)]],
  uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "helpers.metal"
threadgroup float shared[32];
uint i = thread_position_in_grid.x;
shared[thread_index_in_simdgroup] = float(simd_sum(x[i]));
threadgroup_barrier(mem_flags::mem_threadgroup);
T v = T(metal::exp(x[i])) + T(metal::precise::tanh(x[i])) + T(log1p(x[i]));
if (simd_shuffle_down(w[i], 1) == Limits<int64_t>::max) v = T(ceildiv(N, 2));
complex64_t product = z[i] * complex64_t(0.0f, 1.0f);
y[i] = metal::max(v, T(product.real)) + T(shared[0]);
#line 19 "<generated>"
}

template [[host_name("custom_kernel_helpers__bfloat16_t_7_bfloat16_t_int64_t_complex64_t_bfloat16_t")]] [[kernel]] decltype(custom_kernel_helpers__bfloat16_t_7_bfloat16_t_int64_t_complex64_t_bfloat16_t<bfloat16_t, 7>) custom_kernel_helpers__bfloat16_t_7_bfloat16_t_int64_t_complex64_t_bfloat16_t<bfloat16_t, 7>;

// custom_kernel_helpers__float16_t_7_float16_t_int64_t_complex64_t_float16_t: x: float16, w: int64, z: complex64 -> y: float16 <T=float16, N=7>
#line 1 "<generated>"
template <typename T, int N>
[[kernel]] void custom_kernel_helpers__float16_t_7_float16_t_int64_t_complex64_t_float16_t(
  const device float16_t* x [[buffer(0)]],
  const device int64_t* w [[buffer(1)]],
  const device complex64_t* z [[buffer(2)]],
  device float16_t* y [[buffer(3)]],
  uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "helpers.metal"
threadgroup float shared[32];
uint i = thread_position_in_grid.x;
shared[thread_index_in_simdgroup] = float(simd_sum(x[i]));
threadgroup_barrier(mem_flags::mem_threadgroup);
T v = T(metal::exp(x[i])) + T(metal::precise::tanh(x[i])) + T(log1p(x[i]));
if (simd_shuffle_down(w[i], 1) == Limits<int64_t>::max) v = T(ceildiv(N, 2));
complex64_t product = z[i] * complex64_t(0.0f, 1.0f);
y[i] = metal::max(v, T(product.real)) + T(shared[0]);
#line 19 "<generated>"
}

template [[host_name("custom_kernel_helpers__float16_t_7_float16_t_int64_t_complex64_t_float16_t")]] [[kernel]] decltype(custom_kernel_helpers__float16_t_7_float16_t_int64_t_complex64_t_float16_t<float16_t, 7>) custom_kernel_helpers__float16_t_7_float16_t_int64_t_complex64_t_float16_t<float16_t, 7>;

// custom_kernel_helpers__float_7_float_int64_t_complex64_t_float: x: float32, w: int64, z: complex64 -> y: float32 <T=float32, N=7>
#line 1 "<generated>"
template <typename T, int N>
[[kernel]] void custom_kernel_helpers__float_7_float_int64_t_complex64_t_float(
  const device float* x [[buffer(0)]],
  const device int64_t* w [[buffer(1)]],
  const device complex64_t* z [[buffer(2)]],
  device float* y [[buffer(3)]],
  uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "helpers.metal"
threadgroup float shared[32];
uint i = thread_position_in_grid.x;
shared[thread_index_in_simdgroup] = float(simd_sum(x[i]));
threadgroup_barrier(mem_flags::mem_threadgroup);
T v = T(metal::exp(x[i])) + T(metal::precise::tanh(x[i])) + T(log1p(x[i]));
if (simd_shuffle_down(w[i], 1) == Limits<int64_t>::max) v = T(ceildiv(N, 2));
complex64_t product = z[i] * complex64_t(0.0f, 1.0f);
y[i] = metal::max(v, T(product.real)) + T(shared[0]);
#line 19 "<generated>"
}

template [[host_name("custom_kernel_helpers__float_7_float_int64_t_complex64_t_float")]] [[kernel]] decltype(custom_kernel_helpers__float_7_float_int64_t_complex64_t_float<float, 7>) custom_kernel_helpers__float_7_float_int64_t_complex64_t_float<float, 7>;
