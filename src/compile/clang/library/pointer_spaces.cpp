#include "pointer_spaces.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

using namespace clang;

namespace sprue_clang {

namespace {

TypeLoc bare(TypeLoc type) {
  for (;;) {
    type = type.getUnqualifiedLoc();
    if (const auto parentheses = type.getAs<ParenTypeLoc>())
      type = parentheses.getInnerLoc();
    else if (const auto elaborated = type.getAs<ElaboratedTypeLoc>())
      type = elaborated.getNamedTypeLoc();
    else
      return type;
  }
}

Space kernel_parameter(const ParmVarDecl* parameter) {
  const QualType type = parameter->getType();
  if (!type->isPointerType() && !type->isReferenceType()) return kAnySpace;
  return type->getPointeeType().isConstQualified() ? kDevice | kConstant : kDevice;
}

// What passes a value on.
const Expr* skip(const Expr* e) {
  for (;;) {
    e = e->IgnoreParens();
    if (const auto* full = dyn_cast<FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto* replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(e))
      e = replaced->getReplacement();
    else
      return e;
  }
}

bool is_single_pointer(QualType type) { return !type->getPointeeType()->isPointerType(); }

}  // namespace

// --- declarations ---

Spaces PointerSpaces::of(const ValueDecl* declaration) {
  const auto known = spaces_.find(declaration);
  if (known != spaces_.end()) return known->second;
  spaces_[declaration] = {};  // of `auto p = f(p)`
  const Spaces spaces = compute(declaration);
  return spaces_[declaration] = spaces;
}

Spaces PointerSpaces::compute(const ValueDecl* declaration) {
  Spaces spaces;
  spaces.pointee = declared_pointee(declaration, spaces.has_word);
  const auto* variable = dyn_cast<VarDecl>(declaration);
  if (!variable) return spaces;
  if (variable->getType()->isReferenceType())
    spaces.object = spaces.pointee;
  else if (variable->hasAttr<SectionAttr>())
    spaces.object = kThreadgroup;
  else if (variable->hasLocalStorage())
    spaces.object = kThread;
  else if (written(declaration) == kConstant)
    spaces.object = kConstant;
  return spaces;
}

// The word of the declaration; 0: none.
Space PointerSpaces::written(const ValueDecl* declaration) const {
  SourceLocation begin = declaration->getBeginLoc();
  if (const auto* declarator = dyn_cast<DeclaratorDecl>(declaration))
    begin = declarator->getOuterLocStart();
  return texts_.declared(sources_, begin, declaration->getLocation(),
                         declaration->getNameAsString());
}

Space PointerSpaces::declared_pointee(const ValueDecl* declaration, bool& has_word) {
  const auto* declarator = dyn_cast<DeclaratorDecl>(declaration);
  if (!declarator || !declarator->getTypeSourceInfo()) return kAnySpace;
  const auto* parameter = dyn_cast<ParmVarDecl>(declaration);
  if (parameter && is_generated(parameter)) return kernel_parameter(parameter);
  TypeLoc type = declarator->getTypeSourceInfo()->getTypeLoc();
  if (const auto function = type.getAs<FunctionTypeLoc>()) type = function.getReturnLoc();
  type = bare(type);
  TypeLoc pointee;
  for (;;) {
    if (const auto array = type.getAs<ArrayTypeLoc>()) {
      type = bare(array.getElementLoc());
      if (parameter && pointee.isNull() && !type.getAs<PointerTypeLoc>()) pointee = type;
      continue;
    }
    break;
  }
  if (const auto pointer = type.getAs<PointerTypeLoc>())
    pointee = bare(pointer.getPointeeLoc());
  else if (const auto reference = type.getAs<ReferenceTypeLoc>())
    pointee = bare(reference.getPointeeLoc());
  else if (type.getAs<AutoTypeLoc>())
    return inferred(declaration);
  if (pointee.isNull()) return kAnySpace;
  while (const auto array = pointee.getAs<ArrayTypeLoc>()) pointee = bare(array.getElementLoc());
  // Of a pointer to a pointer the words are many.
  if (pointee.getType()->isPointerType() || pointee.getType()->isFunctionType()) return kAnySpace;
  const Space word = written(declaration);
  if (word) {
    has_word = true;
    return word;
  }
  if (pointee.getAs<AutoTypeLoc>()) return inferred(declaration);
  return may_hold_space(pointee, declaration) ? kAnySpace : kThread;
}

// Of a pointee without a word: a name that might stand for `device float`.
bool PointerSpaces::may_hold_space(TypeLoc type, const ValueDecl* declaration) const {
  if (type.getAs<BuiltinTypeLoc>() || type.getAs<RecordTypeLoc>() || type.getAs<EnumTypeLoc>())
    return false;
  if (const auto alias = type.getAs<TypedefTypeLoc>())
    return is_in_kernel_text(sources_, alias.getTypedefNameDecl()->getLocation());
  // A template parameter of the kernel is a dtype.
  if (type.getAs<SubstTemplateTypeParmTypeLoc>()) {
    const auto* function = dyn_cast<FunctionDecl>(declaration->getDeclContext());
    return !function || !is_kernel(function);
  }
  if (const auto special = type.getAs<TemplateSpecializationTypeLoc>())
    return special.getType()->isDependentType() || special.getTypePtr()->isTypeAlias();
  return true;
}

bool PointerSpaces::is_kernel(const FunctionDecl* function) const {
  return !texts_.is_in_user_file(sources_, function->getLocation());
}

bool PointerSpaces::is_generated(const ParmVarDecl* parameter) const {
  return !texts_.is_in_user_file(sources_, parameter->getLocation()) &&
         is_in_kernel_text(sources_, parameter->getLocation());
}

Space PointerSpaces::inferred(const ValueDecl* declaration) {
  const auto* variable = dyn_cast<VarDecl>(declaration);
  if (!variable || !variable->getInit()) return kAnySpace;
  if (variable->getType()->isReferenceType()) return object(variable->getInit());
  return is_data_pointer(variable->getType()) ? pointee(variable->getInit()) : kAnySpace;
}

// --- expressions ---

// Where a pointer points to.
Space PointerSpaces::pointee(const Expr* e) {
  e = skip(e);
  if (!is_data_pointer(e->getType())) return kAnySpace;
  if (e->isGLValue()) return pointee_of_lvalue(e);
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(e)) {
    switch (cast->getCastKind()) {
      case CK_LValueToRValue:
        return pointee_of_lvalue(cast->getSubExpr());
      case CK_ArrayToPointerDecay:
        return object(cast->getSubExpr());
      case CK_NoOp:
      case CK_BitCast:
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
        return pointee(cast->getSubExpr());
      default:
        return kAnySpace;
    }
  }
  if (const auto* cast = dyn_cast<ExplicitCastExpr>(e)) return cast_space(cast);
  if (const auto* operation = dyn_cast<UnaryOperator>(e)) {
    if (operation->getOpcode() == UO_AddrOf) return object(operation->getSubExpr());
    return operation->isIncrementDecrementOp() ? pointee_of_lvalue(operation->getSubExpr())
                                               : kAnySpace;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(e)) {
    if (operation->isAdditiveOp())
      return pointee(is_data_pointer(operation->getLHS()->getType()) ? operation->getLHS()
                                                                     : operation->getRHS());
    return operation->isCommaOp() ? pointee(operation->getRHS()) : kAnySpace;
  }
  if (const auto* choice = dyn_cast<ConditionalOperator>(e))
    return pointee(choice->getTrueExpr()) | pointee(choice->getFalseExpr());
  if (const auto* call = dyn_cast<CallExpr>(e)) return result_space(call);
  return kAnySpace;
}

