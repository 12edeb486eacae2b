#define SPRUE_WITH_ATOMICS
#include "metal_cuda.h"
namespace metal {
SPRUE_KERNEL void custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(
    float* state,
    int32_t& step,
    atomic<uint32_t>* count,
    uint thread_index_in_threadgroup,
    uint3 threadgroup_position_in_grid);

namespace sprue_entry {
extern "C" __global__ void custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(
    float* state,
    int32_t* step,
    atomic<uint32_t>* count,
    const __grid_constant__ SprueCudaLaunch sprue_launch) {
  const sprue_cuda::Positions sprue_at(sprue_launch);
  if (sprue_at.is_outside()) return;
  metal::custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(state, *step, count, sprue_at.thread_index_in_threadgroup(), sprue_at.threadgroup_position_in_grid());
}
}  // namespace sprue_entry
#line 1 "helpers/\"odd\".h"
const    float kScale = 0.5f;
inline float scaled(const        float* p,             float* s) { return p[0] * s[0] * kScale; }
#line 26 "<generated>"
SPRUE_KERNEL void custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(
    float* state,
    int32_t& step,
    atomic<uint32_t>* count,
    uint thread_index_in_threadgroup,
    uint3 threadgroup_position_in_grid) {
#line 1 "dir\\body.metal"
  SPRUE_TG    float s[4];
  s[thread_index_in_threadgroup] = 1;
  state[0] = scaled(state, s) + threadgroup_position_in_grid.x; step += 1;

#line 38 "<generated>"
}
}  // namespace metal
