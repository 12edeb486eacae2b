// The Compiler over the compiler library, in this process or in a helper.
#include "base/counters.h"
#include "compile/clang/clang_abi.h"
#include "compile/clang/clang_library.h"
#include "compile/compiler.h"
#include "compile/isolated/isolated_compile.h"

namespace sprue {

namespace {

bool is_refusal(const Error& error) {
  return compiler_library_crashed() &&
         error.message().find(SPRUE_CLANG_REFUSED) != std::string::npos;
}

Result<Compiled> run_compiler(const CompileRequest& request, CompileOutput output) {
  if (isolation_wanted()) return compile_in_helper(request, output);
  if (!compiler_library_crashed() || !helper_is_there()) {
    auto compiled = compile_by_library(request, output);
    // It may have crashed on another thread since the question.
    if (compiled || !is_refusal(compiled.error()) || !helper_is_there()) return compiled;
  }
  return compile_in_helper(request, output);
}

Result<Compiled> counted(const CompileRequest& request, CompileOutput output) {
  auto compiled = run_compiler(request, output);
  const bool failed = !compiled && compiled.error().code() == ErrorCode::compile_failed;
  // Where there is no compiler, nothing was compiled.
  if (compiled || failed) counters().compiles.fetch_add(1, std::memory_order_relaxed);
  if (failed) counters().failed_compiles.fetch_add(1, std::memory_order_relaxed);
  return compiled;
}

class ClangCompiler : public Compiler {
 public:
  Result<Binary> compile(const CompileRequest& request) override {
    SPRUE_ASSIGN(Compiled compiled, counted(request, CompileOutput::binary));
    Binary binary;
    binary.bytes = std::move(compiled.bytes);
    binary.target = request.target;
    binary.signature = request.signature;
    binary.entry_name = request.entry_name;
    binary.options = request.options();
    binary.compiler = std::move(compiled.compiler);
    binary.log = std::move(compiled.log);
    binary.digest = digest_bytes(binary.bytes);
    binary.timing = compiled.timing;
    return binary;
  }

  Result<std::string> emit(const CompileRequest& request, EmitKind kind) override {
    if (kind == EmitKind::ptx)
      return fail(ErrorCode::invalid_argument, "emit",
                  "expected LLVM IR or assembler text to be asked of clang, got PTX");
    SPRUE_ASSIGN(
        Compiled compiled,
        counted(request, kind == EmitKind::llvm ? CompileOutput::llvm : CompileOutput::assembly));
    return std::move(compiled.bytes);
  }
};

}  // namespace

Status check_language(const CompileRequest& request) {
  SPRUE_ASSIGN([[maybe_unused]] const Compiled checked,
               run_compiler(request, CompileOutput::check));
  return {};
}

Compiler& clang_compiler() {
  static auto* compiler =
      new ClangCompiler;  // leaked: see Kernel's lifetime in docs/architecture.md
  return *compiler;
}

}  // namespace sprue
