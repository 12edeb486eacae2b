// Runs the threads of one threadgroup as coroutines, with Metal's rules for waits:
// a collective completes over the lanes of its simdgroup that wait at the lowest site once no lane can
// run; a barrier completes when nothing else can. Threads that have returned are ignored by both.
// Threads that wait at two barriers at once, which GPUs leave undefined, are an error, and so is a lane of
// a CUDA warp that another one waited for in vain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/cpu/cpu_pipeline.h"

namespace sprue {

// Two threads of one threadgroup that can't both go on: they wait at different barriers, or the first one's
// mask names the second, which isn't there (itself, where the mask lacks its own lane).
struct GroupFault {
  enum class Kind { two_barriers, torn_warp };
  Kind kind;
  uint32_t group[3];    // the threadgroup's position in the grid of groups
  uint32_t threads[2];  // linear indices in the group
  uint32_t sites[2];    // two_barriers: their waits, numbered in program order from 0
};

// One executor per operating-system thread; its memory grows to the largest kernel it has run.
class GroupExecutor {
 public:
  // The calling thread's own.
  static GroupExecutor& mine();

  // Runs the threadgroups [first, last) in linear order, up to the first fault.
  std::optional<GroupFault> run(const CpuPipeline& pipeline, const SprueLaunch& launch,
                                uint64_t first, uint64_t last);

 private:
  void prepare(const CpuPipeline& pipeline, const SprueLaunch& launch);
  std::optional<GroupFault> run_group(const CpuPipeline& pipeline, const SprueLaunch& launch,
                                      uint64_t index);
  void start_threads(const CpuPipeline& pipeline, const SprueLaunch& launch);
  void run_to_barrier(uint32_t simdgroup);
  std::optional<GroupFault> find_fault() const;
  std::optional<GroupFault> find_torn_warp() const;
  bool release_barrier();
  void resume(uint32_t thread);

  struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<void, FreeDeleter>;

  std::vector<SprueThread> threads_;
  std::vector<SprueSimdgroup> simdgroups_;
  SprueGroup group_{};
  Memory frames_;
  size_t frames_bytes_ = 0;
  size_t frame_stride_ = 0;  // bytes between the frames of neighbouring threads
  Memory arena_;
  size_t arena_bytes_ = 0;
};

}  // namespace sprue
