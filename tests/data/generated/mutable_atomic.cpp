#define SPRUE_WITH_ATOMICS
#include "metal_cpu.h"
SPRUE_KERNEL void custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(
    float* state,
    int32_t& step,
    atomic<uint32_t>* count,
    uint thread_index_in_threadgroup,
    uint3 threadgroup_position_in_grid);

extern "C" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, SprueWorker* sprue_worker) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<int32_t>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<atomic<uint32_t>>(sprue_launch->arguments[2]);
  sprue_cpu::for_each_thread<false>(sprue_launch, sprue_worker, [=](const auto& sprue_at) SPRUE_INLINE_LAMBDA {
    custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(sprue_argument_0, *sprue_argument_1, sprue_argument_2, sprue_at.thread_index_in_threadgroup(), sprue_at.threadgroup_position_in_grid());
  });
}

extern "C" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, SprueThread* sprue_thread) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<int32_t>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<atomic<uint32_t>>(sprue_launch->arguments[2]);
  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);
  custom_kernel_mutable_x3catomic_x3e_float_int32_ts_uint32_t(sprue_argument_0, *sprue_argument_1, sprue_argument_2, sprue_at.thread_index_in_threadgroup(), sprue_at.threadgroup_position_in_grid());
}
#line 1 "helpers/\"odd\".h"
const    float kScale = 0.5f;
inline float scaled(const        float* p,             float* s) { return p[0] * s[0] * kScale; }
#line 30 "<generated>"
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

#line 42 "<generated>"
}
