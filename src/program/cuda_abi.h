// The contract between a CUDA kernel made of a Metal body and the code that launches it: what the kernel's
// parameters are. Shared by the prelude (compiled by NVRTC with the kernel) and by the device. It includes
// nothing; the types are those of both compilers.
//
//   extern "C" __global__ void LABEL(const float* x, SprueCudaScalar<float> n, SprueCudaShape x_shape,
//                                    SprueCudaStrides x_strides, int x_ndim, float* y, SprueCudaLaunch launch)
//
// One parameter for each of the signature, in its order, then the launch: a buffer is its address; a 0-d
// input is an address, or a value where the address is null; shape and strides come by value, unused axes
// zero.
//
// The grid: blocks are one-dimensional, of threadgroup[0] * threadgroup[1] * threadgroup[2] threads, one
// block a threadgroup. Either blockIdx is the group's position, or (where groups[1] or groups[2] is more
// than a grid of CUDA takes) gridDim.x counts all groups, x fastest, and gridDim.y = gridDim.z = 1.
#pragma once

// As in MLX: arrays of more dimensions can't hand their shape to a kernel.
#define SPRUE_CUDA_DIMENSIONS 10

template <typename T>
struct alignas(16) SprueCudaScalar {
  const T* address;
  T value;
};

struct SprueCudaShape {
  int at[SPRUE_CUDA_DIMENSIONS];
};

struct SprueCudaStrides {
  long at[SPRUE_CUDA_DIMENSIONS];  // in elements
};

struct SprueCudaLaunch {
  unsigned int grid[3];         // threads
  unsigned int threadgroup[3];  // threads of a full group
  unsigned int groups[3];
};

static_assert(sizeof(long) == 8, "the CUDA ABI is for LP64 hosts");
static_assert(sizeof(SprueCudaScalar<double>) == 16 && sizeof(SprueCudaLaunch) == 36, "no gaps");
