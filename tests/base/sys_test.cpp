#include "base/sys.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace sprue {
namespace {

// What the injected functions do; reset for each test.
struct Plan {
  int interruptions = 0;      // EINTR that many times first
  int error = 0;              // then this error, if any
  size_t largest = SIZE_MAX;  // bytes that one read or write takes
  int calls = 0;
} plan;

// The plan's verdict on one call: 0 = let it through.
int failure() {
  ++plan.calls;
  if (plan.interruptions > 0) {
    --plan.interruptions;
    return EINTR;
  }
  return plan.error;
}

template <typename Result>
bool fails(Result& result) {
  errno = failure();
  result = static_cast<Result>(-1);
  return errno != 0;
}

class SysTest : public testing::Test {
 protected:
  void SetUp() override {
    plan = {};
    std::string pattern = testing::TempDir() + "sprue-sys-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern + "/";
  }
  void TearDown() override {
    sys::calls() = original_;
    std::filesystem::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return folder_ + name; }
  void put(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }
  // Read without the code under test.
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.push_back(entry.path().filename());
    return found;
  }

  const sys::Calls original_ = sys::calls();
  std::string folder_;
};

std::string pattern_of(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 131 + i / 251);
  return text;
}

TEST_F(SysTest, WhatIsWrittenIsReadAndMapped) {
  for (size_t size :
       {size_t{0}, size_t{1}, size_t{4095}, size_t{4096}, size_t{4097}, size_t{300001}}) {
    const std::string bytes = pattern_of(size);
    ASSERT_TRUE(write_file_atomically(path("f"), bytes));
    EXPECT_EQ(content("f"), bytes);
    EXPECT_EQ(read_file(path("f")).value(), bytes);
    const MappedFile map = MappedFile::open(path("f")).value();
    EXPECT_EQ(map.text(), bytes);
    EXPECT_EQ(map.bytes().size(), size);
  }
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(SysTest, MissingFilesAndFoldersAreNamed) {
  for (const std::string& name : {path("none"), path("none/below")}) {
    for (const Error& error : {read_file(name).error(), MappedFile::open(name).error()}) {
      EXPECT_EQ(error.code(), ErrorCode::not_found);
      EXPECT_NE(error.message().find("'" + name + "'"), std::string::npos) << error.message();
    }
  }
  EXPECT_EQ(write_file_atomically(path("none/below"), "x").error().code(), ErrorCode::not_found);
  EXPECT_EQ(read_file(folder_).error().code(), ErrorCode::io);
  EXPECT_EQ(MappedFile::open(folder_).error().code(), ErrorCode::io);
  EXPECT_EQ(write_file_atomically(folder_, "x").error().code(), ErrorCode::io);
  EXPECT_FALSE(read_file(std::string("a\0b", 3)));
  EXPECT_FALSE(write_file_atomically("", "x"));
  EXPECT_TRUE(names().empty());
}

TEST_F(SysTest, PipesAndDevices) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(path("pipe")).error().code(), ErrorCode::io);  // and doesn't wait
  std::thread writer([&] { std::ofstream(path("pipe")) << "through the pipe"; });
  EXPECT_EQ(read_file(path("pipe")).value(), "through the pipe");
  writer.join();
  // A file in the place of a device would change the system for everyone.
  EXPECT_TRUE(write_file_atomically("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(read_file("/dev/zero", 100000).error().code(), ErrorCode::io);
}

TEST_F(SysTest, ReadLimitIsExact) {
  put("f", "12345");
  EXPECT_EQ(read_file(path("f"), 5).value(), "12345");
  EXPECT_FALSE(read_file(path("f"), 4));
}

TEST_F(SysTest, LinkStaysAndItsTargetIsReplaced) {
  put("target", "old");
  std::filesystem::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "new");
}

TEST_F(SysTest, PermissionsOfAReplacedFileAreKept) {
  put("f", "old");
  std::filesystem::permissions(path("f"), std::filesystem::perms{0600});
  ASSERT_TRUE(write_file_atomically(path("f"), "new"));
  EXPECT_EQ(std::filesystem::status(path("f")).permissions(), std::filesystem::perms{0600});
}

TEST_F(SysTest, InterruptedCallsAreRepeated) {
  put("f", "content");
  sys::calls().open = [](const char* name, int flags, mode_t mode) {
    int result;
    return fails(result) ? result : ::open(name, flags, mode);
  };
  sys::calls().read = [](int descriptor, void* bytes, size_t count) {
    ssize_t result;
    return fails(result) ? result : ::read(descriptor, bytes, count);
  };
  sys::calls().write = [](int descriptor, const void* bytes, size_t count) {
    ssize_t result;
    return fails(result) ? result : ::write(descriptor, bytes, count);
  };
  sys::calls().fsync = [](int descriptor) {
    int result;
    return fails(result) ? result : ::fsync(descriptor);
  };
  sys::calls().memfd_create = [](const char* name, unsigned flags) {
    int result;
    return fails(result) ? result : ::memfd_create(name, flags);
  };
  for (int interruptions = 1; interruptions <= 3; ++interruptions) {
    plan.interruptions = interruptions;
    EXPECT_EQ(read_file(path("f")).value(), "content");
    plan.interruptions = interruptions;
    EXPECT_TRUE(MappedFile::open(path("f")));
    plan.interruptions = interruptions;
    EXPECT_TRUE(write_file_atomically(path("g"), "other"));
    plan.interruptions = interruptions;
    EXPECT_TRUE(create_memory_file("m", "memory"));
    EXPECT_EQ(plan.interruptions, 0);
  }
  EXPECT_EQ(content("g"), "other");
}

