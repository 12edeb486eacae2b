#include "base/sys.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace sprue {

namespace sys {

Calls& calls() {
  static Calls instance = {
      .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
      .read = ::read,
      .write = ::write,
      .fsync = ::fsync,
      .close = ::close,
      .fstat = ::fstat,
      .stat = ::stat,
      .rename = ::rename,
      .unlink = ::unlink,
      .mmap = ::mmap,
      .munmap = ::munmap,
      .memfd_create = ::memfd_create,
  };
  return instance;
}

}  // namespace sys

namespace {

constexpr std::string_view kOrigin = "file";

tl::unexpected<Error> system_failure(std::string_view action, const std::string& path, int number) {
  const ErrorCode code =
      number == ENOENT || number == ENOTDIR ? ErrorCode::not_found : ErrorCode::io;
  return fail(code, kOrigin, "expected to {} '{}', got '{}'", action, path,
              std::generic_category().message(number));
}

// Repeats a call for as long as a signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

Result<FileDescriptor> open_file(const std::string& path, int flags, mode_t mode,
                                 std::string_view action) {
  if (path.find('\0') != std::string::npos)
    return fail(ErrorCode::invalid_argument, kOrigin, "expected a path, got one with a zero byte");
  const int descriptor =
      uninterrupted([&] { return sys::calls().open(path.c_str(), flags | O_CLOEXEC, mode); });
  if (descriptor < 0) return system_failure(action, path, errno);
  return FileDescriptor(descriptor);
}

Status write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written =
        uninterrupted([&] { return sys::calls().write(file.get(), bytes.data(), bytes.size()); });
    if (written < 0) return system_failure("write", path, errno);
    // A write that takes nothing and names no error would repeat forever.
    if (written == 0) return system_failure("write", path, ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// Removes a temporary file unless it was renamed.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    if (!path.empty()) sys::calls().unlink(path.c_str());
  }
};

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// A new file in `folder`. Its name is unique by process and counter; what a dead process with our
// id left behind is stepped over.
Result<FileDescriptor> create_temporary(const std::string& folder, const std::string& target,
                                        mode_t mode, TemporaryFile& temporary) {
  static std::atomic<uint64_t> counter{0};
  constexpr int kAttempts = 1000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string path = fmt::format("{}.sprue-{}-{}.tmp", folder, ::getpid(), counter++);
    const int descriptor = uninterrupted([&] {
      return sys::calls().open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    });
    if (descriptor >= 0) {
      temporary.path = path;
      return FileDescriptor(descriptor);
    }
    if (errno != EEXIST) return system_failure("write", target, errno);
  }
  return system_failure("write", target, EEXIST);
}

// Some file systems can't synchronise a directory and say so by EINVAL; their renames are as safe
// as they get.
Status synchronise(int descriptor, const std::string& path, bool may_be_unsupported) {
  if (uninterrupted([&] { return sys::calls().fsync(descriptor); }) == 0) return {};
  if (may_be_unsupported && (errno == EINVAL || errno == ENOTSUP)) return {};
  return system_failure("synchronise", path, errno);
}

}  // namespace

FileDescriptor::~FileDescriptor() { close(); }

bool FileDescriptor::close() {
  // Never repeated: the system has released the number even where it reports an interruption.
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor < 0 || sys::calls().close(descriptor) == 0 || errno == EINTR;
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: a pipe without a writer is refused below rather than waited for.
  SPRUE_ASSIGN(const FileDescriptor file, open_file(path, O_RDONLY | O_NONBLOCK, 0, "open"));
  struct stat status;
  if (sys::calls().fstat(file.get(), &status) != 0) return system_failure("read", path, errno);
  if (!S_ISREG(status.st_mode))
    return fail(ErrorCode::io, kOrigin, "expected a regular file, got {} '{}'",
                S_ISDIR(status.st_mode) ? "the folder" : "the pipe or device", path);
  MappedFile map;
  if (status.st_size == 0) return map;  // the system refuses mappings of no bytes
  const auto size = static_cast<size_t>(status.st_size);
  void* address = sys::calls().mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return system_failure("map", path, errno);
  map.address_ = address;
  map.size_ = size;
  return map;
}

MappedFile::~MappedFile() {
  if (address_) sys::calls().munmap(address_, size_);
}

Result<std::string> read_file(const std::string& path, size_t limit) {
  SPRUE_ASSIGN(const FileDescriptor file, open_file(path, O_RDONLY, 0, "open"));
  struct stat status;
  if (sys::calls().fstat(file.get(), &status) != 0) return system_failure("read", path, errno);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorCode::io, kOrigin, "expected a file, got the folder '{}'", path);
  // The size is a hint: pipes have none, and files grow.
  constexpr size_t kChunk = 64 << 10;
  const size_t hint = status.st_size > 0 ? static_cast<size_t>(status.st_size) : 0;
  std::string text;
  size_t size = 0;
  while (true) {
    if (size == text.size())
      text.resize(size == 0 ? std::min(hint, limit) + 1 : size + kChunk + size / 2);
    const ssize_t count = uninterrupted(
        [&] { return sys::calls().read(file.get(), text.data() + size, text.size() - size); });
    if (count < 0) return system_failure("read", path, errno);
    if (count == 0) break;
    size += static_cast<size_t>(count);
    if (size > limit)
      return fail(ErrorCode::io, kOrigin, "expected at most {} bytes in '{}', got more", limit,
                  path);
  }
  text.resize(size);
  return text;
}

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return fail(ErrorCode::invalid_argument, kOrigin, "expected a path to write, got '{}'",
                path.c_str());
  mode_t mode = 0666;
  std::string target = path;
  struct stat status;
  if (sys::calls().stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return fail(ErrorCode::io, kOrigin, "expected a file to write, got the folder '{}'", path);
    if (!S_ISREG(status.st_mode)) {
      // Renaming over a device would replace it for everyone.
      SPRUE_ASSIGN(FileDescriptor file, open_file(path, O_WRONLY, 0, "write"));
      SPRUE_CHECK(write_all(file, bytes, path));
      if (!file.close()) return system_failure("write", path, errno);
      return {};
    }
    mode = status.st_mode & 0777;
    std::error_code unresolved;
    const auto resolved = std::filesystem::canonical(path, unresolved);
    if (!unresolved) target = resolved.string();
  }

  const std::string folder = folder_of(target);
  TemporaryFile temporary;
  SPRUE_ASSIGN(FileDescriptor file, create_temporary(folder, path, mode, temporary));
  SPRUE_CHECK(write_all(file, bytes, path));
  // Before the rename: a name must never lead to content that isn't on the disk yet.
  SPRUE_CHECK(synchronise(file.get(), path, false));
  if (!file.close()) return system_failure("write", path, errno);
  if (sys::calls().rename(temporary.path.c_str(), target.c_str()) != 0)
    return system_failure("write", path, errno);
  temporary.path.clear();
  SPRUE_ASSIGN(const FileDescriptor directory,
               open_file(folder, O_RDONLY | O_DIRECTORY, 0, "synchronise"));
  return synchronise(directory.get(), folder, true);
}

Result<FileDescriptor> create_memory_file(const std::string& name, std::string_view bytes) {
  constexpr size_t kLongestName = 200;  // the system takes 249 bytes
  const int descriptor = uninterrupted(
      [&] { return sys::calls().memfd_create(name.substr(0, kLongestName).c_str(), MFD_CLOEXEC); });
  if (descriptor < 0) return system_failure("create in memory", name, errno);
  FileDescriptor file(descriptor);
  SPRUE_CHECK(write_all(file, bytes, name));
  return file;
}

}  // namespace sprue
