#include "pointer_constants.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace sprue_clang {

namespace {

using Globals = SmallSetVector<GlobalVariable*, 8>;

void find_holders(const Constant& held, Globals& holders) {
  for (User* user : const_cast<Constant&>(held).users()) {
    if (auto* global = dyn_cast<GlobalVariable>(user))
      holders.insert(global);
    else if (auto* constant = dyn_cast<Constant>(user))
      find_holders(*constant, holders);
  }
}

void store_leaves(IRBuilder<>& builder, Constant* value, Value* address) {
  Type* type = value->getType();
  if (isa<UndefValue>(value)) return;
  if (!type->isAggregateType()) {
    builder.CreateStore(value, address);
    return;
  }
  const uint64_t count =
      isa<StructType>(type) ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    store_leaves(builder, value->getAggregateElement(i),
                 isa<StructType>(type) ? builder.CreateStructGEP(type, address, i)
                                       : builder.CreateConstInBoundsGEP2_64(type, address, 0, i));
}

void unfold(GlobalVariable& global, Instruction& place) {
  IRBuilder<> entry(&place);
  AllocaInst* copy = entry.CreateAlloca(global.getValueType());
  copy->setAlignment(std::max(copy->getAlign(), global.getAlign().valueOrOne()));
  IRBuilder<> builder(place.getNextNode());
  store_leaves(builder, global.getInitializer(), copy);
  convertUsersOfConstantsToInstructions(&global);
  global.replaceAllUsesWith(copy);
  global.eraseFromParent();
}

}  // namespace

void unfold_pointer_constants(GlobalVariable& variable, Instruction& place) {
  Globals holders;
  find_holders(variable, holders);
  for (GlobalVariable* holder : holders) {
    if (!holder->isConstant() || !holder->hasLocalLinkage()) continue;
    unfold_pointer_constants(*holder, place);  // first, for its address is stored there
    unfold(*holder, place);
  }
}

}  // namespace sprue_clang