TEST_F(SysTest, ShortReadsAndWritesAreContinued) {
  sys::calls().read = [](int descriptor, void* bytes, size_t count) {
    return ::read(descriptor, bytes, std::min(count, plan.largest));
  };
  sys::calls().write = [](int descriptor, const void* bytes, size_t count) {
    return ::write(descriptor, bytes, std::min(count, plan.largest));
  };
  const std::string bytes = pattern_of(10007);
  for (size_t largest : {1, 7, 4096}) {
    plan.largest = largest;
    ASSERT_TRUE(write_file_atomically(path("f"), bytes));
    EXPECT_EQ(content("f"), bytes);
    EXPECT_EQ(read_file(path("f")).value(), bytes);
    const FileDescriptor memory = create_memory_file("m", bytes).value();
    EXPECT_EQ(read_file(fmt::format("/proc/self/fd/{}", memory.get())).value(), bytes);
  }
}

// Whatever step of a publication fails, the old file is whole and nothing else is left behind.
TEST_F(SysTest, FailedPublicationLeavesTheOldFileAndNoOther) {
  put("f", "old");
  using Break = void (*)(sys::Calls&);
  const Break breaks[] = {
      [](sys::Calls& calls) {
        calls.open = [](const char* name, int flags, mode_t mode) {
          if (flags & O_CREAT) return errno = EROFS, -1;
          return ::open(name, flags, mode);
        };
      },
      [](sys::Calls& calls) {
        calls.write = [](int descriptor, const void* bytes, size_t) -> ssize_t {
          if (++plan.calls > 1) return errno = ENOSPC, -1;
          return ::write(descriptor, bytes, 1);
        };
      },
      [](sys::Calls& calls) {
        calls.write = [](int, const void*, size_t) -> ssize_t { return 0; };
      },
      [](sys::Calls& calls) { calls.fsync = [](int) { return errno = EIO, -1; }; },
      [](sys::Calls& calls) {
        calls.close = [](int descriptor) {
          ::close(descriptor);
          return errno = EDQUOT, -1;
        };
      },
      [](sys::Calls& calls) {
        calls.rename = [](const char*, const char*) { return errno = EACCES, -1; };
      },
  };
  for (const Break& inject : breaks) {
    plan = {};
    sys::calls() = original_;
    inject(sys::calls());
    const Status status = write_file_atomically(path("f"), "new");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), ErrorCode::io);
    EXPECT_NE(status.error().message().find(path("f")), std::string::npos);
    EXPECT_EQ(content("f"), "old");
    EXPECT_EQ(names(), std::vector<std::string>{"f"});
  }
}

TEST_F(SysTest, FolderThatCannotBeSynchronisedIsNoFailure) {
  sys::calls().fsync = [](int descriptor) {
    return ++plan.calls == 2 ? (errno = EINVAL, -1) : ::fsync(descriptor);
  };
  EXPECT_TRUE(write_file_atomically(path("f"), "new"));
  EXPECT_EQ(plan.calls, 2);  // the file, then its folder
}

TEST_F(SysTest, LeftoverTemporaryFilesAreSteppedOver) {
  sys::calls().open = [](const char* name, int flags, mode_t mode) {
    if (flags & O_EXCL && ++plan.calls <= 5) return errno = EEXIST, -1;
    return ::open(name, flags, mode);
  };
  EXPECT_TRUE(write_file_atomically(path("f"), "new"));
  EXPECT_EQ(plan.calls, 6);
}

TEST_F(SysTest, FailedReadsAreErrors) {
  put("f", "content");
  sys::calls().read = [](int, void*, size_t) -> ssize_t { return errno = EIO, -1; };
  EXPECT_EQ(read_file(path("f")).error().code(), ErrorCode::io);
  sys::calls().mmap = [](void*, size_t, int, int, int, off_t) -> void* {
    errno = ENOMEM;
    return MAP_FAILED;
  };
  EXPECT_EQ(MappedFile::open(path("f")).error().code(), ErrorCode::io);
  sys::calls().fstat = [](int, struct stat*) { return errno = EIO, -1; };
  EXPECT_EQ(MappedFile::open(path("f")).error().code(), ErrorCode::io);
  sys::calls().memfd_create = [](const char*, unsigned) { return errno = ENFILE, -1; };
  EXPECT_EQ(create_memory_file("m", "x").error().code(), ErrorCode::io);
}

// Many writers of one name: the result is one of the contents, whole.
TEST_F(SysTest, ConcurrentWritersLeaveOneWholeFile) {
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'i'; ++c)
    writers.emplace_back([this, c] {
      for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(write_file_atomically(path("f"), std::string(5000, c)));
    });
  for (auto& writer : writers) writer.join();
  const std::string result = content("f");
  EXPECT_EQ(result, std::string(5000, result.front()));
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(SysTest, DescriptorsAndMapsAreReleasedOnce) {
  put("f", "content");
  static int closes, unmaps;
  closes = unmaps = 0;
  sys::calls().close = [](int descriptor) { return ++closes, ::close(descriptor); };
  sys::calls().munmap = [](void* address, size_t size) {
    return ++unmaps, ::munmap(address, size);
  };
  {
    MappedFile first = MappedFile::open(path("f")).value();
    EXPECT_EQ(closes, 1);  // the map outlives its descriptor
    MappedFile second = std::move(first);
    EXPECT_EQ(second.text(), "content");
    first = std::move(second);
    EXPECT_EQ(first.text(), "content");
    first = MappedFile();
    EXPECT_EQ(unmaps, 1);
    FileDescriptor memory = create_memory_file("m", "").value();
    FileDescriptor moved = std::move(memory);
    EXPECT_FALSE(memory);
    EXPECT_TRUE(moved);
  }
  EXPECT_EQ(closes, 2);
  EXPECT_EQ(unmaps, 1);
}

}  // namespace
}  // namespace sprue
