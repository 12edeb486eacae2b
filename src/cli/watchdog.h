// Ends the process if something takes longer than allowed: a kernel that spins can't be stopped otherwise.
//
//   Watchdog watchdog(options.timeout, "kernel 'scale'");   // seconds; 0: no limit
//   call_kernel(...);
//
// When the time is up it prints "[run] expected kernel 'scale' to finish within 2 s, got none; ..." as any
// error is printed and ends the process with kExpectationFailed, running no destructor: the kernel still
// uses its arrays. Keep its life to the call alone, so that no file is half written then. One thread while
// it lives.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sprue::cli {

class Watchdog {
 public:
  Watchdog(double seconds, const std::string& what);
  ~Watchdog();  // in time
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool in_time_ = false;
  std::thread thread_;
};

}  // namespace sprue::cli