// Where the pointer in this lvalue points to.
Space PointerSpaces::pointee_of_lvalue(const Expr* e) {
  e = skip(e);
  if (const auto* name = dyn_cast<DeclRefExpr>(e))
    return name->getDecl()->getType()->isReferenceType() ? kAnySpace : of(name->getDecl()).pointee;
  if (const auto* member = dyn_cast<MemberExpr>(e)) {
    const ValueDecl* field = member->getMemberDecl();
    return field->getType()->isReferenceType() ? kAnySpace : of(field).pointee;
  }
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(e))
    return cast->getCastKind() == CK_NoOp ? pointee_of_lvalue(cast->getSubExpr()) : kAnySpace;
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(e)) {
    const auto* decay = dyn_cast<ImplicitCastExpr>(skip(element->getBase()));
    return decay && decay->getCastKind() == CK_ArrayToPointerDecay
               ? pointee_of_lvalue(decay->getSubExpr())
               : kAnySpace;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(e))
    return operation->isIncrementDecrementOp() ? pointee_of_lvalue(operation->getSubExpr())
                                               : kAnySpace;
  if (const auto* operation = dyn_cast<BinaryOperator>(e))
    return operation->isAssignmentOp() ? pointee_of_lvalue(operation->getLHS()) : kAnySpace;
  return kAnySpace;
}

// Where an lvalue lies.
Space PointerSpaces::object(const Expr* e) {
  e = skip(e);
  if (!e->isGLValue()) return kAnySpace;
  if (const auto* name = dyn_cast<DeclRefExpr>(e)) return of(name->getDecl()).object;
  if (const auto* member = dyn_cast<MemberExpr>(e)) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field) return kAnySpace;
    if (field->getType()->isReferenceType()) return of(field).pointee;
    return member->isArrow() ? pointee(member->getBase()) : object(member->getBase());
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(e)) return pointee(element->getBase());
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(e)) {
    const CastKind kind = cast->getCastKind();
    return kind == CK_NoOp || kind == CK_DerivedToBase || kind == CK_UncheckedDerivedToBase
               ? object(cast->getSubExpr())
               : kAnySpace;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(e)) {
    if (operation->getOpcode() == UO_Deref) return pointee(operation->getSubExpr());
    return operation->isIncrementDecrementOp() ? object(operation->getSubExpr()) : kAnySpace;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(e))
    return operation->isAssignmentOp() ? object(operation->getLHS()) : kAnySpace;
  if (const auto* choice = dyn_cast<ConditionalOperator>(e))
    return object(choice->getTrueExpr()) | object(choice->getFalseExpr());
  if (const auto* call = dyn_cast<CallExpr>(e)) return result_space(call);
  return kAnySpace;
}

Space PointerSpaces::result_space(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (!callee || isa<CXXOperatorCallExpr>(call) ||
      !texts_.is_in_user_file(sources_, callee->getLocation()))
    return kAnySpace;
  return of(callee).pointee;
}

// A cast that names a space has it; one that names none says nothing here.
Space PointerSpaces::cast_space(const ExplicitCastExpr* cast) const {
  Space space = 0;
  if (const auto* c_style = dyn_cast<CStyleCastExpr>(cast))
    space = texts_.between(sources_, c_style->getLParenLoc(), c_style->getRParenLoc());
  else if (const auto* named = dyn_cast<CXXNamedCastExpr>(cast))
    space = texts_.between(sources_, named->getAngleBrackets().getBegin(),
                           named->getAngleBrackets().getEnd());
  return space && is_single_pointer(cast->getType()) ? space : kAnySpace;
}

}  // namespace sprue_clang
