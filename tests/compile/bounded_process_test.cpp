// A program that is not waited for longer than agreed, and leaves nothing running.
#include "compile/isolated/bounded_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace sprue {
namespace {

using End = BoundedRun::End;

BoundedRun shell(const std::string& script, std::string_view input = "",
                 const ProcessBounds& bounds = {}) {
  return value_or_throw(run_bounded({"/bin/sh", "-c", script}, input, bounds));
}

TEST(BoundedProcess, GivesItsInputAndTakesItsOutput) {
  std::string input(3000000, 'x');
  input[1234567] = '\0';
  const BoundedRun run = shell("cat; exit 5", input);
  EXPECT_EQ(run.end, End::exited);
  EXPECT_EQ(run.status, 5);
  EXPECT_TRUE(run.output == input);
}

TEST(BoundedProcess, InputThatNobodyReadsIsNoFault) {
  const BoundedRun run = shell("echo done >&2; echo out", std::string(1 << 20, 'x'));
  EXPECT_EQ(run.end, End::exited);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "out\n");
}

TEST(BoundedProcess, ASignalShows) {
  const BoundedRun run = shell("echo part; kill -SEGV $$");
  EXPECT_EQ(run.end, End::signalled);
  EXPECT_EQ(run.status, SIGSEGV);
  EXPECT_EQ(run.output, "part\n");
}

// True once the process is gone or only waits for its parent to notice.
bool ends_soon(const std::string& process) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string id, name, state;
    if (!(file >> id >> name >> state) || state == "Z" || state == "X") return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(BoundedProcess, TimeIsUpForAllThatItStarted) {
  const BoundedRun run = shell("sleep 1000 & echo $!; wait", "", {.seconds = 0.2});
  EXPECT_EQ(run.end, End::timed_out);
  ASSERT_FALSE(run.output.empty());
  EXPECT_TRUE(ends_soon(run.output.substr(0, run.output.size() - 1))) << run.output;
}

// The output is at its end, so there is nothing left to wait for.
TEST(BoundedProcess, WhoClosesItsOutputIsNotWaitedFor) {
  const BoundedRun run = shell("echo all; exec sleep 1000 >&-", "", {.seconds = 100});
  EXPECT_EQ(run.end, End::signalled);
  EXPECT_EQ(run.status, SIGKILL);
  EXPECT_EQ(run.output, "all\n");
}

TEST(BoundedProcess, OutputWithoutEndIsCutOff) {
  const BoundedRun run = shell("yes", "", {.output_bytes = 100000});
  EXPECT_EQ(run.end, End::overflowed);
  EXPECT_LE(run.output.size(), 100000u);
}

TEST(BoundedProcess, WhatThisProcessIgnoresIsNotIgnoredThere) {
  const auto before = signal(SIGXCPU, SIG_IGN);
  const BoundedRun run = shell("kill -XCPU $$; echo alive");
  signal(SIGXCPU, before);
  EXPECT_EQ(run.end, End::signalled);
  EXPECT_EQ(run.status, SIGXCPU);
}

TEST(BoundedProcess, DescriptorsOfThisProcessStayHere) {
  const int open = dup(STDIN_FILENO);  // passed on, as other code's may be
  ASSERT_GE(open, 3);
  const BoundedRun run = shell(fmt::format("[ -e /proc/$$/fd/{} ] && echo there; echo end", open));
  close(open);
  EXPECT_EQ(run.output, "end\n");
}

// Without a descriptor to spare the system refuses to wait for one. Nor can a sanitizer work then: it opens
// pipes to look at memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(BoundedProcess, AWaitThatTheSystemRefusesIsAnError) {
  const std::string folder = testing::TempDir() + fmt::format("sprue-bounded-{}", getpid());
  const std::string started = folder + "/started", on = folder + "/on";
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  const std::string script =
      "mkdir " + started + "; while [ ! -d " + on + " ]; do :; done; echo out; exec sleep 1000";
  ErrorCode code{};
  std::thread runner([&] {
    const auto run = run_bounded({"/bin/sh", "-c", script}, "", {.seconds = 20});
    code = run ? ErrorCode{} : run.error().code();
  });
  while (access(started.c_str(), F_OK) != 0) std::this_thread::yield();
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  mkdir(on.c_str(), 0700);
  runner.join();
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(code, ErrorCode::io);
  for (const std::string& path : {started, on, folder}) rmdir(path.c_str());
}
#endif

TEST(BoundedProcess, WhereChildrenAreNotWaitedForTheOutputStillArrives) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const BoundedRun run = shell("echo out");
  signal(SIGCHLD, before);
  EXPECT_EQ(run.output, "out\n");
}

TEST(BoundedProcess, WhatCantRunIsAnError) {
  const auto absent = run_bounded({"/no/such/program"}, "");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::not_found);
  EXPECT_NE(absent.error().message().find("/no/such/program"), std::string::npos);
  EXPECT_FALSE(run_bounded({"/"}, ""));
  EXPECT_FALSE(run_bounded({}, ""));
}

}  // namespace
}  // namespace sprue
