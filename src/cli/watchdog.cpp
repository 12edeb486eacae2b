#include "cli/watchdog.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "cli/command.h"

namespace sprue::cli {

Watchdog::Watchdog(double seconds, const std::string& what) {
  if (seconds <= 0) return;
  thread_ = std::thread([this, seconds, what] {
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return in_time_; }))
      return;
    // The lock stays held: whoever finishes now waits for the end, and nothing is printed twice.
    alarm(5);  // even if nobody takes what is printed
    report_error(Error(ErrorCode::invalid_argument,
                       fmt::format("[run] expected {} to finish within {} s, got none; look for a "
                                   "loop that never ends, or give --timeout more",
                                   what, seconds)));
    std::fflush(stdout);  // the calls before this one
    _exit(kExpectationFailed);
  });
}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    in_time_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

}  // namespace sprue::cli
