#line 1 "helpers/\"odd\".h"
constant float kScale = 0.5f;
inline float scaled(const device float* p, threadgroup float* s) { return p[0] * s[0] * kScale; }
#line 5 "<generated>"
[[kernel]] void custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(
  device float* state [[buffer(0)]],
  device int32_t& step [[buffer(1)]],
  device atomic<uint32_t>* count [[buffer(2)]],
  uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
  uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
#line 1 "dir\\body.metal"
  threadgroup float s[4];
  s[thread_index_in_threadgroup] = 1;
  state[0] = scaled(state, s) + threadgroup_position_in_grid.x; step += 1;

#line 17 "<generated>"
}
