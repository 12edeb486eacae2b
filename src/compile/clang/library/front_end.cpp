// Text to unoptimised IR, by clang's own front end over files in memory.
#include <clang/AST/ASTConsumer.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include "address_spaces.h"
#include "compile.h"
#include "language_rules.h"
#include "program/metal_headers.h"

using namespace llvm;

namespace sprue_clang {

namespace {

constexpr char kHeaderFolder[] = "/sprue/include/", kUserFolder[] = "/sprue/user/";

bool is_cuda(const sprue_clang_request& request) { return request.dialect == SPRUE_CLANG_CUDA; }

std::vector<std::string> front_end_arguments(const Compile& compile) {
  std::vector<std::string> arguments = {"-triple", sys::getProcessTriple(), "-target-cpu",
                                        compile.processor.name};
  SmallVector<StringRef, 0> features;
  StringRef(compile.processor.features).split(features, ',', -1, false);
  for (StringRef feature : features)
    arguments.insert(arguments.end(), {"-target-feature", feature.str()});
  for (const char* flag :
       {"-O3", "-disable-llvm-passes",
        // Their clean-up blocks would put what follows a loop in front of its body: convergence.h.
        "-disable-lifetime-markers", "-x", "c++", "-ffreestanding", "-nobuiltininc", "-fno-rtti",
        "-fwrapv", "-relaxed-aliasing", "-mrelocation-model", "pic", "-pic-level", "2",
        "-mframe-pointer=none", "-fvisibility=hidden",
        // Hostile text: no files of the host by .incbin, no unbounded depth or stack.
        "-fno-gnu-inline-asm", "-fbracket-depth", "256", "-ftemplate-depth=256",
        "-fconstexpr-depth=256", "-fwarn-stack-size=1048576",
        // Every operation on half rounds to half, as on a GPU.
        "-ffloat16-excess-precision=none",
        // Texts use later C++ freely, and their dialects have words where we have none.
        "-Wno-c++17-extensions", "-Wno-c++20-extensions", "-Wno-unused-value",
        "-Wno-unknown-attributes", "-Wno-duplicate-decl-specifier", "-Wno-pass-failed"})
    arguments.push_back(flag);
  if (is_cuda(compile.request))  // NVRTC's language; threadIdx.x is a property of the prelude
    arguments.insert(arguments.end(), {"-std=c++17", "-fdeclspec"});
  else  // 0.1 is a float, for Metal has no double; a comment may end in "??/"
    arguments.insert(arguments.end(),
                     {"-std=c++14", "-fno-trigraphs", "-cl-single-precision-constant"});
  switch (compile.request.math) {
    case SPRUE_CLANG_MATH_SAFE:
      arguments.push_back("-ffp-contract=off");
      break;
    case SPRUE_CLANG_MATH_RELAXED:
      arguments.push_back("-ffp-contract=fast");
      break;
    default:  // infinities and NaN stay: masked softmax needs exp(-inf) and isnan
      arguments.insert(arguments.end(), {"-ffp-contract=fast", "-mreassociate", "-fno-signed-zeros",
                                         "-freciprocal-math", "-D__FAST_MATH__=1"});
  }
  arguments.insert(arguments.end(), {"-I", kUserFolder, "-internal-isystem", kHeaderFolder,
                                     compile.request.files[0].name});
  return arguments;
}

// What Metal refuses and clang doesn't, found on the parsed text before code is made of it.
class MetalRules : public clang::ASTConsumer {
 public:
  explicit MetalRules(const sprue_clang_request& request) : request_(request) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    check_language_rules(context);
    check_address_spaces(context, UserTexts(request_, context.getLangOpts()));
  }

 private:
  const sprue_clang_request& request_;
};

class EmitAction : public clang::EmitLLVMOnlyAction {
 public:
  EmitAction(LLVMContext& context, const sprue_clang_request& request)
      : EmitLLVMOnlyAction(&context), request_(request) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    if (!is_cuda(request_)) consumers.push_back(std::make_unique<MetalRules>(request_));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(instance, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

 private:
  const sprue_clang_request& request_;
};

}  // namespace

Processor find_processor(const std::string& architecture) {
  if (architecture != "native") return {architecture, ""};
  std::vector<std::string> features;  // sorted: a StringMap has no fixed order
  for (auto& feature : sys::getHostCPUFeatures()) {
    // These convert to bfloat with denormals flushed; results must not depend on the processor.
    const bool flushes = feature.first() == "avx512bf16" || feature.first() == "avxneconvert" ||
                         feature.first() == "amx-bf16";
    features.push_back((feature.second && !flushes ? "+" : "-") + feature.first().str());
  }
  llvm::sort(features);
  return {sys::getHostCPUName().str(), join(features, ",")};
}

std::unique_ptr<Module> parse(Compile& compile, LLVMContext& context) {
  const std::vector<std::string> arguments = front_end_arguments(compile);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  std::vector<std::string> user_files(compile.request.user_files,
                                      compile.request.user_files + compile.request.user_file_count);

  clang::CompilerInstance instance;
  raw_null_ostream nowhere;
  instance.setVerboseOutputStream(nowhere);  // "1 error generated." would go to standard error
  instance.createDiagnostics(new DiagnosticCollector(std::move(user_files), compile.diagnostics));
  if (!clang::CompilerInvocation::CreateFromArgs(instance.getInvocation(), pointers,
                                                 instance.getDiagnostics()))
    return nullptr;
  IntrusiveRefCntPtr<vfs::InMemoryFileSystem> files(new vfs::InMemoryFileSystem());
  for (size_t i = 0; i < compile.request.file_count; ++i) {
    const sprue_clang_file& file = compile.request.files[i];
    StringRef name = file.name;
    if (name.starts_with(SPRUE_CLANG_USER_TEXT)) continue;
    const char* folder = name.consume_front(SPRUE_CLANG_USER_HEADER) ? kUserFolder
                         : i > 0                                     ? kHeaderFolder
                                                                     : "";
    files->addFile(folder + name.str(), 0,
                   MemoryBuffer::getMemBufferCopy(StringRef(file.text, file.size), name));
  }
  if (!is_cuda(compile.request))
    for (const char* name : kSprueMetalHeaders)
      files->addFile(kHeaderFolder + std::string(name), 0, MemoryBuffer::getMemBuffer("", name));
  instance.createFileManager(files);  // clang sees no real file
  EmitAction action(context, compile.request);
  return instance.ExecuteAction(action) ? action.takeModule() : nullptr;
}

}  // namespace sprue_clang
