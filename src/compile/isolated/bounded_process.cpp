#include "compile/isolated/bounded_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/sys.h"

extern char** environ;

namespace sprue {

namespace {

using Clock = std::chrono::steady_clock;

tl::unexpected<Error> refused(const char* what, int reason) {
  return fail(ErrorCode::io, "process", "expected {}, got {}", what, std::strerror(reason));
}

// Above 2: in a process without standard streams, the descriptor could be one that the program's streams
// are put over.
Result<FileDescriptor> lifted(const FileDescriptor& descriptor) {
  const int copy = fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return refused("a file descriptor", errno);
  return FileDescriptor(copy);
}

struct Pipe {
  FileDescriptor read_end, write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return refused("a pipe", errno);
  const FileDescriptor read_end(ends[0]), write_end(ends[1]);
  Pipe pipe;
  SPRUE_ASSIGN(pipe.read_end, lifted(read_end));
  SPRUE_ASSIGN(pipe.write_end, lifted(write_end));
  return pipe;
}

class SpawnPlan {
 public:
  SpawnPlan(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    posix_spawn_file_actions_addopen(&actions_, 2, "/dev/null", O_WRONLY, 0);
    // This process may have descriptors that other code opened for every child.
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    // What this process ignores or blocks would be ignored there as well: SIGXCPU must end it.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  Result<pid_t> spawn(const std::vector<std::string>& command) const {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t process = 0;
    const int reason =
        posix_spawn(&process, words[0], &actions_, &attributes_, words.data(), environ);
    if (reason != 0)
      return fail(reason == ENOENT ? ErrorCode::not_found : ErrorCode::io, "process",
                  "expected to run {}, got {}", command.front(), std::strerror(reason));
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Reads up to the end of the output. False: the time is up, or it is too much; `run.end` says which.
Result<bool> read_output(const FileDescriptor& pipe, Clock::time_point deadline, size_t limit,
                         BoundedRun& run) {
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waited{pipe.get(), POLLIN, 0};
    const int ready =
        left > 0 ? poll(&waited, 1, static_cast<int>(std::min<int64_t>(left, 1 << 30))) : 0;
    if (left <= 0) {
      run.end = BoundedRun::End::timed_out;
      return false;
    }
    if (ready == 0) continue;  // the time is up
    const ssize_t count = ready < 0 ? -1 : read(pipe.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refused("to read what a program writes", errno);
    if (count == 0) return true;
    if (run.output.size() + static_cast<size_t>(count) > limit) {
      run.end = BoundedRun::End::overflowed;
      return false;
    }
    run.output.append(buffer, static_cast<size_t>(count));
  }
}

}  // namespace

Result<BoundedRun> run_bounded(const std::vector<std::string>& command, std::string_view input,
                               const ProcessBounds& bounds) {
  if (command.empty() || command.front().empty())
    return fail(ErrorCode::invalid_argument, "process", "expected a program, got none");
  SPRUE_ASSIGN(const FileDescriptor written, create_memory_file("sprue-input", input));
  SPRUE_ASSIGN(const FileDescriptor file, lifted(written));
  if (lseek(file.get(), 0, SEEK_SET) != 0) return refused("a file in memory", errno);
  SPRUE_ASSIGN(Pipe output, make_pipe());
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(bounds.seconds));
  SPRUE_ASSIGN(const pid_t process, SpawnPlan(file.get(), output.write_end.get()).spawn(command));
  output.write_end.close();
  BoundedRun run;
  const Result<bool> ended = read_output(output.read_end, deadline, bounds.output_bytes, run);
  // Before it is waited for: until then its id and its group's are nobody else's. A program that has
  // ended keeps the status that it ended with.
  kill(-process, SIGKILL);
  int status = 0;
  pid_t waited;
  while ((waited = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
  }
  if (!ended) return tl::unexpected(ended.error());
  if (!*ended || waited != process) return run;  // not ours to wait for where SIGCHLD is ignored
  run.end = WIFSIGNALED(status) ? BoundedRun::End::signalled : BoundedRun::End::exited;
  run.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return run;
}

}  // namespace sprue
