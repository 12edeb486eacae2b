// Compiles in a helper process: the same bytes, and no harm from any text or helper.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/counters.h"
#include "compile/clang/clang_abi.h"
#include "compile/clang/clang_library.h"
#include "compile/compiler.h"
#include "compile/isolated/isolated_compile.h"
#include "compile/request.h"

namespace sprue {
namespace {

// A variable of the environment, for as long as this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// Time enough on a busy machine, for tests that aren't about time.
struct Isolated {
  const Setting isolate{"SPRUE_ISOLATE", "1"}, seconds{"SPRUE_COMPILE_SECONDS", "60"};
};

const std::string kExp = "uint i = thread_position_in_grid.x; y[i] = metal::exp(x[i]);";
const std::string kSum = "y[thread_position_in_grid.x] = simd_sum(x[0]);";
// clang has pragmas that make it fail, for tests of its own.
const std::string kCrash = "\n#pragma clang __debug crash\ny[0] = 1;";
const std::string kAbort = "\n#pragma clang __debug llvm_fatal_error\ny[0] = 1;";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// A sanitizer ends a process that goes on after a crash, and takes all address space for itself.
constexpr bool kPlainBuild = false;
#else
constexpr bool kPlainBuild = true;
#endif

CompileRequest named(const std::string& name, const std::string& body,
                     const std::string& header = "") {
  return request_for(body, "x86-64-v3", name, header);
}

Error failure(const CompileRequest& request) {
  auto binary = clang_compiler().compile(request);
  if (binary) throw std::runtime_error("compiled, where an error was expected");
  return binary.error();
}

void expect_failure(const CompileRequest& request, ErrorCode code,
                    const std::vector<std::string>& parts) {
  const Error error = failure(request);
  EXPECT_EQ(error.code(), code) << error.message();
  for (const std::string& part : parts)
    EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
}

TEST(Isolation, BytesAndTextsAreThoseOfThisProcess) {
  for (const std::string& body : {kExp, kSum})
    for (const auto& [architecture, optimization] :
         {std::pair{"x86-64-v3", Optimization::standard}, {"native", Optimization::fast}}) {
      CompileRequest request = request_for(body, architecture);
      request.optimization = optimization;
      const Binary here = value_or_throw(clang_compiler().compile(request));
      const Isolated isolated;
      const Binary there = value_or_throw(clang_compiler().compile(request));
      EXPECT_TRUE(here.bytes == there.bytes) << body << " " << request.options();
      EXPECT_EQ(here.digest, there.digest);
      EXPECT_EQ(here.compiler, there.compiler);
      EXPECT_EQ(here.options, there.options);
      EXPECT_EQ(here.entry_name, there.entry_name);
      EXPECT_EQ(here.signature, there.signature);
      EXPECT_GT(there.timing.total, 0);
    }
  for (const auto kind : {EmitKind::llvm, EmitKind::assembly}) {
    const std::string here = value_or_throw(clang_compiler().emit(request_for(kExp), kind));
    const Isolated isolated;
    EXPECT_TRUE(here == value_or_throw(clang_compiler().emit(request_for(kExp), kind)));
  }
}

TEST(Isolation, ErrorsAndWarningsAreThoseOfThisProcess) {
  const CompileRequest wrong = request_for("uint i = 0;\n  y[i] = nothing;\n");
  const CompileRequest careless = request_for("int a = 1 / 0; y[0] = a;");
  const Error here = failure(wrong);
  const std::string log = value_or_throw(clang_compiler().compile(careless)).log;
  const Isolated isolated;
  const uint64_t failed = counters().failed_compiles, compiles = counters().compiles;
  const Error there = failure(wrong);
  EXPECT_EQ(counters().failed_compiles - failed, 1u);
  EXPECT_EQ(counters().compiles - compiles, 1u);
  EXPECT_EQ(here.code(), there.code());
  EXPECT_EQ(here.message(), there.message());
  EXPECT_EQ(here.details().compile_log, there.details().compile_log);
  EXPECT_EQ(here.details().user_file, there.details().user_file);
  EXPECT_EQ(there.details().line, 2);
  EXPECT_EQ(here.details().column, there.details().column);
  EXPECT_EQ(here.details().options, there.details().options);
  EXPECT_NE(log, "");
  EXPECT_EQ(value_or_throw(clang_compiler().compile(careless)).log, log);
}

TEST(Isolation, CrashesStayThere) {
  if (!kPlainBuild) GTEST_SKIP();
  const Isolated isolated;
  for (const std::string& body : {kCrash, kAbort})
    expect_failure(named("crasher", body), ErrorCode::compile_failed,
                   {"[compile] expected kernel 'crasher' to compile, got",
                    "the compiler crashed on this kernel"});
  EXPECT_FALSE(compiler_library_crashed()) << "it has crashed in this process";
  EXPECT_TRUE(clang_compiler().compile(request_for(kExp)));
}

TEST(Isolation, TextsThatTakeForeverEndInTime) {
  const Isolated isolated;
  const Setting seconds("SPRUE_COMPILE_SECONDS", "0.3");
  const std::string templates =
      "template <int N, int M> struct F { static constexpr int v = F<N - 1, M * 2>::v + F<N - 1, M "
      "* 2 + 1>::v; };\ntemplate <int M> struct F<0, M> { static constexpr int v = 1; };\n"
      "constant int k = F<26, 1>::v;";
  std::string whiles;
  for (int i = 0; i < 3000; ++i) whiles += "while (x[0] > 0) ";
  for (const CompileRequest& request :
       {named("slow", "y[0] = k;", templates), named("slow", whiles + "y[0] = 1;"),
        named("slow", "y[0] = " + std::string(200001, '!') + "x[0];")}) {
    const Error error = failure(request);
    EXPECT_EQ(error.code(), ErrorCode::compile_failed);
    EXPECT_EQ(error.message(),
              "[compile] expected kernel 'slow' to compile within 0.3 s, got none; set "
              "SPRUE_COMPILE_SECONDS if it needs more");
    EXPECT_FALSE(error.details().options.empty());
  }
}

TEST(Isolation, HostileTextsAreRefused) {
  const Isolated isolated;
  const std::string deep(100000, '('), deep_end(100000, ')');
  for (const std::string& body :
       {"y[0] = " + deep + "1" + deep_end + ";",
        std::string("constexpr int n = [] { int i = 0; while (true) ++i; return i; }(); y[0] = n;"),
        std::string("float a[1ull << 60]; a[int(x[0])] = 1; y[0] = a[int(x[1])];"),
        std::string("\n#include \"/dev/zero\"\n"), std::string("\n#include \"/proc/self/mem\"\n"),
        std::string("\n#include __FILE__\n")}) {
    const Error error = failure(named("hostile", body));
    EXPECT_EQ(error.code(), ErrorCode::compile_failed);
    EXPECT_NE(error.message().find("error: "), std::string::npos) << error.message();
    EXPECT_EQ(error.message().find("crashed"), std::string::npos) << error.message();
    EXPECT_LT(error.message().size(), 4000u);
  }
}

TEST(Isolation, MemoryIsLimited) {
  if (!kPlainBuild) GTEST_SKIP();
  const Isolated isolated;
  const Setting megabytes("SPRUE_COMPILE_MEGABYTES", "64");
  std::string body = "\n#define A0 1,1,1,1,1,1,1,1\n";
  for (int i = 0; i < 9; ++i) {
    std::string line;
    for (int k = 0; k < 8; ++k) line += fmt::format("{}A{}", k ? "," : "", i);
    body += fmt::format("#define A{} {}\n", i + 1, line);
  }
  expect_failure(named("large", body + "const int a[] = {A9}; y[0] = a[int(x[0])];"),
                 ErrorCode::compile_failed,
                 {"expected kernel 'large' to compile within 64 MB of memory, got none",
                  "SPRUE_COMPILE_MEGABYTES"});
  EXPECT_TRUE(clang_compiler().compile(request_for(kExp)));
}

// A program in the helper's place.
class FalseHelper {
 public:
  explicit FalseHelper(const std::string& script) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setting_.emplace("SPRUE_COMPILE_HELPER", path_.string());
  }
  ~FalseHelper() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / fmt::format("sprue-false-helper-{}", getpid());
  std::optional<Setting> setting_;
};

TEST(Isolation, HelpersThatGiveNoAnswerAreNoAnswer) {
  const Isolated isolated;
  for (const char* script :
       {"exit 0", "exit 3", "echo garbage", "cat", "head -c 100000 /dev/urandom",
        "printf 'sprue-compile-1a'", "yes sprue-compile-1a"}) {
    SCOPED_TRACE(script);
    const FalseHelper helper(script);
    expect_failure(named("asked", kExp), ErrorCode::unavailable,
                   {"[compile] expected an answer of ", "sprue-false-helper", "'asked'"});
  }
  const FalseHelper helper("printf sprue-comp; kill -KILL $$");
  expect_failure(named("asked", kExp), ErrorCode::compile_failed,
                 {"'asked'", "the compiler crashed on this kernel (signal 9)"});
  const FalseHelper slow("sleep 1000");
  const Setting seconds("SPRUE_COMPILE_SECONDS", "0.1");
  expect_failure(named("asked", kExp), ErrorCode::compile_failed, {"'asked'", "within 0.1 s"});
}

TEST(Isolation, WithoutAHelperIsolationIsRefused) {
  const Isolated isolated;
  for (const char* place : {"/no/such/helper", "/", "/etc/passwd"}) {
    const Setting helper("SPRUE_COMPILE_HELPER", place);
    const uint64_t compiles = counters().compiles;
    expect_failure(named("asked", kExp), ErrorCode::unavailable,
                   {"sprue-compile", place, "SPRUE_COMPILE_HELPER"});
    EXPECT_EQ(counters().compiles, compiles);
  }
  const Setting library("SPRUE_CLANG_LIBRARY", "/no/such/library.so");
  expect_failure(named("asked", kExp), ErrorCode::unavailable, {"/no/such/library.so"});
}

// A relative place is taken as it is then, and nothing is thrown.
TEST(Isolation, AWorkingFolderThatIsGoneIsNoFault) {
  const Isolated isolated;
  const auto before = std::filesystem::current_path();
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("sprue-gone-{}", getpid());
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);
  std::filesystem::remove(folder);
  const Setting library("SPRUE_CLANG_LIBRARY", ".");  // all that can be reached from there
  EXPECT_EQ(failure(named("asked", kExp)).code(), ErrorCode::unavailable);
  std::filesystem::current_path(before);
}

