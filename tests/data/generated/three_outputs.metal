[[kernel]] void custom_kernel_three_float_float_int8_t_bool(
  const device float* x [[buffer(0)]],
  const constant int* x_shape [[buffer(1)]],
  const constant int64_t* x_strides [[buffer(2)]],
  const constant int& x_ndim [[buffer(3)]],
  device float* o1 [[buffer(4)]],
  device int8_t* o2 [[buffer(5)]],
  device bool* o3 [[buffer(6)]]) {
#line 1 "three.metal"
o1[0] = x[x_strides[0]]; o2[0] = x_shape[0]; o3[0] = x_ndim;
#line 12 "<generated>"
}
