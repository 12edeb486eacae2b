// The compiler library through its C interface.
#include "compile/clang/clang_library.h"

#include <dlfcn.h>

#include <atomic>
#include <mutex>

#include "compile/clang/clang_abi.h"
#include "compile/diagnostic_log.h"

namespace sprue {

namespace {

constexpr char kLibraryName[] = "libsprue-clang.so";

std::atomic<bool> crashed{false};

struct ClangLibrary {
  decltype(&sprue_clang_compile) compile = nullptr;
  decltype(&sprue_clang_free) free = nullptr;
  std::string version;
};

Result<ClangLibrary> open_library() {
  std::string tried;
  for (const auto& place : compiler_library_places()) {
    // Never closed: LLVM's threads and exit handlers may outlive every user of it.
    void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* reason = dlerror();
      std::error_code ignored;
      const bool there = std::filesystem::exists(place, ignored);
      tried += fmt::format("{}{}", tried.empty() ? "" : ", ",
                           there && reason ? reason : place.lexically_normal().string());
      continue;
    }
    ClangLibrary library;
    library.compile =
        reinterpret_cast<decltype(library.compile)>(dlsym(handle, "sprue_clang_compile"));
    library.free = reinterpret_cast<decltype(library.free)>(dlsym(handle, "sprue_clang_free"));
    auto version =
        reinterpret_cast<decltype(&sprue_clang_version)>(dlsym(handle, "sprue_clang_version"));
    auto abi = reinterpret_cast<decltype(&sprue_clang_abi)>(dlsym(handle, "sprue_clang_abi"));
    if (!library.compile || !library.free || !version || !abi || abi() != SPRUE_CLANG_ABI_VERSION)
      return fail(
          ErrorCode::unavailable, "compile",
          "expected a {} with interface version {}, got another at {}; install the one of this "
          "release",
          kLibraryName, SPRUE_CLANG_ABI_VERSION, place.string());
    library.version = version();
    return library;
  }
  return fail(
      ErrorCode::unavailable, "compile",
      "expected the compiler library {}, found none (tried {}); set SPRUE_CLANG_LIBRARY, or run "
      "a casting, which needs no compiler",
      kLibraryName, tried);
}

// Opened once; a failure is not remembered, so that a library put in place later is found.
Result<const ClangLibrary*> clang_library() {
  static std::mutex mutex;
  static ClangLibrary* library = nullptr;
  std::lock_guard lock(mutex);
  if (!library) {
    SPRUE_ASSIGN(auto opened, open_library());
    library = new ClangLibrary(std::move(opened));
  }
  return library;
}

int output_code(CompileOutput output) {
  switch (output) {
    case CompileOutput::binary:
      return SPRUE_CLANG_SHARED_OBJECT;
    case CompileOutput::llvm:
      return SPRUE_CLANG_LLVM_IR;
    case CompileOutput::assembly:
      return SPRUE_CLANG_ASSEMBLY;
    case CompileOutput::check:
      return SPRUE_CLANG_CHECK;
  }
  return SPRUE_CLANG_SHARED_OBJECT;
}

int math_code(MathMode math) {
  switch (math) {
    case MathMode::safe:
      return SPRUE_CLANG_MATH_SAFE;
    case MathMode::relaxed:
      return SPRUE_CLANG_MATH_RELAXED;
    case MathMode::fast:
      return SPRUE_CLANG_MATH_FAST;
  }
  return SPRUE_CLANG_MATH_SAFE;
}

int optimization_code(Optimization optimization) {
  return optimization == Optimization::fast ? SPRUE_CLANG_OPTIMIZATION_FAST
                                            : SPRUE_CLANG_OPTIMIZATION_STANDARD;
}

std::vector<CompilerDiagnostic> take_diagnostics(const sprue_clang_result& result) {
  std::vector<CompilerDiagnostic> diagnostics;
  for (size_t i = 0; i < result.diagnostic_count; ++i) {
    const auto& d = result.diagnostics[i];
    const auto severity = d.severity == SPRUE_CLANG_ERROR ? CompilerDiagnostic::Severity::error
                          : d.severity == SPRUE_CLANG_WARNING
                              ? CompilerDiagnostic::Severity::warning
                              : CompilerDiagnostic::Severity::note;
    diagnostics.push_back(
        {severity, d.file, static_cast<int>(d.line), static_cast<int>(d.column), d.message});
  }
  return diagnostics;
}

}  // namespace

std::vector<std::filesystem::path> compiler_library_places() {
  if (const char* given = std::getenv("SPRUE_CLANG_LIBRARY")) return {given};
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program / kLibraryName, program / "../lib" / kLibraryName,
          program / "../../clang" / kLibraryName};
}

Result<Compiled> compile_by_library(const CompileRequest& request, CompileOutput output) {
  SPRUE_ASSIGN(const ClangLibrary* library, clang_library());
  std::vector<sprue_clang_file> files;
  files.push_back({request.file_name.c_str(), request.text.data(), request.text.size()});
  for (const auto& [name, text] : request.headers)
    files.push_back({name.c_str(), text.data(), text.size()});
  std::vector<const char*> user_files;
  std::vector<std::string> names;
  names.reserve(request.user_files.size() + request.user_headers.size());
  for (const auto& [name, text] : request.user_headers) {
    names.push_back(SPRUE_CLANG_USER_HEADER + name);
    files.push_back({names.back().c_str(), text.data(), text.size()});
  }
  for (const auto& [name, text] : request.user_files) {
    user_files.push_back(name.c_str());
    names.push_back(SPRUE_CLANG_USER_TEXT + name);
    files.push_back({names.back().c_str(), text.data(), text.size()});
  }

  sprue_clang_request message{};
  message.files = files.data();
  message.file_count = files.size();
  message.architecture = request.target.architecture.c_str();
  message.user_files = user_files.data();
  message.user_file_count = user_files.size();
  message.math = math_code(request.math);
  message.dialect = request.dialect == Dialect::cuda ? SPRUE_CLANG_CUDA : SPRUE_CLANG_METAL;
  message.optimization = optimization_code(request.optimization);
  message.output = output_code(output);
  message.parameter_count = static_cast<unsigned>(request.signature.parameters.size());

  sprue_clang_result result;
  library->compile(&message, &result);
  const auto diagnostics = take_diagnostics(result);
  if (!result.ok) {
    for (const auto& diagnostic : diagnostics)
      if (diagnostic.file.empty() && diagnostic.message == SPRUE_CLANG_CRASHED) crashed = true;
    library->free(&result);
    return tl::unexpected(compile_error(diagnostics, request));
  }
  Compiled compiled;
  compiled.bytes.assign(result.bytes, result.size);
  compiled.log = format_log(diagnostics, request.user_files);
  compiled.compiler = library->version;
  const double* ms = result.milliseconds;
  compiled.timing = {ms[SPRUE_CLANG_FRONT_END], ms[SPRUE_CLANG_OPTIMIZE], ms[SPRUE_CLANG_EMIT],
                     ms[SPRUE_CLANG_LINK],
                     ms[SPRUE_CLANG_FRONT_END] + ms[SPRUE_CLANG_OPTIMIZE] + ms[SPRUE_CLANG_EMIT] +
                         ms[SPRUE_CLANG_LINK]};
  library->free(&result);
  return compiled;
}

bool compiler_library_crashed() { return crashed; }

}  // namespace sprue
