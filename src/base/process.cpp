#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/sys.h"

extern char** environ;

namespace sprue {

namespace {

struct Pipe {
  FileDescriptor read_end, write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  // Closed on exec: the program gets copies under other numbers, and programs that other threads
  // start at the same time get none.
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::io, "process", "expected a pipe, got {}", std::strerror(errno));
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Both at once: a program that fills one pipe while we wait for the other would never end.
void read_all(const FileDescriptor& first, std::string& first_text, const FileDescriptor& second,
              std::string& second_text) {
  pollfd waited[2] = {{first.get(), POLLIN, 0}, {second.get(), POLLIN, 0}};
  std::string* texts[2] = {&first_text, &second_text};
  char buffer[16384];
  while (waited[0].fd >= 0 || waited[1].fd >= 0) {
    if (poll(waited, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; ++i) {
      if (waited[i].fd < 0 || !waited[i].revents) continue;
      const ssize_t count = read(waited[i].fd, buffer, sizeof buffer);
      if (count > 0)
        texts[i]->append(buffer, static_cast<size_t>(count));
      else if (count == 0 || errno != EINTR)
        waited[i].fd = -1;  // poll passes over it from now on
    }
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& command,
                                  const ProcessOptions& options) {
  if (command.empty() || command.front().empty())
    return fail(ErrorCode::invalid_argument, "process", "expected a program, got none");
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  SPRUE_ASSIGN(Pipe output, make_pipe());
  SPRUE_ASSIGN(Pipe errors, make_pipe());
  FileActions actions;
  posix_spawn_file_actions_addopen(actions.get(), 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), output.write_end.get(), 1);
  if (!options.show_errors)
    posix_spawn_file_actions_adddup2(actions.get(), errors.write_end.get(), 2);
  if (!options.folder.empty())
    posix_spawn_file_actions_addchdir_np(actions.get(), options.folder.c_str());
  pid_t process = 0;
  const int reason =
      posix_spawnp(&process, words[0], actions.get(), nullptr, words.data(), environ);
  if (reason != 0)
    return fail(reason == ENOENT ? ErrorCode::not_found : ErrorCode::io, "process",
                "expected to run {}{}, got {}", command.front(),
                options.folder.empty() ? "" : " in " + options.folder, std::strerror(reason));
  output.write_end.close();
  errors.write_end.close();
  ProcessResult result;
  read_all(output.read_end, result.output, errors.read_end, result.errors);
  result.exit_code = wait_for(process);
  return result;
}

}  // namespace sprue
