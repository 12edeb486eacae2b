// The Compiler over NVRTC: machine code for one architecture, or PTX.
#include <chrono>
#include <vector>

#include "base/counters.h"
#include "compile/compiler.h"
#include "compile/nvrtc/nvrtc_library.h"
#include "compile/nvrtc/nvrtc_log.h"
#include "program/cubin.h"
#include "program/metal_headers.h"

namespace sprue {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Safe math keeps every operation as it is written. A fixed seed and name: the same request gives the same
// bytes in any process.
std::vector<std::string> nvrtc_options(const CompileRequest& request) {
  std::vector<std::string> options = {
      "--gpu-architecture=" + request.target.architecture,
      "--std=c++20",
      "--device-as-default-execution-space",
      "--no-source-include",
      // Without CUDA's own declarations beyond the built-in ones: less to parse.
      "--minimal",
      "--frandom-seed=sprue",
      // Of the prelude's functions a kernel uses few; its own unused variables are the user's business.
      "--diag-suppress=177,550",
  };
  switch (request.math) {
    case MathMode::safe:
      options.insert(options.end(),
                     {"--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"});
      break;
    case MathMode::relaxed:
      options.insert(options.end(),
                     {"--fmad=true", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"});
      break;
    case MathMode::fast:
      options.insert(options.end(), {"--use_fast_math", "--define-macro=__FAST_MATH__"});
      break;
  }
  return options;
}

// A program of NVRTC's, destroyed with this.
class Program {
 public:
  explicit Program(const NvrtcLibrary& library) : library_(library) {}
  ~Program() {
    if (program_) library_.destroy_program(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Status create(const CompileRequest& request) {
    std::vector<const char*> texts, names;
    for (const auto* headers : {&request.headers, &request.user_headers})
      for (const auto& [name, text] : *headers) {
        names.push_back(name.c_str());
        texts.push_back(text.c_str());
      }
    if (request.dialect == Dialect::metal)
      for (const char* name : kSprueMetalHeaders) {
        names.push_back(name);
        texts.push_back("");
      }
    return check(
        library_.create_program(&program_, request.text.c_str(), request.file_name.c_str(),
                                static_cast<int>(texts.size()), texts.data(), names.data()),
        "nvrtcCreateProgram");
  }

  // NVRTC's result: what isn't 0 may be the text's fault, which log() tells.
  int compile(const std::vector<std::string>& options) {
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    return library_.compile_program(program_, static_cast<int>(arguments.size()), arguments.data());
  }

  Result<std::string> log() const {
    return text(library_.log_size, library_.log, "nvrtcGetProgramLog");
  }
  Result<std::string> ptx() const { return text(library_.ptx_size, library_.ptx, "nvrtcGetPTX"); }
  Result<std::string> cubin() const {
    return fetch(library_.cubin_size, library_.cubin, "nvrtcGetCUBIN");
  }

  Status check(int result, std::string_view function) const {
    if (result == 0) return {};
    return fail(ErrorCode::internal, "nvrtc", "expected {} to succeed, got {}", function,
                library_.error_string(result));
  }

 private:
  Result<std::string> fetch(int (*size_of)(NvrtcProgram*, size_t*),
                            int (*get)(NvrtcProgram*, char*), std::string_view function) const {
    size_t size = 0;
    SPRUE_CHECK(check(size_of(program_, &size), function));
    std::string bytes(size, '\0');
    if (size > 0) SPRUE_CHECK(check(get(program_, bytes.data()), function));
    return bytes;
  }
  // Without the zero behind it, that NVRTC counts.
  Result<std::string> text(int (*size_of)(NvrtcProgram*, size_t*), int (*get)(NvrtcProgram*, char*),
                           std::string_view function) const {
    SPRUE_ASSIGN(std::string bytes, fetch(size_of, get, function));
    if (bytes.ends_with('\0')) bytes.pop_back();
    return bytes;
  }

  const NvrtcLibrary& library_;
  NvrtcProgram* program_ = nullptr;
};

struct Compiled {
  std::string cubin, ptx, log, compiler;
  double milliseconds = 0;
};

Result<Compiled> run(const CompileRequest& request) {
  SPRUE_ASSIGN(const NvrtcLibrary* library, nvrtc_library());
  Program program(*library);
  SPRUE_CHECK(program.create(request));
  const auto start = Clock::now();
  const int result = program.compile(nvrtc_options(request));
  Compiled compiled;
  compiled.milliseconds = milliseconds_since(start);
  compiled.compiler = library->identity;
  SPRUE_ASSIGN(const std::string log, program.log());
  const auto diagnostics = parse_nvrtc_log(log, request.user_files);
  constexpr int kCompilation = 6;  // NVRTC_ERROR_COMPILATION
  if (result == kCompilation) return tl::unexpected(compile_error(diagnostics, request));
  if (result != 0)
    return fail(ErrorCode::unavailable, "compile",
                "expected {} to compile kernel '{}' for {}, got {}: {}", library->identity,
                request.kernel_name, request.target.name(), library->error_string(result), log);
  compiled.log = format_log(diagnostics, request.user_files);
  SPRUE_ASSIGN(compiled.ptx, program.ptx());
  SPRUE_ASSIGN(compiled.cubin, program.cubin());
  return compiled;
}

// Metal's limit, which CUDA's is beyond.
Status check_threadgroup_memory(std::string_view cubin, const CompileRequest& request) {
  constexpr uint64_t kMost = 32768;
  if (request.dialect != Dialect::metal) return {};
  SPRUE_ASSIGN(const CubinKernel kernel, read_cubin_kernel(cubin, request.entry_name));
  if (kernel.shared_bytes <= kMost) return {};
  CompilerDiagnostic diagnostic;
  diagnostic.message =
      fmt::format("the kernel uses {} bytes of threadgroup memory, more than the limit of {}",
                  kernel.shared_bytes, kMost);
  return tl::unexpected(compile_error({diagnostic}, request));
}

Result<Compiled> counted(const CompileRequest& request) {
  auto compiled = run(request);
  const bool failed = !compiled && compiled.error().code() == ErrorCode::compile_failed;
  if (compiled || failed) counters().compiles.fetch_add(1, std::memory_order_relaxed);
  if (failed) counters().failed_compiles.fetch_add(1, std::memory_order_relaxed);
  return compiled;
}

class NvrtcCompiler : public Compiler {
 public:
  Result<Binary> compile(const CompileRequest& request) override {
    SPRUE_ASSIGN(Compiled compiled, counted(request));
    Binary binary;
    // "compute_90" has no machine code.
    const bool is_machine_code = !compiled.cubin.empty();
    binary.bytes = is_machine_code ? std::move(compiled.cubin) : std::move(compiled.ptx);
    if (is_machine_code) {
      SPRUE_CHECK(check_cubin(binary.bytes, request.entry_name, request.signature));
      SPRUE_CHECK(check_threadgroup_memory(binary.bytes, request));
    }
    binary.target = request.target;
    binary.signature = request.signature;
    binary.entry_name = request.entry_name;
    binary.options = request.options();
    binary.compiler = std::move(compiled.compiler);
    binary.log = std::move(compiled.log);
    binary.digest = digest_bytes(binary.bytes);
    binary.timing.total = compiled.milliseconds;
    return binary;
  }

  Result<std::string> emit(const CompileRequest& request, EmitKind kind) override {
    if (kind != EmitKind::ptx)
      return fail(ErrorCode::invalid_argument, "emit",
                  "expected PTX to be asked of NVRTC, got another text");
    SPRUE_ASSIGN(Compiled compiled, counted(request));
    return std::move(compiled.ptx);
  }
};

}  // namespace

Compiler& nvrtc_compiler() {
  static auto* compiler = new NvrtcCompiler;  // leaked, as clang's is
  return *compiler;
}

Compiler& compiler_for(TargetKind target) {
  return target == TargetKind::cuda ? nvrtc_compiler() : clang_compiler();
}

}  // namespace sprue
