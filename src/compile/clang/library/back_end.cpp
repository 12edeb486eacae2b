// IR to an object: our passes, LLVM's O3, machine code.
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include "analyses.h"
#include "compile.h"
#include "division.h"

using namespace llvm;

namespace sprue_clang {

namespace {

// Without a handler LLVMContext::diagnose() ends the process on an error.
struct BackEndDiagnostics : DiagnosticHandler {
  explicit BackEndDiagnostics(Compile& compile_) : compile(compile_) {}

  bool handleDiagnostics(const DiagnosticInfo& info) override {
    // A frame too large for a thread's stack is reported as a warning; it would crash the process.
    if (info.getSeverity() != DS_Error && info.getKind() != DK_StackSize) return true;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    compile.error(text);
    return true;
  }

  Compile& compile;
};

// What `fast` adds to the same O3. Both are choices of schedule: no operation changes, so that under
// safe math the results keep their bits.
//
// Vectors of threads that run at once in loop mode. LLVM's cost model interleaves small loops only, but
// the chains of a function like exp leave the units idle. Measured on Zen 3, four at once: 0.75 of the
// time for tanh and for x / (1 + exp(-x)), 0.9 for exp and bfloat arithmetic, no loss anywhere; two gain
// half of it, eight no more at twice the code. Kernels that wait, a quantised matvec among them, have no
// such loop and don't change. Tried and left out, for nothing could be measured: a second run of O3, an
// early GVN, higher caps for LICM; the inliner's threshold has nothing left to inline.
constexpr unsigned kFastInterleave = 4;

// 512-bit vectors where a target has them but LLVM prefers 256, as for x86-64-v4: it fears for the clock
// of the first processors with AVX-512. By principle, not measured: Zen 3 has none. Without AVX-512 the
// attribute says nothing.
void prefer_widest_vectors(Module& module) {
  for (Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("prefer-vector-width", "512");
}

}  // namespace

std::unique_ptr<TargetMachine> make_target(Compile& compile) {
  std::string reason;
  const std::string triple = sys::getProcessTriple();
  const llvm::Target* target = TargetRegistry::lookupTarget(triple, reason);
  if (!target) {
    compile.error(reason);
    return nullptr;
  }
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, compile.processor.name, compile.processor.features, TargetOptions(), Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Aggressive));
}

bool optimize(Compile& compile, Module& module, TargetMachine& target) {
  module.getContext().setDiagnosticHandler(std::make_unique<BackEndDiagnostics>(compile));
  const bool fast = compile.request.optimization == SPRUE_CLANG_OPTIMIZATION_FAST;
  make_divisions_safe(module);
  KernelShape shape;
  const SharedMemory& memory =
      compile.request.dialect == SPRUE_CLANG_CUDA ? kCudaMemory : kMetalMemory;
  if (std::string problem = lower_kernel(module, shape, fast ? kFastInterleave : 0, memory);
      !problem.empty()) {
    compile.error(problem);
    return false;
  }
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream)) {
    compile.error("the compiler's own passes made invalid code: " + broken);
    return false;
  }
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;  // off by default here; coroutine bodies need it
  if (fast) prefer_widest_vectors(module);
  PassBuilder builder(&target, tuning);
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, analyses.modules);
  add_kernel_info(module, shape, compile.request.parameter_count);
  return true;
}

void print(const Module& module, std::string& text) {
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
}

bool emit(Compile& compile, Module& module, TargetMachine& target, std::string& emitted) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  const bool assembly = compile.request.output == SPRUE_CLANG_ASSEMBLY;
  const CodeGenFileType type =
      assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (target.addPassesToEmitFile(passes, stream, nullptr, type)) {
    compile.error("the target can't write objects or assembler text");
    return false;
  }
  const size_t errors = compile.diagnostics.size();
  passes.run(module);
  emitted.assign(bytes.begin(), bytes.end());
  for (size_t i = errors; i < compile.diagnostics.size(); ++i)
    if (compile.diagnostics[i].severity == SPRUE_CLANG_ERROR) return false;
  return true;
}

}  // namespace sprue_clang
