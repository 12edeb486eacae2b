// Where things lie, and where pointers and references point to, as far as the user's words and the tree say:
// what address_spaces.cpp compares.
//
//   PointerSpaces spaces(context, texts);
//   spaces.of(variable).pointee    // kDevice, of `device float* p` and of `auto p = y`
//   spaces.pointee(argument)       // kThread, of `&v`
//   spaces.object(element)         // kThreadgroup, of `tile[3]`
//
// kAnySpace where nothing is known. Declarations are remembered: each is looked at once.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/TypeLoc.h>
#include <llvm/ADT/DenseMap.h>

#include "user_text.h"

namespace sprue_clang {

// Where a variable lies, and where what it points or refers to lies.
struct Spaces {
  Space object = kAnySpace;
  Space pointee = kAnySpace;
  bool has_word = false;  // the pointee's space is written
};

inline bool is_data_pointer(clang::QualType type) {
  return type->isPointerType() && !type->isFunctionPointerType();
}

class PointerSpaces {
 public:
  PointerSpaces(clang::ASTContext& context, const UserTexts& texts)
      : sources_(context.getSourceManager()), texts_(texts) {}

  // By value: what the next question adds moves the others.
  Spaces of(const clang::ValueDecl* declaration);  // of a function: its result's
  // Where a pointer points to.
  Space pointee(const clang::Expr* e);
  // Where the pointer in this lvalue points to.
  Space pointee_of_lvalue(const clang::Expr* e);
  // Where an lvalue lies.
  Space object(const clang::Expr* e);

 private:
  Spaces compute(const clang::ValueDecl* declaration);
  Space written(const clang::ValueDecl* declaration) const;
  Space declared_pointee(const clang::ValueDecl* declaration, bool& has_word);
  bool may_hold_space(clang::TypeLoc type, const clang::ValueDecl* declaration) const;
  bool is_kernel(const clang::FunctionDecl* function) const;
  bool is_generated(const clang::ParmVarDecl* parameter) const;
  Space inferred(const clang::ValueDecl* declaration);
  Space result_space(const clang::CallExpr* call);
  Space cast_space(const clang::ExplicitCastExpr* cast) const;

  clang::SourceManager& sources_;
  const UserTexts& texts_;
  llvm::DenseMap<const clang::ValueDecl*, Spaces> spaces_;
};

}  // namespace sprue_clang
