// A progress line on standard error, for people only: nothing is printed unless that is a terminal and
// the work has taken longer than a second.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace sprue::cli {

class Progress {
 public:
  Progress(std::string what, int64_t total);
  ~Progress() { finish(); }

  void advance() { done_.fetch_add(1, std::memory_order_relaxed); }
  // Erases the line. Idempotent.
  void finish();

 private:
  void show();

  const std::string what_;
  const int64_t total_;
  std::atomic<int64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;  // only where there is somebody to look
};

}  // namespace sprue::cli
