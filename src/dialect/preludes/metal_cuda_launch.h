// What a generated kernel takes from its parameters (program/cuda_abi.h): scalars, and where its threads
// are.
#pragma once

namespace sprue_cuda {

using sprue_types::uint3;

// A scalar input.
template <typename T>
SPRUE_INLINE T value(const SprueCudaScalar<T>& scalar) {
  return scalar.address ? *scalar.address : scalar.value;
}

// Blocks are rows of as many threads as a full group has. A grid of blocks is one of groups, or a row of
// them: where there are more groups along y or z than CUDA's grids may have.
struct Positions : sprue_types::Positions {
  SPRUE_MEMBER explicit Positions(const SprueCudaLaunch& launch) {
    grid = load3(launch.grid);
    groups = load3(launch.groups);
    full = load3(launch.threadgroup);
    group = uint3(::blockIdx.x, ::blockIdx.y, ::blockIdx.z);
    if (::gridDim.y == 1 && ::gridDim.z == 1 && groups.y * groups.z > 1) {
      const uint index = ::blockIdx.x;
      group = uint3(index % groups.x, index / groups.x % groups.y, index / groups.x / groups.y);
    }
    size = uint3(rest(0), rest(1), rest(2));
    linear = ::threadIdx.x;
    // Spares the divisions, which all but few kernels need not.
    if (full.y * full.z == 1)
      thread = uint3(linear, 0, 0);
    else
      thread = uint3(linear % size.x, linear / size.x % size.y, linear / size.x / size.y);
#ifdef SPRUE_WITH_SIMD_MOVES
    sprue_simdgroup::group_thread_count = count(size);
#endif
  }

  // At the grid's end a group has fewer threads than a block.
  SPRUE_MEMBER bool is_outside() const { return linear >= count(size); }

 private:
  SPRUE_MEMBER static uint3 load3(const unsigned* extent) {
    return uint3(extent[0], extent[1], extent[2]);
  }
  SPRUE_MEMBER uint rest(int axis) const {
    const uint left = grid[axis] - group[axis] * full[axis];
    return left < full[axis] ? left : full[axis];
  }
};

}  // namespace sprue_cuda
