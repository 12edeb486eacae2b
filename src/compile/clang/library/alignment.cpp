#include "alignment.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace sprue_clang {

void forget_alignment(Function& function) {
  for (Instruction& instruction : instructions(function)) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->isAtomic()) load->setAlignment(Align(1));
      load->setMetadata(LLVMContext::MD_align, nullptr);  // of the pointer that is loaded
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (!store->isAtomic()) store->setAlignment(Align(1));
    } else if (auto* set = dyn_cast<MemIntrinsic>(&instruction)) {
      set->setDestAlignment(Align(1));
      if (auto* copy = dyn_cast<MemTransferInst>(set)) copy->setSourceAlignment(Align(1));
    }
  }
}

}  // namespace sprue_clang
