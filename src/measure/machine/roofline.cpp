#include "measure/machine/roofline.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/thread_pool.h"
#include "measure/machine/caches.h"
#include "measure/machine/roofline_loops.h"

namespace sprue {

namespace {

constexpr int kPasses = 9;
constexpr double kPassSeconds = 2e-3;                // long beside the clock and the pool's start
constexpr int64_t kMemoryBytes = int64_t{64} << 20;  // at least, and at least 4 last caches
constexpr int64_t kMostMemoryBytes = int64_t{1} << 30;
constexpr int64_t kPage = 4096;

// The best rate of `work`, which does `amount` of it: a ceiling is what the machine can do when nothing
// is in its way. Repeated within a pass until that is long enough.
template <typename Work>
double rate(double amount, Work work) {
  const auto time = [&](int repeats) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  time(1);  // brings the set into the cache
  int repeats = 1;
  while (time(repeats) < kPassSeconds && repeats < (1 << 24)) repeats *= 2;
  double best = 0;
  for (int i = 0; i < kPasses; ++i) best = std::max(best, amount * repeats / time(repeats));
  return best;
}

// Every thread reads a part of its own, often enough that starting the pool costs nothing beside it.
double read_rate(const float* values, int64_t bytes, int threads) {
  const int64_t part = bytes / threads / kPage * kPage;
  const int repeats = static_cast<int>(
      std::clamp<int64_t>((int64_t{1} << 20) / std::max<int64_t>(part, 1), 1, 256));
  const auto amount = static_cast<double>(part) * threads * repeats;
  return rate(amount, [&] {
    parallel_for(threads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (int r = 0; r < repeats; ++r) read_all_floats(values + i * part / 4, part / 4);
    });
  });
}

}  // namespace

Roofline measure_roofline() {
  const int threads = parallel_threads();
  const std::vector<Cache> caches = data_caches();
  const int64_t last = caches.empty() ? 0 : caches.back().capacity;
  const int64_t memory = std::clamp(4 * last, kMemoryBytes, kMostMemoryBytes);
  const std::unique_ptr<float[], decltype(&std::free)> values(
      static_cast<float*>(std::aligned_alloc(kPage, static_cast<size_t>(memory))), std::free);
  if (!values) throw std::bad_alloc();
  std::fill_n(values.get(), memory / 4, 1.0f);  // so that every page is one of its own
  Roofline roof;
  for (const Cache& cache : caches)
    if (cache.capacity / 2 >= kPage * threads)
      roof.levels.push_back(
          {cache.name, cache.capacity, read_rate(values.get(), cache.capacity / 2, threads)});
  roof.levels.push_back({"memory", 0, read_rate(values.get(), memory, threads)});
  const double operations = multiply_add_rounds(1) * static_cast<double>(kRoofRounds) * threads;
  roof.operations = rate(operations, [&] {
    parallel_for(threads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) multiply_add_rounds(kRoofRounds);
    });
  });
  return roof;
}

const Roofline::Level& level_of(const Roofline& roof, int64_t working_set_bytes) {
  for (const Roofline::Level& level : roof.levels)
    if (level.capacity >= working_set_bytes) return level;
  return roof.levels.back();
}

RowBound find_bound(const Roofline& roof, int64_t working_set_bytes, std::optional<double> bytes,
                    std::optional<double> operations) {
  RowBound bound;
  const Roofline::Level& level = level_of(roof, working_set_bytes);
  bound.bandwidth = level.bandwidth;
  bound.memory = level.name;
  if (!bytes && !operations) return bound;
  const auto consider = [&](const char* by, double seconds) {
    if (seconds > bound.seconds) {
      bound.by = by;
      bound.seconds = seconds;
    }
  };
  consider("launch", roof.launch_seconds);
  if (bytes) consider("bandwidth", *bytes / level.bandwidth);
  if (operations) consider("arithmetic", *operations / roof.operations);
  return bound;
}

}  // namespace sprue
