#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

namespace sprue {

namespace {

constexpr int kMostThreads = 256;
// Turns of spinning before a worker sleeps: a decode step launches kernels every few microseconds.
constexpr int kSpins = 2000;

int wanted_threads() {
  int threads = 0;
  if (const char* text = std::getenv("SPRUE_CPU_THREADS"))
    std::from_chars(text, text + std::strlen(text), threads);
  if (threads < 1) {
    cpu_set_t allowed;
    threads = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  }
  return std::clamp(threads, 1, kMostThreads);
}

// One loop. Lives on its caller's stack: the caller leaves only when no worker is inside.
struct Job {
  const std::function<void(int64_t, int64_t)>& body;
  int64_t count;
  int64_t grain;
  std::atomic<int64_t> next{0};
  std::atomic<int> workers{0};  // workers that have joined and not yet left

  void take_pieces() {
    for (;;) {
      const int64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) return;
      body(begin, std::min(begin + grain, count));
    }
  }
};

class Pool {
 public:
  Pool() : workers_(wanted_threads() - 1) {
    // Detached: the pool is never destroyed, so no thread outlives what it uses.
    for (int i = 0; i < workers_; ++i) std::thread([this] { work(); }).detach();
  }

  int threads() const { return workers_ + 1; }

  void run(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
    if (workers_ == 0 || count <= grain || busy_.exchange(true, std::memory_order_acquire))
      return body(0, count);
    Job job{body, count, grain};
    {
      std::lock_guard lock(mutex_);
      job_ = &job;
      generation_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    job.take_pieces();
    {
      // From here on no worker joins: one that still sleeps doesn't hold up a short loop.
      std::lock_guard lock(mutex_);
      job_ = nullptr;
    }
    for (int spins = 0; job.workers.load(std::memory_order_acquire) != 0; ++spins)
      if (spins > kSpins) std::this_thread::yield();
    busy_.store(false, std::memory_order_release);
  }

 private:
  Job* join(uint64_t& seen) {
    for (int spins = 0; spins < kSpins; ++spins) {
      if (generation_.load(std::memory_order_acquire) != seen) break;
      __builtin_ia32_pause();
    }
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
    seen = generation_.load(std::memory_order_relaxed);
    if (job_) job_->workers.fetch_add(1, std::memory_order_relaxed);
    return job_;
  }

  void work() {
    for (uint64_t seen = 0;;) {
      Job* job = join(seen);
      if (!job) continue;
      job->take_pieces();
      job->workers.fetch_sub(1, std::memory_order_release);  // the job may be gone after this
    }
  }

  const int workers_;
  std::atomic<bool> busy_{false};  // a caller's loop is running
  std::mutex mutex_;
  std::condition_variable wake_;
  Job* job_ = nullptr;  // the loop that may be joined
  std::atomic<uint64_t> generation_{0};
};

std::atomic<Pool*> current{nullptr};
std::mutex creation;

// Threads don't survive fork(): the child forgets the parent's pool (leaked: its locks may be held).
void forget_pool_in_child() {
  current.store(nullptr, std::memory_order_relaxed);
  new (&creation) std::mutex;
}

Pool& pool() {
  Pool* pool = current.load(std::memory_order_acquire);
  if (pool) return *pool;
  static const int registered = pthread_atfork(nullptr, nullptr, forget_pool_in_child);
  (void)registered;
  std::lock_guard lock(creation);
  pool = current.load(std::memory_order_acquire);
  if (!pool) current.store(pool = new Pool, std::memory_order_release);
  return *pool;
}

}  // namespace

void parallel_for(int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& body) {
  if (count > 0) pool().run(count, std::max<int64_t>(grain, 1), body);
}

int parallel_threads() { return pool().threads(); }

}  // namespace sprue
