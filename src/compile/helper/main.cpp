// sprue-compile: compiles one kernel for another process (compile/isolated/isolated_compile.h), so that a
// text that crashes the compiler, or never ends, harms nobody. Request on standard input, answer on
// standard output; not for people.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>

#include "compile/clang/clang_abi.h"
#include "compile/isolated/isolated_compile.h"
#include "compile/isolated/message.h"

namespace {

// Address space that is reserved and hardly used: the library's own image, the allocator's arenas.
constexpr size_t kReserved = size_t{256} << 20;

std::string read_input() {
  std::string bytes;
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count > 0)
      bytes.append(buffer, static_cast<size_t>(count));
    else if (count == 0 || errno != EINTR)
      return bytes;
  }
}

bool write_output(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count > 0)
      bytes.remove_prefix(static_cast<size_t>(count));
    else if (count == 0 || errno != EINTR)
      return false;
  }
  return true;
}

void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  const rlimit value{most, most};
  setrlimit(resource, &value);
}

// Beyond what is in use now: a sanitizer takes terabytes of address space before main.
size_t address_space_in_use() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void set_limits(double seconds, size_t memory, size_t text_bytes) {
  limit(RLIMIT_CORE, 0);
  const auto processor_seconds = static_cast<rlim_t>(seconds) + 1;
  const rlimit processor{processor_seconds, processor_seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  limit(RLIMIT_AS,
        address_space_in_use() + kReserved + sprue_clang_stack_bytes(text_bytes) + memory);
}

// After a crash the memory that clang had is still held: where hardly any is left, that was the reason.
bool memory_is_short(size_t memory) {
  void* block = mmap(nullptr, memory / 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return true;
  munmap(block, memory / 8);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sprue;
  if (argc != 5) {
    std::fputs("sprue-compile SECONDS MEGABYTES LIBRARY PARENT: a part of sprue; reads a request\n",
               stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);                              // nobody would read the answer
  if (getppid() != std::strtol(argv[4], nullptr, 10)) return 2;  // it had ended before
  const double seconds = std::strtod(argv[1], nullptr);
  const size_t memory = static_cast<size_t>(std::strtoull(argv[2], nullptr, 10)) << 20;
  if (*argv[3]) setenv("SPRUE_CLANG_LIBRARY", argv[3], 1);
  const auto request = decode_request(read_input());
  if (!request) return 2;
  // The answer's way is ours alone: what else is written to standard output goes nowhere.
  const int answer = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (answer < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) return 2;

  std::set_new_handler([] { _exit(kHelperOutOfMemory); });
  set_limits(seconds, memory, request->request.text.size());
  const auto compiled = compile_by_library(request->request, request->output);
  if (!compiled && compiler_library_crashed() && memory_is_short(memory)) _exit(kHelperOutOfMemory);
  // _exit: after a crash inside clang its exit handlers can't be trusted either.
  _exit(write_output(answer, encode_answer(compiled)) ? 0 : 2);
}
