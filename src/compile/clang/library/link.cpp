// Object to shared object, by LLD in process.
#include <fcntl.h>
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

#include "compile.h"

LLD_HAS_DRIVER(elf)

// compiler-rt's builtins and our memory functions (runtime.a): members are linked on demand, so that a
// kernel has no imports.
asm(".section .rodata\n"
    ".global sprue_runtime_begin, sprue_runtime_end\n"
    ".hidden sprue_runtime_begin, sprue_runtime_end\n"
    "sprue_runtime_begin: .incbin \"runtime.a\"\n"
    "sprue_runtime_end: .byte 0\n"
    ".previous\n");
extern "C" const char sprue_runtime_begin[], sprue_runtime_end[];

namespace sprue_clang {

namespace {

// An anonymous file that LLD can open by name.
class MemoryFile {
 public:
  MemoryFile(const char* name, llvm::StringRef bytes)
      : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    while (descriptor_ >= 0 && !bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      bytes = bytes.drop_front(static_cast<size_t>(written));
    }
    complete_ = descriptor_ >= 0 && bytes.empty();
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  bool complete() const { return complete_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
  bool complete_ = false;
};

// What the linker's log means to the user: a function that is declared, and called, without a body.
std::string reason(const std::string& log) {
  constexpr llvm::StringRef kUndefined = "undefined symbol: ";
  const size_t at = log.find(kUndefined.str());
  if (at == std::string::npos) return "linking failed: " + log;
  const llvm::StringRef name = llvm::StringRef(log).drop_front(at + kUndefined.size());
  return "'" + name.take_until([](char c) { return c == '\n'; }).str() +
         "' is called but has no body; a kernel can't call functions from outside its text";
}

}  // namespace

bool link(Compile& compile, const std::string& object, std::string& shared_object) {
  static std::mutex lld;  // LLD keeps its state in globals
  MemoryFile runtime(
      "sprue-runtime",
      {sprue_runtime_begin, static_cast<size_t>(sprue_runtime_end - sprue_runtime_begin)});
  MemoryFile input("sprue-object", object);
  // LLD writes a sibling of a regular output file, which a memfd has not: a pipe takes the bytes.
  int ends[2];
  if (!runtime.complete() || !input.complete() || pipe2(ends, O_CLOEXEC) != 0) {
    compile.error(std::string("no memory files for the linker: ") + std::strerror(errno));
    return false;
  }
  std::thread reader([&shared_object, from = ends[0]] {
    char chunk[64 << 10];
    for (;;) {
      const ssize_t size = read(from, chunk, sizeof chunk);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      shared_object.append(chunk, static_cast<size_t>(size));
    }
  });
  const std::string output = "/proc/self/fd/" + std::to_string(ends[1]);
  const std::string object_path = input.path(), runtime_path = runtime.path();
  const char* arguments[] = {"ld.lld",
                             "-shared",
                             "-nostdlib",
                             "--no-undefined",
                             "--threads=1",
                             "--hash-style=gnu",
                             "--build-id=none",
                             "--gc-sections",
                             "--exclude-libs=ALL",
                             "-Bsymbolic",
                             "-z",
                             "norelro",
                             "-z",
                             "noexecstack",
                             "--no-rosegment",
                             "--strip-all",
                             "-o",
                             output.c_str(),
                             object_path.c_str(),
                             runtime_path.c_str()};
  std::string log;
  llvm::raw_string_ostream stream(log);
  bool linked;
  {
    std::lock_guard lock(lld);
    linked = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}}).retCode == 0;
  }
  close(ends[1]);
  reader.join();
  close(ends[0]);
  if (!linked || shared_object.empty()) compile.error(reason(log));
  return linked && !shared_object.empty();
}

}  // namespace sprue_clang
