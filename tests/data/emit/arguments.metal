// Written by Sprue: a custom kernel as a complete Metal file, 1 specialisation, math mode safe.
// Not run by Sprue's authors on Apple hardware. A Mac builds a library of it with
//   xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -o arg_test.metallib arg_test.metal

<preamble>

// custom_kernel_arg_test__1__x2d3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t: a: float32, b: int32 (small), c: bfloat16 (small), d: float32 (0-d) -> out1: float32, out2: int32 <e=true, f=-3, T=float16>
#line 1 "<generated>"
template <bool e, int f, typename T>
[[kernel]] void custom_kernel_arg_test__1__x2d3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t(
  const device float* a [[buffer(0)]],
  const constant int32_t* b [[buffer(1)]],
  const constant bfloat16_t* c [[buffer(2)]],
  const constant float& d [[buffer(3)]],
  device float* out1 [[buffer(4)]],
  device int32_t* out2 [[buffer(5)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "arg_test.metal"
uint i = thread_position_in_grid.x;
T half_of = T(d) / T(2);
out1[i] = e ? a[i] + float(b[2]) + float(c[1]) + float(half_of) : float(f);
out2[i] = int(half_of) - f;
#line 16 "<generated>"
}

template [[host_name("custom_kernel_arg_test__1__x2d3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t")]] [[kernel]] decltype(custom_kernel_arg_test__1__x2d3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t<1, -3, float16_t>) custom_kernel_arg_test__1__x2d3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t<1, -3, float16_t>;
