// Where a thread is: what the attributes of a kernel's parameters say.
//
//   const sprue_cuda::Positions sprue_at(sprue_launch);
//   sprue_at.thread_position_in_grid()    // the attribute's name
//
// For every target, which fills in the fields.
#pragma once

namespace sprue_types {

// Derived numbers are computed where a body asks for them.
struct Positions {
  uint3 grid, groups;  // threads, groups
  uint3 full;          // threads of a full group
  uint3 group;         // position of this group
  uint3 size;          // threads of this group
  uint3 thread;        // position in this group
  uint linear;         // index in this group, x fastest

  SPRUE_MEMBER static uint count(uint3 extent) { return extent.x * extent.y * extent.z; }
  SPRUE_MEMBER static uint pieces(uint threads, uint width) {
    return (threads + width - 1) / width;
  }

  SPRUE_MEMBER uint3 thread_position_in_grid() const {
    return uint3(group.x * full.x + thread.x, group.y * full.y + thread.y,
                 group.z * full.z + thread.z);
  }
  SPRUE_MEMBER uint3 thread_position_in_threadgroup() const { return thread; }
  SPRUE_MEMBER uint3 threadgroup_position_in_grid() const { return group; }
  SPRUE_MEMBER uint3 threadgroups_per_grid() const { return groups; }
  SPRUE_MEMBER uint3 threads_per_grid() const { return grid; }
  SPRUE_MEMBER uint3 threads_per_threadgroup() const { return size; }
  SPRUE_MEMBER uint3 dispatch_threads_per_threadgroup() const { return full; }
  SPRUE_MEMBER uint3 grid_size() const { return grid; }
  SPRUE_MEMBER uint3 grid_origin() const { return uint3(0, 0, 0); }
  SPRUE_MEMBER uint thread_index_in_threadgroup() const { return linear; }
  SPRUE_MEMBER uint thread_index_in_simdgroup() const { return linear % 32; }
  SPRUE_MEMBER uint thread_index_in_quadgroup() const { return linear % 4; }
  SPRUE_MEMBER uint simdgroup_index_in_threadgroup() const { return linear / 32; }
  SPRUE_MEMBER uint quadgroup_index_in_threadgroup() const { return linear / 4; }
  SPRUE_MEMBER uint simdgroups_per_threadgroup() const { return pieces(count(size), 32); }
  SPRUE_MEMBER uint quadgroups_per_threadgroup() const { return pieces(count(size), 4); }
  SPRUE_MEMBER uint dispatch_simdgroups_per_threadgroup() const { return pieces(count(full), 32); }
  SPRUE_MEMBER uint dispatch_quadgroups_per_threadgroup() const { return pieces(count(full), 4); }
  SPRUE_MEMBER uint thread_execution_width() const { return 32; }
  SPRUE_MEMBER uint threads_per_simdgroup() const { return 32; }
};

}  // namespace sprue_types
