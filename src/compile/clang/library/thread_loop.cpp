#include "thread_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "analyses.h"
#include "names.h"

using namespace llvm;

namespace sprue_clang {

namespace {

// Promotes what can be promoted. What then remains on the stack is one slot that all iterations use.
void promote_variables(Function& function) {
  PassBuilder builder;
  Analyses analyses(builder);
  FunctionPassManager passes;
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.run(function, analyses.functions);
}

bool has_stack_slots(Function& function) {
  return any_of(instructions(function), [](Instruction& i) { return isa<AllocaInst>(i); });
}

}  // namespace

void annotate_thread_loop(Function& function, unsigned interleave) {
  promote_variables(function);
  Function* marker = function.getParent()->getFunction(kLoopMarker);
  if (!marker || marker->use_empty()) return;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  // One call as written; simplification may have copied it, within the same loop.
  Loop* loop = nullptr;
  for (User* user : make_early_inc_range(marker->users())) {
    auto* call = cast<CallInst>(user);
    loop = loops.getLoopFor(call->getParent());
    call->eraseFromParent();
  }
  if (!loop || has_stack_slots(function)) return;

  LLVMContext& context = function.getContext();
  MDNode* group = MDNode::getDistinct(context, {});
  for (BasicBlock* block : loop->blocks())
    for (Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory())
        instruction.setMetadata(LLVMContext::MD_access_group, group);
  Metadata* independent =
      MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
  SmallVector<Metadata*, 3> properties = {nullptr, independent};
  if (interleave) {
    Metadata* count =
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), interleave));
    properties.push_back(
        MDNode::get(context, {MDString::get(context, "llvm.loop.interleave.count"), count}));
  }
  MDNode* id = MDNode::getDistinct(context, properties);
  id->replaceOperandWith(0, id);  // a loop's id names itself first
  loop->setLoopID(id);
}

}  // namespace sprue_clang
