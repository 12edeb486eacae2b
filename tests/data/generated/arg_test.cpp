#include "metal_cpu.h"
template <bool e, int f, typename T>
SPRUE_KERNEL void custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t(
    const float* a,
    const int32_t* b,
    const bfloat16_t* c,
    const float& d,
    float* out1,
    int32_t* out2,
    uint3 thread_position_in_grid);

extern "C" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, SprueWorker* sprue_worker) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<const float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<const int32_t>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<const bfloat16_t>(sprue_launch->arguments[2]);
  const float sprue_argument_3 = sprue_cpu::value<float>(sprue_launch->arguments[3]);
  auto* const sprue_argument_4 = sprue_cpu::buffer<float>(sprue_launch->arguments[4]);
  auto* const sprue_argument_5 = sprue_cpu::buffer<int32_t>(sprue_launch->arguments[5]);
  sprue_cpu::for_each_thread<true>(sprue_launch, sprue_worker, [=](const auto& sprue_at) SPRUE_INLINE_LAMBDA {
    custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t<true, 3, float16_t>(sprue_argument_0, sprue_argument_1, sprue_argument_2, sprue_argument_3, sprue_argument_4, sprue_argument_5, sprue_at.thread_position_in_grid());
  });
}

extern "C" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, SprueThread* sprue_thread) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<const float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<const int32_t>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<const bfloat16_t>(sprue_launch->arguments[2]);
  const float sprue_argument_3 = sprue_cpu::value<float>(sprue_launch->arguments[3]);
  auto* const sprue_argument_4 = sprue_cpu::buffer<float>(sprue_launch->arguments[4]);
  auto* const sprue_argument_5 = sprue_cpu::buffer<int32_t>(sprue_launch->arguments[5]);
  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);
  custom_kernel_arg_test__1_3_float16_t_float_int32_tc_bfloat16_tc_floats_float_int32_t<true, 3, float16_t>(sprue_argument_0, sprue_argument_1, sprue_argument_2, sprue_argument_3, sprue_argument_4, sprue_argument_5, sprue_at.thread_position_in_grid());
}
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
out1[i] = e ? a[i] + b[2] + c[1] + half_of : f;
out2[i] = int(half_of) - f;
#line 49 "<generated>"
}