TEST(Isolation, BadLimitsAreErrors) {
  const Isolated isolated;
  for (const char* name : {"SPRUE_COMPILE_SECONDS", "SPRUE_COMPILE_MEGABYTES"})
    for (const char* value : {"", "0", "-1", "nan", "inf", "1e99", "ten", "10 s"}) {
      const Setting limit(name, value);
      expect_failure(named("asked", kExp), ErrorCode::invalid_argument,
                     {name, fmt::format("got '{}'", value)});
    }
}

TEST(Isolation, OnlyWhenItIsAskedFor) {
  const Setting helper("SPRUE_COMPILE_HELPER", "/no/such/helper");
  for (const char* value : {"", "0"}) {
    const Setting isolated("SPRUE_ISOLATE", value);
    EXPECT_TRUE(clang_compiler().compile(request_for(kExp)));
  }
}

// In a process of its own: what crashes there is lost for the rest of its life.
TEST(IsolationAfterACrash, FurtherCompilesGoToTheHelper) {
  if (!kPlainBuild) GTEST_SKIP();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto scene = [] {
    const Binary before = value_or_throw(clang_compiler().compile(request_for(kExp)));
    const Setting seconds("SPRUE_COMPILE_SECONDS", "60");
    const Error crash = failure(named("crasher", kCrash));
    bool right = crash.message().find(SPRUE_CLANG_CRASHED) != std::string::npos;
    right &= compiler_library_crashed();
    const auto after = clang_compiler().compile(request_for(kExp));
    right &= after && after->bytes == before.bytes;
    right &=
        failure(named("again", kCrash)).message().find(SPRUE_CLANG_CRASHED) != std::string::npos;
    const Setting absent("SPRUE_COMPILE_HELPER", "/no/such/helper");
    const Error refusal = failure(named("refused", kExp));
    right &= refusal.code() == ErrorCode::compile_failed &&
             refusal.message().find("can't be trusted any more") != std::string::npos;
    std::_Exit(right ? 0 : 1);
  };
  EXPECT_EXIT(scene(), testing::ExitedWithCode(0), "");
}

TEST(IsolationConcurrency, ManyThreadsCompileInHelpers) {
  const std::string here = value_or_throw(clang_compiler().compile(request_for(kExp))).bytes;
  const Isolated isolated;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      if (kPlainBuild && thread % 4 == 0) {
        const auto crash = clang_compiler().compile(named("crasher", kCrash));
        right += !crash && crash.error().code() == ErrorCode::compile_failed;
      } else {
        const auto binary = clang_compiler().compile(request_for(kExp));
        right += binary && binary->bytes == here;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_FALSE(compiler_library_crashed());
}

}  // namespace
}  // namespace sprue
