// What a Metal body sees when NVRTC compiles it, and what the generated kernels take from it.
//
//   #include "metal_cuda.h"
//   namespace metal {
//   template <typename T>
//   SPRUE_KERNEL void LABEL(const T* x, const float& s, T* y, uint3 thread_position_in_grid) { ... }
//   }
//
// All of it stands in an outer namespace metal, and so does the user's text: its names (float4, exp,
// min) hide CUDA's, and `metal::exp` finds the inner namespace metal, which is the CPU's. No header of
// the toolkit is included, and NVRTC is called without one.
#pragma once
#pragma nv_diag_suppress 177, 550, 186, 68

#include "cuda_abi.h"

namespace metal {

// clang-format off
#include "metal_cuda_target.h"
#include "metal_parts.h"
#include "metal_cuda_simdgroup.h"
#include "metal_text.h"
#include "metal_cuda_launch.h"
// clang-format on

// So that `metal::` names what the user declares, too.
namespace metal {
using namespace ::metal;
}

}  // namespace metal

#define SPRUE_TG __shared__
#define SPRUE_KERNEL static __device__ __forceinline__

// What Metal lacks, in the text that follows.
#define double double_is_not_in_Metal
#define goto goto_is_not_in_Metal
#define thread_local thread_local_is_not_in_Metal
#define typeid typeid_is_not_in_Metal
#define dynamic_cast dynamic_cast_is_not_in_Metal
#define virtual virtual_is_not_in_Metal
#define asm asm_is_not_in_Metal
