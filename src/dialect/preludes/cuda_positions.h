// threadIdx and its kind for text outside of a kernel's body: objects whose members ask the running thread.
#pragma once

namespace sprue_cuda {

#define SPRUE_POSITION(name, type, place)                                          \
  struct name {                                                                    \
    __declspec(property(get = get_x)) unsigned int x;                              \
    __declspec(property(get = get_y)) unsigned int y;                              \
    __declspec(property(get = get_z)) unsigned int z;                              \
    SPRUE_INLINE unsigned int get_x() { return (place)[0]; }                       \
    SPRUE_INLINE unsigned int get_y() { return (place)[1]; }                       \
    SPRUE_INLINE unsigned int get_z() { return (place)[2]; }                       \
    SPRUE_MEMBER operator type() const { return type{get_x(), get_y(), get_z()}; } \
  };
SPRUE_POSITION(ThreadIndex, uint3, __sprue_thread()->position)
SPRUE_POSITION(BlockIndex, uint3, __sprue_thread()->group->position)
SPRUE_POSITION(BlockSize, dim3, __sprue_thread()->group->size)
#ifdef SPRUE_WITH_GRID
// A thread doesn't know its launch: the wrapper leaves it in shared memory.
SPRUE_DYN static const SprueLaunch* launch_of_block;
SPRUE_POSITION(GridSize, dim3, launch_of_block->groups)
#endif
#undef SPRUE_POSITION

}  // namespace sprue_cuda

static constexpr sprue_cuda::ThreadIndex threadIdx = {};
static constexpr sprue_cuda::BlockIndex blockIdx = {};
static constexpr sprue_cuda::BlockSize blockDim = {};
#ifdef SPRUE_WITH_GRID
static constexpr sprue_cuda::GridSize gridDim = {};
#endif
