#include "device/cpu/group_executor.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace sprue {

namespace {

constexpr uint32_t kSimdWidth = 32;
constexpr size_t kAlignment = 64;  // bytes

// At least `bytes`, zeroed when fresh; keeps a larger block.
template <typename Memory>
void grow(Memory& memory, size_t& held, size_t bytes) {
  if (bytes <= held) return;
  held = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  memory.reset(std::aligned_alloc(kAlignment, held));
  if (!memory) throw std::bad_alloc();
}

}  // namespace

GroupExecutor& GroupExecutor::mine() {
  thread_local GroupExecutor executor;
  return executor;
}

void GroupExecutor::prepare(const CpuPipeline& pipeline, const SprueLaunch& launch) {
  const size_t count =
      size_t{launch.threadgroup[0]} * launch.threadgroup[1] * launch.threadgroup[2];
  grow(arena_, arena_bytes_, std::max<size_t>(pipeline.info().arena_bytes, 1));
  if (!pipeline.is_coroutine()) return;
  // An odd number of cache lines: a power-of-two stride would put all frames into one cache set.
  frame_stride_ =
      (pipeline.info().frame_bytes + kAlignment - 1) / kAlignment * kAlignment | kAlignment;
  grow(frames_, frames_bytes_, frame_stride_ * count);
  if (threads_.size() < count) threads_.resize(count);
  const size_t simdgroups = (count + kSimdWidth - 1) / kSimdWidth;
  if (simdgroups_.size() < simdgroups) simdgroups_.resize(simdgroups);
}

std::optional<GroupFault> GroupExecutor::run(const CpuPipeline& pipeline, const SprueLaunch& launch,
                                             uint64_t first, uint64_t last) {
  prepare(pipeline, launch);
  if (!pipeline.is_coroutine()) {
    SprueWorker worker{first, last, arena_.get()};
    pipeline.run_groups()(&launch, &worker);
    return std::nullopt;
  }
  for (uint64_t index = first; index < last; ++index)
    if (auto fault = run_group(pipeline, launch, index)) return fault;
  return std::nullopt;
}

std::optional<GroupFault> GroupExecutor::run_group(const CpuPipeline& pipeline,
                                                   const SprueLaunch& launch, uint64_t index) {
  group_.arena = arena_.get();
  group_.thread_count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    group_.position[axis] = static_cast<uint32_t>(index % launch.groups[axis]);
    index /= launch.groups[axis];
    const uint32_t begin = group_.position[axis] * launch.threadgroup[axis];
    group_.size[axis] = std::min(launch.threadgroup[axis], launch.grid[axis] - begin);
    group_.thread_count *= group_.size[axis];
  }
  start_threads(pipeline, launch);
  const uint32_t simdgroups = (group_.thread_count + kSimdWidth - 1) / kSimdWidth;
  do {
    for (uint32_t s = 0; s < simdgroups; ++s) run_to_barrier(s);
    // The threads that wait are left where they are: their frames hold nothing that must be released.
    if (auto fault = find_fault()) return fault;
  } while (release_barrier());
  return std::nullopt;
}

void GroupExecutor::start_threads(const CpuPipeline& pipeline, const SprueLaunch& launch) {
  char* frame = static_cast<char*>(frames_.get());
  uint32_t index = 0;
  for (uint32_t z = 0; z < group_.size[2]; ++z)
    for (uint32_t y = 0; y < group_.size[1]; ++y)
      for (uint32_t x = 0; x < group_.size[0]; ++x, ++index, frame += frame_stride_) {
        SprueSimdgroup& simdgroup = simdgroups_[index / kSimdWidth];
        if (index % kSimdWidth == 0) {
          simdgroup.index = index / kSimdWidth;
          simdgroup.thread_count = std::min(kSimdWidth, group_.thread_count - index);
        }
        threads_[index] = {kSprueReady, 0, nullptr, &simdgroup, &group_, {x, y, z}, index};
        pipeline.run_thread()(&launch, &threads_[index], frame);
      }
}

void GroupExecutor::resume(uint32_t thread) {
  void* frame = static_cast<char*>(frames_.get()) + thread * frame_stride_;
  threads_[thread].state = kSprueReady;
  (*static_cast<void (**)(void*)>(frame))(frame);
}

// Completes collectives of one simdgroup until each of its threads waits at a barrier or has returned.
void GroupExecutor::run_to_barrier(uint32_t simdgroup) {
  const uint32_t first = simdgroup * kSimdWidth;
  const uint32_t count = simdgroups_[simdgroup].thread_count;
  for (;;) {
    uint32_t site = ~0u, lanes = 0;
    for (uint32_t lane = 0; lane < count; ++lane) {
      const SprueThread& thread = threads_[first + lane];
      if (thread.state != kSprueCollective || thread.site > site) continue;
      if (thread.site < site) lanes = 0;
      site = thread.site;
      lanes |= 1u << lane;
    }
    if (lanes == 0) return;
    const uint32_t any = first + static_cast<uint32_t>(__builtin_ctz(lanes));
    threads_[any].combine(&simdgroups_[simdgroup], lanes);
    for (uint32_t left = lanes; left != 0; left &= left - 1)
      resume(first + static_cast<uint32_t>(__builtin_ctz(left)));
  }
}

std::optional<GroupFault> GroupExecutor::find_torn_warp() const {
  const uint32_t simdgroups = (group_.thread_count + kSimdWidth - 1) / kSimdWidth;
  for (uint32_t s = 0; s < simdgroups; ++s) {
    const uint32_t found = simdgroups_[s].index;
    if (!(found & kSprueTornWarp)) continue;
    const uint32_t first = s * kSimdWidth;
    return GroupFault{GroupFault::Kind::torn_warp,
                      {group_.position[0], group_.position[1], group_.position[2]},
                      {first + (found >> 8 & 0xff), first + (found & 0xff)},
                      {}};
  }
  return std::nullopt;
}

// Where each thread waits at a barrier or has returned.
std::optional<GroupFault> GroupExecutor::find_fault() const {
  if (auto torn = find_torn_warp()) return torn;
  const SprueThread* first = nullptr;
  for (uint32_t i = 0; i < group_.thread_count; ++i) {
    const SprueThread& thread = threads_[i];
    if (thread.state != kSprueBarrier) continue;
    if (!first) first = &thread;
    if (thread.site == first->site) continue;
    return GroupFault{GroupFault::Kind::two_barriers,
                      {group_.position[0], group_.position[1], group_.position[2]},
                      {first->index, i},
                      {first->site, thread.site}};
  }
  return std::nullopt;
}

// False when no thread waits: the group is done.
bool GroupExecutor::release_barrier() {
  bool waited = false;
  for (uint32_t i = 0; i < group_.thread_count; ++i) {
    if (threads_[i].state != kSprueBarrier) continue;
    waited = true;
    // A thread runs on alone to its next wait: what follows a barrier reads what came before it.
    resume(i);
  }
  return waited;
}

}  // namespace sprue
