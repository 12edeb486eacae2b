// The library's doors: one compile on a thread of its own with a large stack, under crash recovery.
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/TargetSelect.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>

#include "compile.h"

#define SPRUE_EXPORTED extern "C" __attribute__((visibility("default")))

using namespace sprue_clang;

namespace {

constexpr size_t kSignalStack = 64u << 10;  // bytes
std::atomic<bool> crashed{false};

struct Answer {
  std::string bytes;
  std::string processor;
  std::vector<Diagnostic> diagnostics;
  std::vector<sprue_clang_diagnostic> views;
};

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double milliseconds = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return milliseconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool compile_kernel(const sprue_clang_request& request, Answer& answer, double* milliseconds) {
  Stopwatch watch;
  Compile compile{request, find_processor(request.architecture), answer.diagnostics};
  answer.processor = compile.processor.name;
  llvm::LLVMContext context;
  auto module = parse(compile, context);
  milliseconds[SPRUE_CLANG_FRONT_END] = watch.lap();
  if (!module) return false;
  if (request.output == SPRUE_CLANG_CHECK) return true;
  auto target = make_target(compile);
  if (!target || !optimize(compile, *module, *target)) return false;
  milliseconds[SPRUE_CLANG_OPTIMIZE] = watch.lap();
  if (request.output == SPRUE_CLANG_LLVM_IR) {
    print(*module, answer.bytes);
    return true;
  }
  std::string emitted;
  if (!emit(compile, *module, *target, emitted)) return false;
  milliseconds[SPRUE_CLANG_EMIT] = watch.lap();
  if (request.output == SPRUE_CLANG_ASSEMBLY) {
    answer.bytes = std::move(emitted);
    return true;
  }
  const bool linked = link(compile, emitted, answer.bytes);
  milliseconds[SPRUE_CLANG_LINK] = watch.lap();
  return linked;
}

void initialize() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  llvm::CrashRecoveryContext::Enable();
  // LLVM's handlers lack SA_ONSTACK: an overflowed stack has no room for a handler.
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    struct sigaction action;
    sigaction(signal, nullptr, &action);
    action.sa_flags |= SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

SPRUE_EXPORTED int sprue_clang_compile(const sprue_clang_request* request,
                                       sprue_clang_result* result) {
  static std::once_flag once;
  std::call_once(once, initialize);
  *result = {};
  auto* answer = new Answer;
  result->storage = answer;
  auto error = [&](const char* text) {
    answer->diagnostics.push_back({SPRUE_CLANG_ERROR, "", 0, 0, text});
  };
  bool ok = false;
  if (crashed) {
    error(SPRUE_CLANG_REFUSED);
  } else {
    std::vector<char> signal_stack(kSignalStack);
    llvm::CrashRecoveryContext recovery;
    const size_t stack = sprue_clang_stack_bytes(request->files[0].size);
    const bool survived = recovery.RunSafelyOnThread(
        [&] {
          stack_t alternate{signal_stack.data(), 0, signal_stack.size()};
          stack_t before{};
          sigaltstack(&alternate, &before);
          ok = compile_kernel(*request, *answer, result->milliseconds);
          sigaltstack(&before, nullptr);
        },
        static_cast<unsigned>(stack));
    if (!survived) {
      crashed = true;  // state inside clang may be broken: see docs/architecture.md, "Compiler"
      ok = false;
      error(SPRUE_CLANG_CRASHED);
    }
  }
  for (const Diagnostic& d : answer->diagnostics)
    answer->views.push_back({d.severity, d.file.c_str(), d.line, d.column, d.message.c_str()});
  result->ok = ok;
  result->bytes = answer->bytes.data();
  result->size = answer->bytes.size();
  result->diagnostics = answer->views.data();
  result->diagnostic_count = answer->views.size();
  result->processor = answer->processor.c_str();
  return ok;
}

SPRUE_EXPORTED void sprue_clang_free(sprue_clang_result* result) {
  delete static_cast<Answer*>(result->storage);
  *result = {};
}

SPRUE_EXPORTED const char* sprue_clang_version(void) { return "clang " LLVM_VERSION_STRING; }
SPRUE_EXPORTED int sprue_clang_abi(void) { return SPRUE_CLANG_ABI_VERSION; }
