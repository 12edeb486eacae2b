// The stages of one compile, in order. Each returns false after it has said why.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "kernel_passes.h"

namespace sprue_clang {

struct Processor {
  std::string name;      // "sapphirerapids"
  std::string features;  // "+avx,-sse4a,...", sorted; empty for a named architecture
};
Processor find_processor(const std::string& architecture);

struct Compile {
  const sprue_clang_request& request;
  Processor processor;
  std::vector<Diagnostic>& diagnostics;

  void error(std::string message) {
    diagnostics.push_back({SPRUE_CLANG_ERROR, "", 0, 0, std::move(message)});
  }
};

std::unique_ptr<llvm::Module> parse(Compile& compile, llvm::LLVMContext& context);  // front_end.cpp
std::unique_ptr<llvm::TargetMachine> make_target(Compile& compile);                 // back_end.cpp
bool optimize(Compile& compile, llvm::Module& module, llvm::TargetMachine& target);  // back_end.cpp
void print(const llvm::Module& module, std::string& text);                           // back_end.cpp
// An object, or the assembler's text if that is what the request asks for.
bool emit(Compile& compile, llvm::Module& module, llvm::TargetMachine& target,  // back_end.cpp
          std::string& bytes);
bool link(Compile& compile, const std::string& object, std::string& shared_object);  // link.cpp

}  // namespace sprue_clang
