// Runs the threads of one threadgroup as coroutines, with Metal's rules for waits:
// a collective completes over the lanes of its simdgroup that wait at the lowest site once no lane can
// run; a barrier completes when nothing else can. Threads that have returned are ignored by both.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/cpu/cpu_pipeline.h"

namespace sprue {

// One executor per operating-system thread; its memory grows to the largest kernel it has run.
class GroupExecutor {
 public:
  // The calling thread's own.
  static GroupExecutor& mine();

  // Runs the threadgroups [first, last) in linear order.
  void run(const CpuPipeline& pipeline, const SprueLaunch& launch, uint64_t first, uint64_t last);

 private:
  void prepare(const CpuPipeline& pipeline, const SprueLaunch& launch);
  void run_group(const CpuPipeline& pipeline, const SprueLaunch& launch, uint64_t index);
  void start_threads(const CpuPipeline& pipeline, const SprueLaunch& launch);
  void run_to_barrier(uint32_t simdgroup);
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
