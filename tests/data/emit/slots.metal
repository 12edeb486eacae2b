// Written by Sprue: a custom kernel as a complete Metal file, 1 specialisation, math mode safe.
// Not run by Sprue's authors on Apple hardware. A Mac builds a library of it with
//   xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -o slots.metallib slots.metal

<preamble>

// custom_kernel_slots_float_float_int8_t_bool: x: float32 -> o1: float32, o2: int8, o3: bool
#line 1 "<generated>"
[[kernel]] void custom_kernel_slots_float_float_int8_t_bool(
  const device float* x [[buffer(0)]],
  const constant int* x_shape [[buffer(1)]],
  const constant int64_t* x_strides [[buffer(2)]],
  const constant int& x_ndim [[buffer(3)]],
  device float* o1 [[buffer(4)]],
  device int8_t* o2 [[buffer(5)]],
  device bool* o3 [[buffer(6)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
#line 1 "slots.metal"
uint i = thread_position_in_grid.x;
o1[i] = x[elem_to_loc(i, x_shape, x_strides, x_ndim)]; o2[i] = x_shape[0]; o3[i] = x_ndim > 1;
#line 14 "<generated>"
}
