#include "cli/watchdog.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "cli/command.h"

namespace sprue::cli {

namespace {

// The right exit code even if nobody takes what is printed, and a full pipe or the stream's lock holds this
// thread. Whoever started the process may have left the signal ignored or blocked.
void end_after(unsigned seconds) {
  struct sigaction action {};
  action.sa_handler = [](int) { _exit(kExpectationFailed); };
  sigaction(SIGALRM, &action, nullptr);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  alarm(seconds);
}

}  // namespace

Watchdog::Watchdog(double seconds, const std::string& what) {
  if (seconds <= 0) return;
  thread_ = std::thread([this, seconds, what] {
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return in_time_; }))
      return;
    // The lock stays held: whoever finishes now waits for the end, and nothing is printed twice.
    end_after(5);
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
