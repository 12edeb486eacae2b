#include "division.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace sprue_clang {

namespace {

bool is_division(const Instruction& instruction) { return instruction.isIntDivRem(); }

bool is_signed(const Instruction& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

// A constant, or a vector of them, with nothing that may trap.
bool is_safe(const Instruction& division) {
  const auto safe = [&](const APInt& value) {
    return !value.isZero() && !(is_signed(division) && value.isAllOnes());
  };
  return PatternMatch::match(division.getOperand(1), PatternMatch::m_CheckedInt(safe));
}

void replace_divisor(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value* left = division.getOperand(0);
  Value* right = division.getOperand(1);
  Type* type = right->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value* traps = builder.CreateICmpEQ(right, Constant::getNullValue(type));
  if (is_signed(division)) {
    Value* least =
        builder.CreateICmpEQ(left, ConstantInt::get(type, APInt::getSignedMinValue(bits)));
    Value* minus = builder.CreateICmpEQ(right, Constant::getAllOnesValue(type));
    traps = builder.CreateOr(traps, builder.CreateAnd(least, minus));
  }
  division.setOperand(1, builder.CreateSelect(traps, ConstantInt::get(type, 1), right));
}

// By -1, without the comparisons that would keep the division.
void negate(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value* value = division.getOpcode() == Instruction::SDiv
                     ? builder.CreateNeg(division.getOperand(0))
                     : Constant::getNullValue(division.getType());
  division.replaceAllUsesWith(value);
  division.eraseFromParent();
}

// Where a vector or a struct starts from nothing, poison is no value yet.
bool starts_from_nothing(const Use& use) {
  const User* user = use.getUser();
  if (isa<ShuffleVectorInst>(user)) return true;
  return use.getOperandNo() == 0 && (isa<InsertElementInst>(user) || isa<InsertValueInst>(user));
}

}  // namespace

void make_divisions_safe(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      for (Use& use : instruction.operands())
        if (isa<PoisonValue>(use) && !starts_from_nothing(use))
          use.set(Constant::getNullValue(use->getType()));
      if (!is_division(instruction) || is_safe(instruction)) continue;
      auto& division = cast<BinaryOperator>(instruction);
      if (is_signed(division) &&
          PatternMatch::match(division.getOperand(1), PatternMatch::m_AllOnes()))
        negate(division);
      else
        replace_divisor(division);
    }
}

}  // namespace sprue_clang
