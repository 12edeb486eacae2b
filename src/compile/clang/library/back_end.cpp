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
  KernelShape shape;
  if (std::string problem = lower_kernel(module, shape); !problem.empty()) {
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
  PassBuilder builder(&target, tuning);
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, analyses.modules);
  add_kernel_info(module, shape, compile.request.parameter_count);
  return true;
}

bool emit(Compile& compile, Module& module, TargetMachine& target, std::string& object) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile)) {
    compile.error("the target can't write objects");
    return false;
  }
  const size_t errors = compile.diagnostics.size();
  passes.run(module);
  object.assign(bytes.begin(), bytes.end());
  for (size_t i = errors; i < compile.diagnostics.size(); ++i)
    if (compile.diagnostics[i].severity == SPRUE_CLANG_ERROR) return false;
  return true;
}

}  // namespace sprue_clang
