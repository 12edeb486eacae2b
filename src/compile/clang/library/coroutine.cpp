#include "coroutine.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "names.h"
#include "program/cpu_abi.h"

using namespace llvm;

namespace sprue_clang {

void make_coroutine(Function& kernel) {
  Module& module = *kernel.getParent();
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::getUnqual(context);
  auto intrinsic = [&](Intrinsic::ID id) { return Intrinsic::getDeclaration(&module, id); };

  Function* ramp = Function::Create(FunctionType::get(pointer, {pointer, pointer, pointer}, false),
                                    GlobalValue::ExternalLinkage, "", module);
  ramp->takeName(&kernel);
  ramp->setVisibility(kernel.getVisibility());
  ramp->setAttributes(AttributeList::get(context, kernel.getAttributes().getFnAttrs(), {}, {}));
  ramp->removeFnAttr(Attribute::MustProgress);
  ramp->addFnAttr(Attribute::PresplitCoroutine);
  ramp->splice(ramp->begin(), &kernel);
  for (Argument& argument : kernel.args())
    argument.replaceAllUsesWith(ramp->getArg(argument.getArgNo()));
  kernel.eraseFromParent();

  SmallVector<CallInst*, 16> yields;
  SmallVector<ReturnInst*, 4> returns;
  for (Instruction& instruction : instructions(*ramp)) {
    if (auto* call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == kYieldMarker)
      yields.push_back(call);
    if (auto* ret = dyn_cast<ReturnInst>(&instruction)) returns.push_back(ret);
  }

  IRBuilder<> builder(&*ramp->getEntryBlock().getFirstInsertionPt());
  Value* none = ConstantPointerNull::get(PointerType::getUnqual(context));
  Value* id =
      builder.CreateCall(intrinsic(Intrinsic::coro_id), {builder.getInt32(16), none, none, none});
  Value* handle = builder.CreateCall(intrinsic(Intrinsic::coro_begin), {id, ramp->getArg(2)});
  BasicBlock* suspend = BasicBlock::Create(context, "suspend", ramp);
  BasicBlock* cleanup = BasicBlock::Create(context, "cleanup", ramp);
  builder.SetInsertPoint(cleanup);
  builder.CreateBr(suspend);
  builder.SetInsertPoint(suspend);
  builder.CreateCall(intrinsic(Intrinsic::coro_end),
                     {handle, builder.getFalse(), ConstantTokenNone::get(context)});
  builder.CreateRet(handle);

  for (ReturnInst* ret : returns) {
    builder.SetInsertPoint(ret);
    Value* state = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ramp->getArg(1),
                                                      offsetof(SprueThread, state));
    builder.CreateStore(builder.getInt32(kSprueDone), state);
    builder.CreateBr(suspend);
    ret->eraseFromParent();
  }
  for (CallInst* yield : yields) {
    BasicBlock* block = yield->getParent();
    BasicBlock* resume = block->splitBasicBlock(std::next(yield->getIterator()), "resume");
    yield->eraseFromParent();
    block->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(block);
    Value* outcome = builder.CreateCall(intrinsic(Intrinsic::coro_suspend),
                                        {ConstantTokenNone::get(context), builder.getFalse()});
    SwitchInst* way = builder.CreateSwitch(outcome, suspend, 2);
    way->addCase(builder.getInt8(0), resume);
    way->addCase(builder.getInt8(1), cleanup);
  }
}

uint64_t coroutine_frame_bytes(const Module& module) {
  auto* frame = StructType::getTypeByName(module.getContext(), std::string(kRunThread) + ".Frame");
  // No frame: the optimiser proved that no value lives across a wait. Two words remain in any case.
  return frame ? module.getDataLayout().getTypeAllocSize(frame).getFixedValue() : 16;
}

}  // namespace sprue_clang
