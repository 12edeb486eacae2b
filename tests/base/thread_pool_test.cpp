#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

namespace sprue {
namespace {

// Runs the loop and says whether each index ran exactly once, in pieces of sensible bounds.
bool covers(int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
  std::atomic<bool> in_bounds{true};
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    if (begin < 0 || begin >= end || end > count) in_bounds = false;
    for (int64_t i = begin; i < end; ++i) ++runs[static_cast<size_t>(i)];
  });
  if (!in_bounds) return false;
  for (const auto& run : runs)
    if (run != 1) return false;
  return true;
}

TEST(ThreadPoolConcurrency, EachIndexRunsOnce) {
  for (int64_t count : {1, 2, 3, 7, 64, 1009, 10000})
    for (int64_t grain : {1, 2, 3, 16, 1000, 20000})
      EXPECT_TRUE(covers(count, grain)) << count << " by " << grain;
}

TEST(ThreadPoolConcurrency, NothingToDoAndNoGrain) {
  bool ran = false;
  parallel_for(0, 1, [&](int64_t, int64_t) { ran = true; });
  parallel_for(-5, 1, [&](int64_t, int64_t) { ran = true; });
  EXPECT_FALSE(ran);
  EXPECT_TRUE(covers(10, 0));
  EXPECT_TRUE(covers(10, -3));
  EXPECT_GE(parallel_threads(), 1);
}

TEST(ThreadPoolConcurrency, NestedCallsFinish) {
  std::atomic<int> total{0};
  parallel_for(20, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      parallel_for(30, 4, [&](int64_t inner_begin, int64_t inner_end) {
        total += static_cast<int>(inner_end - inner_begin);
      });
  });
  EXPECT_EQ(total, 600);
}

TEST(ThreadPoolConcurrency, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> good{0};
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 50; ++round) good += covers(100 + caller * 13, 1 + round % 7);
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(good, 8 * 50);
}

TEST(ThreadPoolConcurrency, ManyShortLoopsInARow) {
  // A worker that wakes late must not take a piece of a loop that is over.
  std::atomic<int64_t> total{0};
  for (int round = 0; round < 3000; ++round)
    parallel_for(4, 1, [&](int64_t begin, int64_t end) { total += end - begin; });
  EXPECT_EQ(total, 12000);
}

TEST(ThreadPoolConcurrency, WhatTheBodyWroteIsSeenByTheCaller) {
  for (int round = 0; round < 100; ++round) {
    std::vector<int> plain(500);  // no atomics: the end of the loop orders the writes
    parallel_for(500, 7, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        plain[static_cast<size_t>(i)] = static_cast<int>(i) + round;
    });
    for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], static_cast<int>(i) + round);
  }
}

// A child has none of its parent's threads; it makes a pool of its own.
TEST(ThreadPool, WorksInAChildAfterFork) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer refuses threads in a child of a process with threads";
#endif
  ASSERT_TRUE(covers(1000, 3));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);  // a child that hangs is killed, and fails the test by its status
    const bool covered = covers(1000, 3) && covers(77, 1);
    const auto tasks = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    _exit(covered && tasks == parallel_threads() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(covers(1000, 3));
}

}  // namespace
}  // namespace sprue
