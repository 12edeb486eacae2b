#include "metal_cuda.h"
namespace metal {
template <bool e, int f, typename T>
SPRUE_KERNEL void custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t(
    const float* a,
    const int32_t* b,
    const bfloat16_t* c,
    const float& d,
    float* out1,
    int32_t* out2,
    uint3 thread_position_in_grid);

namespace sprue_entry {
extern "C" __global__ void custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t(
    const float* a,
    const int32_t* b,
    const bfloat16_t* c,
    const __grid_constant__ SprueCudaScalar<float> d,
    float* out1,
    int32_t* out2,
    const __grid_constant__ SprueCudaLaunch sprue_launch) {
  const sprue_cuda::Positions sprue_at(sprue_launch);
  if (sprue_at.is_outside()) return;
  metal::custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t<true, 3, float16_t>(a, b, c, sprue_cuda::value(d), out1, out2, sprue_at.thread_position_in_grid());
}
}  // namespace sprue_entry
template <bool e, int f, typename T>
SPRUE_KERNEL void custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t(
    const float* a,
    const int32_t* b,
    const bfloat16_t* c,
    const float& d,
    float* out1,
    int32_t* out2,
    uint3 thread_position_in_grid) {
#line 1 "arg_test.metal"
uint i = thread_position_in_grid.x;
T half_of = d / T(2);
out1[i] = e ? sprue_types::either<decltype(f)>( a[i] + b[2] + c[1] + half_of) : sprue_types::either<decltype(a[i] + b[2] + c[1] + half_of)>( f);
out2[i] = int(half_of) - f;
#line 42 "<generated>"
}
}  // namespace metal
