// The one seam for system calls that can fail: files read, mapped and published, and files in
// memory.
//
//   SPRUE_ASSIGN(auto text, read_file("exp.toml"));
//   SPRUE_ASSIGN(auto map, MappedFile::open("weights.gguf"));   // map.bytes() while it lives
//   SPRUE_CHECK(write_file_atomically("e.casting", bytes));     // whole or not at all
//
// Every call goes through the table sys::calls(), in which tests put functions that fail.
// Interrupted calls (EINTR) are repeated, short reads and writes are continued. Not for directories
// or metadata: std::filesystem does those.
//
// Thread-safety: all functions may be called from any thread; an object belongs to one thread at a
// time. Errors: not_found where the file doesn't exist, io for all else.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace sprue {

namespace sys {

// The calls as the system has them: -1 (or MAP_FAILED) and errno on failure.
struct Calls {
  int (*open)(const char* path, int flags, mode_t mode);
  ssize_t (*read)(int descriptor, void* bytes, size_t count);
  ssize_t (*write)(int descriptor, const void* bytes, size_t count);
  int (*fsync)(int descriptor);
  int (*close)(int descriptor);
  int (*fstat)(int descriptor, struct stat* status);
  int (*stat)(const char* path, struct stat* status);
  int (*rename)(const char* from, const char* to);
  int (*unlink)(const char* path);
  void* (*mmap)(void* address, size_t length, int protection, int flags, int descriptor,
                off_t offset);
  int (*munmap)(void* address, size_t length);
  int (*memfd_create)(const char* name, unsigned flags);
};

// The process's table. Changed only by tests, while no other thread makes calls.
Calls& calls();

}  // namespace sys

// An open file, closed once.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int adopted) : descriptor_(adopted) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  // Closes now; false and errno if the system reports that earlier writes were lost.
  bool close();

 private:
  int descriptor_ = -1;
};

// A regular file's bytes, read-only and page-aligned. An empty file has no bytes. Another process
// that cuts the file short while it's mapped makes reads beyond its end fault; files that are
// replaced by rename, as write_file_atomically does, are safe.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile();

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(address_), size_};
  }
  std::string_view text() const { return {static_cast<const char*>(address_), size_}; }
  size_t size() const { return size_; }

 private:
  void* address_ = nullptr;
  size_t size_ = 0;
};

inline constexpr size_t kReadLimit = size_t{1} << 30;  // bytes

// The whole file, a pipe included. More than `limit` bytes are an error: a device may never end.
Result<std::string> read_file(const std::string& path, size_t limit = kReadLimit);

// Replaces the file by `bytes`: readers see the old content or the new, never a part, and after a
// success the new content survives a power cut. A symbolic link stays and its target is replaced. A
// path that is no regular file (/dev/stdout) is written in place.
Status write_file_atomically(const std::string& path, std::string_view bytes);

// A file without a name, holding `bytes`; it is gone when its last descriptor and mapping are.
// `name` is seen in /proc only.
Result<FileDescriptor> create_memory_file(const std::string& name, std::string_view bytes);

}  // namespace sprue
