#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace sprue::cli {

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

void Progress::show() {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, 200ms, [this] { return end_; })) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed < 1s) continue;
    fmt::print(stderr, "\r\033[K{}, {:.0f} s", what_, elapsed.count());
    std::fflush(stderr);
  }
  fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::string what) {
  std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

}  // namespace sprue::cli
