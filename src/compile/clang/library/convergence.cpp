#include "convergence.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "names.h"
#include "program/cpu_abi.h"

using namespace llvm;

namespace sprue_clang {

namespace {

CallInst* as_yield(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == kYieldMarker ? call : nullptr;
}

bool has_yield(BasicBlock& block) {
  return any_of(block, [](Instruction& instruction) { return as_yield(instruction) != nullptr; });
}

// A combining function that leaves the lanes' values alone.
Function* nothing(Module& module) {
  LLVMContext& context = module.getContext();
  auto* type =
      FunctionType::get(Type::getVoidTy(context),
                        {PointerType::getUnqual(context), Type::getInt32Ty(context)}, false);
  auto* function = Function::Create(type, GlobalValue::InternalLinkage, "sprue_nothing", module);
  ReturnInst::Create(context, BasicBlock::Create(context, "", function));
  return function;
}

void insert_wait(Instruction* before, Value* thread, Function* combine) {
  Module& module = *before->getModule();
  IRBuilder<> builder(before);
  const auto field = [&](uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread, offset);
  };
  builder.CreateStore(combine, field(offsetof(SprueThread, combine)));
  builder.CreateStore(builder.getInt32(kSprueCollective), field(offsetof(SprueThread, state)));
  builder.CreateCall(module.getFunction(kYieldMarker), {field(offsetof(SprueThread, site))});
}

// In layout order, which is the order of the text: clang emits blocks so where no variable has a
// clean-up, and the inliner keeps it.
BasicBlock* last_block(Loop& loop) {
  BasicBlock* last = nullptr;
  for (BasicBlock& block : *loop.getHeader()->getParent())
    if (loop.contains(&block)) last = &block;
  return last;
}

// The last wait written inside of the loop: also one in front of a return, which is no part of the
// loop's cycle.
BasicBlock* last_wait_block(Loop& loop) {
  BasicBlock* last = nullptr;
  bool inside = false;
  BasicBlock* const end = last_block(loop);
  for (BasicBlock& block : *loop.getHeader()->getParent()) {
    inside |= loop.contains(&block);
    if (inside && has_yield(block)) last = &block;
    if (&block == end) break;
  }
  return last;
}

}  // namespace

void converge_loops(Function& thread_function) {
  Module& module = *thread_function.getParent();
  if (!module.getFunction(kYieldMarker)) return;
  DominatorTree dominators(thread_function);
  LoopInfo loops(dominators);
  Function* combine = nullptr;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!last_wait_block(*loop)) continue;
    simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    BasicBlock* latch = loop->getLoopLatch();
    if (!latch) continue;
    // Where each iteration passes the loop's last wait, that one keeps the lanes together.
    BasicBlock* last_wait = last_wait_block(*loop);
    if (loops.getLoopFor(last_wait) == loop && dominators.dominates(last_wait, latch)) continue;
    if (BasicBlock* last = last_block(*loop); last != latch) latch->moveAfter(last);
    if (!combine) combine = nothing(module);
    insert_wait(latch->getTerminator(), thread_function.getArg(1), combine);
  }
}

bool number_sites(Function& thread_function) {
  uint32_t site = 0;
  for (BasicBlock& block : thread_function)
    for (Instruction& instruction : block)
      if (CallInst* yield = as_yield(instruction)) {
        IRBuilder<> builder(yield);
        builder.CreateStore(builder.getInt32(site++), yield->getArgOperand(0));
      }
  return site > 0;
}

}  // namespace sprue_clang
