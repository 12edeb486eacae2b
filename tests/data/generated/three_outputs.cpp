#include "metal_cpu.h"
SPRUE_KERNEL void custom_kernel_three_float_float_int8_t_bool(
    const float* x,
    const int* x_shape,
    const int64_t* x_strides,
    const int& x_ndim,
    float* o1,
    int8_t* o2,
    bool* o3);

extern "C" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, SprueWorker* sprue_worker) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<const float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<const int>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<const int64_t>(sprue_launch->arguments[2]);
  const int sprue_argument_3 = sprue_cpu::value<int>(sprue_launch->arguments[3]);
  auto* const sprue_argument_4 = sprue_cpu::buffer<float>(sprue_launch->arguments[4]);
  auto* const sprue_argument_5 = sprue_cpu::buffer<int8_t>(sprue_launch->arguments[5]);
  auto* const sprue_argument_6 = sprue_cpu::buffer<bool>(sprue_launch->arguments[6]);
  sprue_cpu::for_each_thread<true>(sprue_launch, sprue_worker, [=](const auto& sprue_at) SPRUE_INLINE_LAMBDA {
    custom_kernel_three_float_float_int8_t_bool(sprue_argument_0, sprue_argument_1, sprue_argument_2, sprue_argument_3, sprue_argument_4, sprue_argument_5, sprue_argument_6);
  });
}

extern "C" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, SprueThread* sprue_thread) {
  auto* const sprue_argument_0 = sprue_cpu::buffer<const float>(sprue_launch->arguments[0]);
  auto* const sprue_argument_1 = sprue_cpu::buffer<const int>(sprue_launch->arguments[1]);
  auto* const sprue_argument_2 = sprue_cpu::buffer<const int64_t>(sprue_launch->arguments[2]);
  const int sprue_argument_3 = sprue_cpu::value<int>(sprue_launch->arguments[3]);
  auto* const sprue_argument_4 = sprue_cpu::buffer<float>(sprue_launch->arguments[4]);
  auto* const sprue_argument_5 = sprue_cpu::buffer<int8_t>(sprue_launch->arguments[5]);
  auto* const sprue_argument_6 = sprue_cpu::buffer<bool>(sprue_launch->arguments[6]);
  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);
  custom_kernel_three_float_float_int8_t_bool(sprue_argument_0, sprue_argument_1, sprue_argument_2, sprue_argument_3, sprue_argument_4, sprue_argument_5, sprue_argument_6);
}
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
#line 46 "<generated>"
}
