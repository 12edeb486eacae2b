// Runs the threads of one threadgroup as coroutines, with Metal's rules for waits:
// a collective completes over the lanes of its simdgroup that wait at the lowest site once no lane can
// run; a barrier completes when nothing else can. Threads that have returned are ignored by both.
// Threads that wait at two barriers at once, which Metal leaves undefined, are an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/cpu/cpu_pipeline.h"

namespace sprue {

// Threads of one threadgroup that can't both go on: one waits at another barrier than the other.
struct DivergentBarrier {
  uint32_t group[3];    // the threadgroup's position in the grid of groups
  uint32_t threads[2];  // linear indices in the group
  uint32_t sites[2];    // their waits, numbered in program order from 0
};

// One executor per operating-system thread; its memory grows to the largest kernel it has run.
class GroupExecutor {
 public:
  // The calling thread's own.
  static GroupExecutor& mine();

  // Runs the threadgroups [first, last) in linear order, up to the first fault.
  std::optional<DivergentBarrier> run(const CpuPipeline& pipeline, const SprueLaunch& launch,
                                      uint64_t first, uint64_t last);

 private:
  void prepare(const CpuPipeline& pipeline, const SprueLaunch& launch);
  std::optional<DivergentBarrier> run_group(const CpuPipeline& pipeline, const SprueLaunch& launch,
                                            uint64_t index);
  void start_threads(const CpuPipeline& pipeline, const SprueLaunch& launch);
  void run_to_barrier(uint32_t simdgroup);
  std::optional<DivergentBarrier> find_divergence() const;
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
