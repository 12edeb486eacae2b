#include "metal_cuda.h"
namespace metal {
SPRUE_KERNEL void custom_kernel_three_float_float_int8_t_bool(
    const float* x,
    const int* x_shape,
    const int64_t* x_strides,
    const int& x_ndim,
    float* o1,
    int8_t* o2,
    bool* o3);

namespace sprue_entry {
extern "C" __global__ void custom_kernel_three_float_float_int8_t_bool(
    const float* x,
    const __grid_constant__ SprueCudaShape x_shape,
    const __grid_constant__ SprueCudaStrides x_strides,
    int x_ndim,
    float* o1,
    int8_t* o2,
    bool* o3,
    const __grid_constant__ SprueCudaLaunch sprue_launch) {
  const sprue_cuda::Positions sprue_at(sprue_launch);
  if (sprue_at.is_outside()) return;
  metal::custom_kernel_three_float_float_int8_t_bool(x, x_shape.at, x_strides.at, x_ndim, o1, o2, o3);
}
}  // namespace sprue_entry
SPRUE_KERNEL void custom_kernel_three_float_float_int8_t_bool(
    const float* x,
    const int* x_shape,
    const int64_t* x_strides,
    const int& x_ndim,
    float* o1,
    int8_t* o2,
    bool* o3) {
#line 1 "three.metal"
o1[0] = x[x_strides[0]]; o2[0] = x_shape[0]; o3[0] = x_ndim;
#line 38 "<generated>"
}
}  // namespace metal
