#include <metal_simdgroup>
threadgroup alignas(16) T tile[2][8][8 + 1], other;
constexpr int kCount = N / 32; // a "count"
const device T* row = x + thread_position_in_grid.x * size_t(x_shape[1]);
thread float4 sums[2] = {float4(0), float4(1.5f, 0x1p-3f, .5h, 1.5bf)};
for (uint i = 0; i < kCount; ++i) sums[i % 2].xyz += (*(const device float4*)(row + i)).wzy;
threadgroup_barrier(mem_flags::mem_threadgroup);
threadgroup float* p = (threadgroup float*)&tile[0][1][2];
y[thread_position_in_grid.x] = dot(sums[0], sums[1]) + p[0]; /* done */
