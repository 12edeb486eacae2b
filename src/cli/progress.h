// What is going on and for how long, in a line on standard error, for people only: nothing is printed
// unless that is a terminal and the work has taken longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sprue::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress() { finish(); }

  void update(std::string what);
  // Erases the line. Idempotent.
  void finish();

 private:
  void show();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;  // only where there is somebody to look
};

}  // namespace sprue::cli
