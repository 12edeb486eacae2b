// Cooperative groups, as far as blocks, tiles and the grid's own numbers go.
//
// Not there, and said so: groups that the program forms (coalesced_threads, labeled and binary partitions),
// clusters, and the barrier of the whole grid.
#pragma once

namespace cooperative_groups {

#define SPRUE_NO_GROUP(result, call) \
  SPRUE_UNAVAILABLE("cooperative_groups::" #call " isn't available") result call;
SPRUE_NO_GROUP(void*, coalesced_threads())
SPRUE_NO_GROUP(void*, this_cluster())
SPRUE_NO_GROUP(void*, this_multi_grid())
#undef SPRUE_NO_GROUP

struct thread_block {
  static void sync() { __syncthreads(); }
  static unsigned int thread_rank() { return __sprue_thread()->index; }
  static unsigned int num_threads() { return __sprue_thread()->group->thread_count; }
  static unsigned int size() { return num_threads(); }
  static dim3 thread_index() { return uint3(threadIdx); }
  static dim3 group_index() { return uint3(blockIdx); }
  static dim3 group_dim() { return dim3(blockDim); }
  static dim3 dim_threads() { return dim3(blockDim); }
};
SPRUE_INLINE thread_block this_thread_block() { return {}; }

// kSize neighbouring threads of a block: a power of two, at most a warp.
template <unsigned int kSize, typename Parent = thread_block>
struct thread_block_tile {
  static_assert(kSize >= 1 && kSize <= 32 && (kSize & (kSize - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static unsigned int thread_rank() { return __sprue_thread()->index % kSize; }
  static constexpr unsigned int num_threads() { return kSize; }
  static constexpr unsigned int size() { return kSize; }
  static unsigned int meta_group_rank() { return __sprue_thread()->index / kSize; }
  static unsigned int meta_group_size() { return (thread_block::size() + kSize - 1) / kSize; }
  static void sync() { __syncwarp(mask()); }
  template <typename T>
  static T shfl(T value, int source) {
    return __shfl_sync(mask(), value, source, kSize);
  }
  template <typename T>
  static T shfl_up(T value, unsigned int delta) {
    return __shfl_up_sync(mask(), value, delta, kSize);
  }
  template <typename T>
  static T shfl_down(T value, unsigned int delta) {
    return __shfl_down_sync(mask(), value, delta, kSize);
  }
  template <typename T>
  static T shfl_xor(T value, unsigned int lane_mask) {
    return __shfl_xor_sync(mask(), value, static_cast<int>(lane_mask), kSize);
  }
  static int any(int predicate) { return __any_sync(mask(), predicate); }
  static int all(int predicate) { return __all_sync(mask(), predicate); }
  // The tile's first thread is bit 0.
  static unsigned int ballot(int predicate) { return __ballot_sync(mask(), predicate) >> first(); }

 private:
  static unsigned int first() { return __sprue_thread()->index % 32 / kSize * kSize; }
  static unsigned int mask() { return (~0u >> (32 - kSize)) << first(); }
};
template <unsigned int kSize, typename Parent>
SPRUE_INLINE thread_block_tile<kSize, Parent> tiled_partition(const Parent&) {
  return {};
}

// cg::reduce with cg::plus and its kind.
#define SPRUE_GROUP_OPERATION(name, expression)                      \
  template <typename T>                                              \
  struct name {                                                      \
    SPRUE_MEMBER T operator()(T a, T b) const { return expression; } \
  };
SPRUE_GROUP_OPERATION(plus, a + b)
SPRUE_GROUP_OPERATION(less, b < a ? b : a)
SPRUE_GROUP_OPERATION(greater, a < b ? b : a)
#undef SPRUE_GROUP_OPERATION
template <unsigned int kSize, typename Parent, typename T, typename Operation>
SPRUE_INLINE T reduce(const thread_block_tile<kSize, Parent>& tile, T value, Operation operation) {
  for (unsigned int step = kSize / 2; step > 0; step /= 2)
    value = operation(value, tile.shfl_xor(value, step));
  return value;
}

#ifdef SPRUE_WITH_GRID
struct grid_group {
  SPRUE_UNAVAILABLE("the barrier of a whole grid isn't available") static void sync();
  static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 dim_blocks() { return dim3(gridDim); }
};
SPRUE_INLINE grid_group this_grid() { return {}; }
#endif

}  // namespace cooperative_groups
