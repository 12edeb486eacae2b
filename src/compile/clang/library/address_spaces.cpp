#include "address_spaces.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

using namespace clang;

namespace sprue_clang {

namespace {

// Where a variable lies, and where what it points or refers to lies.
struct Spaces {
  Space object = kAnySpace;
  Space pointee = kAnySpace;
  bool has_word = false;  // the pointee's space is written
};

bool is_pointer(QualType type) { return type->isPointerType() && !type->isFunctionPointerType(); }

// The parameter of a prelude function that writes through it to the thread's own memory.
bool is_thread_parameter(StringRef function, unsigned index) {
  return index == 1 && (function == "sincos" || function == "modf" || function == "frexp" ||
                        function == "atomic_compare_exchange_weak_explicit");
}

class Checker : public RecursiveASTVisitor<Checker> {
 public:
  Checker(ASTContext& context, const UserTexts& texts)
      : context_(context), sources_(context.getSourceManager()), texts_(texts) {
    DiagnosticsEngine& engine = context.getDiagnostics();
    error_ =
        engine.getCustomDiagID(DiagnosticsEngine::Error,
                               "expected %select{a pointer to|an object in}0 '%1' memory for %2, "
                               "got one %select{to|in}0 '%3' memory; Metal has no conversion "
                               "between address spaces%select{|, and no word means 'thread'}4");
    note_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "%0 is declared here");
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitVarDecl(VarDecl* variable) {
    if (isa<ParmVarDecl>(variable) || !variable->getInit()) return true;
    initialise(variable, variable->getInit(), describe(variable, ""));
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator* assignment) {
    if (assignment->getOpcode() != BO_Assign || !is_pointer(assignment->getType())) return true;
    const ValueDecl* target = nullptr;
    if (auto* name = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens()))
      target = name->getDecl();
    if (auto* member = dyn_cast<MemberExpr>(assignment->getLHS()->IgnoreParens()))
      target = member->getMemberDecl();
    compare(pointee_of_lvalue(assignment->getLHS()), pointee(assignment->getRHS()), false,
            assignment->getRHS(), target, target ? describe(target, "") : "the assignment");
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return true;
    unsigned first = 0;  // argument of the first parameter
    if (auto* operation = dyn_cast<CXXOperatorCallExpr>(call)) {
      if (operation->getOperator() != OO_Call) return true;
      first = 1;  // the object that is called: a lambda
    }
    for (unsigned i = first; i < call->getNumArgs(); ++i)
      argument(callee, i - first, call->getArg(i));
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr* construction) {
    for (unsigned i = 0; i < construction->getNumArgs(); ++i)
      argument(construction->getConstructor(), i, construction->getArg(i));
    return true;
  }

  bool VisitInitListExpr(InitListExpr* list) {
    const auto* record = list->getType()->getAsRecordDecl();
    if (!record || record->isUnion()) return true;
    unsigned i = 0;
    if (const auto* with_bases = dyn_cast<CXXRecordDecl>(record))
      i = with_bases->isCompleteDefinition() ? with_bases->getNumBases() : 0;
    for (const FieldDecl* field : record->fields()) {
      if (field->isUnnamedBitField()) continue;
      if (i >= list->getNumInits()) break;
      initialise(field, list->getInit(i++), describe(field, ""));
    }
    return true;
  }

  bool VisitCXXConstructorDecl(CXXConstructorDecl* constructor) {
    for (const CXXCtorInitializer* initializer : constructor->inits())
      if (initializer->isMemberInitializer())
        initialise(initializer->getMember(), initializer->getInit(),
                   describe(initializer->getMember(), ""));
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) {
    const QualType type = function->getReturnType();
    if (!function->doesThisDeclarationHaveABody() ||
        !(is_pointer(type) || type->isLValueReferenceType()))
      return true;
    const Spaces spaces = spaces_of(function);
    if (spaces.pointee != kAnySpace) returns(function, spaces, function->getBody());
    return true;
  }

 private:
  std::string describe(const ValueDecl* declaration, const std::string& owner) const {
    return "'" + declaration->getNameAsString() + "'" + owner;
  }

  // --- the checks ---

  void compare(Space expected, Space got, bool is_object, const Expr* at, const ValueDecl* declared,
               const std::string& what, bool has_word = true) {
    if ((expected & got) != 0) return;
    if (!reported_.insert(at->getExprLoc().getRawEncoding()).second) return;  // instantiated twice
    context_.getDiagnostics().Report(at->getExprLoc(), error_)
        << is_object << space_name(expected) << what << space_name(got) << !has_word;
    if (declared && texts_.is_in_user_file(sources_, declared->getLocation()))
      context_.getDiagnostics().Report(declared->getLocation(), note_) << describe(declared, "");
  }

  void initialise(const ValueDecl* target, const Expr* init, const std::string& what) {
    const Spaces& spaces = spaces_of(target);
    if (spaces.pointee == kAnySpace) return;
    const QualType type = target->getType();
    if (type->isLValueReferenceType()) {
      // A constant reference may bind to a copy.
      if (!type.getNonReferenceType().isConstQualified() && init->isGLValue())
        compare(spaces.pointee, object(init), true, init, target, what, spaces.has_word);
    } else if (is_pointer(type)) {
      compare(spaces.pointee, pointee(init), false, init, target, what, spaces.has_word);
    } else if (type->isArrayType()) {
      if (const auto* list = dyn_cast<InitListExpr>(init->IgnoreImplicit()))
        for (const Expr* element : list->inits())
          if (is_pointer(element->getType()))
            compare(spaces.pointee, pointee(element), false, element, target, what,
                    spaces.has_word);
    }
  }

  void argument(const FunctionDecl* callee, unsigned index, const Expr* value) {
    if (index >= callee->getNumParams()) return;
    const ParmVarDecl* parameter = callee->getParamDecl(index);
    const std::string owner = " of '" + callee->getNameAsString() + "'";
    if (texts_.is_in_user_file(sources_, callee->getLocation()))
      return initialise(parameter, value, "parameter " + describe(parameter, owner));
    const IdentifierInfo* name = callee->getIdentifier();
    if (!name || !is_thread_parameter(name->getName(), index)) return;
    const bool is_object = parameter->getType()->isLValueReferenceType();
    compare(kThread, is_object ? object(value) : pointee(value), is_object, value, nullptr,
            "parameter " + describe(parameter, owner));
  }

  void returns(const FunctionDecl* function, const Spaces& spaces, const Stmt* statement) {
    if (!statement || isa<LambdaExpr>(statement)) return;
    if (auto* result = dyn_cast<ReturnStmt>(statement)) {
      if (const Expr* value = result->getRetValue()) {
        const bool is_object = function->getReturnType()->isReferenceType();
        const bool is_constant =
            is_object && function->getReturnType().getNonReferenceType().isConstQualified();
        if (!is_constant)
          compare(spaces.pointee, is_object ? object(value) : pointee(value), is_object, value,
                  function, "the result of " + describe(function, ""), spaces.has_word);
      }
      return;
    }
    for (const Stmt* child : statement->children()) returns(function, spaces, child);
  }

  // --- declarations ---

  const Spaces& spaces_of(const ValueDecl* declaration) {
    const auto known = spaces_.find(declaration);
    if (known != spaces_.end()) return known->second;
    spaces_[declaration] = {};  // of `auto p = f(p)`
    const Spaces spaces = compute(declaration);
    return spaces_[declaration] = spaces;
  }

  Spaces compute(const ValueDecl* declaration) {
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
  Space written(const ValueDecl* declaration) const {
    SourceLocation begin = declaration->getBeginLoc();
    if (const auto* declarator = dyn_cast<DeclaratorDecl>(declaration))
      begin = declarator->getOuterLocStart();
    return texts_.declared(sources_, begin, declaration->getLocation(),
                           declaration->getNameAsString());
  }

  Space declared_pointee(const ValueDecl* declaration, bool& has_word) {
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

  static TypeLoc bare(TypeLoc type) {
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

  // Of a pointee without a word: a name that might stand for `device float`.
  bool may_hold_space(TypeLoc type, const ValueDecl* declaration) const {
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

  bool is_kernel(const FunctionDecl* function) const {
    return !texts_.is_in_user_file(sources_, function->getLocation());
  }
  bool is_generated(const ParmVarDecl* parameter) const {
    return !texts_.is_in_user_file(sources_, parameter->getLocation()) &&
           is_in_kernel_text(sources_, parameter->getLocation());
  }
  Space kernel_parameter(const ParmVarDecl* parameter) const {
    const QualType type = parameter->getType();
    if (!type->isPointerType() && !type->isReferenceType()) return kAnySpace;
    return type->getPointeeType().isConstQualified() ? kDevice | kConstant : kDevice;
  }

  Space inferred(const ValueDecl* declaration) {
    const auto* variable = dyn_cast<VarDecl>(declaration);
    if (!variable || !variable->getInit()) return kAnySpace;
    if (variable->getType()->isReferenceType()) return object(variable->getInit());
    return is_pointer(variable->getType()) ? pointee(variable->getInit()) : kAnySpace;
  }

  // --- expressions ---

  // What passes a value on.
  static const Expr* skip(const Expr* e) {
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

  // Where a pointer points to.
  Space pointee(const Expr* e) {
    e = skip(e);
    if (!is_pointer(e->getType())) return kAnySpace;
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
        return pointee(is_pointer(operation->getLHS()->getType()) ? operation->getLHS()
                                                                  : operation->getRHS());
      return operation->isCommaOp() ? pointee(operation->getRHS()) : kAnySpace;
    }
    if (const auto* choice = dyn_cast<ConditionalOperator>(e))
      return pointee(choice->getTrueExpr()) | pointee(choice->getFalseExpr());
    if (const auto* call = dyn_cast<CallExpr>(e)) return result_space(call);
    return kAnySpace;
  }

  // Where the pointer in this lvalue points to.
  Space pointee_of_lvalue(const Expr* e) {
    e = skip(e);
    if (const auto* name = dyn_cast<DeclRefExpr>(e))
      return name->getDecl()->getType()->isReferenceType() ? kAnySpace
                                                           : spaces_of(name->getDecl()).pointee;
    if (const auto* member = dyn_cast<MemberExpr>(e)) {
      const ValueDecl* field = member->getMemberDecl();
      return field->getType()->isReferenceType() ? kAnySpace : spaces_of(field).pointee;
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
  Space object(const Expr* e) {
    e = skip(e);
    if (!e->isGLValue()) return kAnySpace;
    if (const auto* name = dyn_cast<DeclRefExpr>(e)) return spaces_of(name->getDecl()).object;
    if (const auto* member = dyn_cast<MemberExpr>(e)) {
      const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (!field) return kAnySpace;
      if (field->getType()->isReferenceType()) return spaces_of(field).pointee;
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

  Space result_space(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || isa<CXXOperatorCallExpr>(call) ||
        !texts_.is_in_user_file(sources_, callee->getLocation()))
      return kAnySpace;
    return spaces_of(callee).pointee;
  }

  // A cast that names a space has it; one that names none says nothing here.
  Space cast_space(const ExplicitCastExpr* cast) const {
    Space space = 0;
    if (const auto* c_style = dyn_cast<CStyleCastExpr>(cast))
      space = texts_.between(sources_, c_style->getLParenLoc(), c_style->getRParenLoc());
    else if (const auto* named = dyn_cast<CXXNamedCastExpr>(cast))
      space = texts_.between(sources_, named->getAngleBrackets().getBegin(),
                             named->getAngleBrackets().getEnd());
    return space && is_single_pointer(cast->getType()) ? space : kAnySpace;
  }
  static bool is_single_pointer(QualType type) { return !type->getPointeeType()->isPointerType(); }

  ASTContext& context_;
  SourceManager& sources_;
  const UserTexts& texts_;
  unsigned error_ = 0, note_ = 0;
  llvm::DenseMap<const ValueDecl*, Spaces> spaces_;
  llvm::DenseSet<unsigned> reported_;
};

}  // namespace

void check_address_spaces(ASTContext& context, const UserTexts& texts) {
  if (!texts.known()) return;
  Checker checker(context, texts);
  SourceManager& sources = context.getSourceManager();
  for (Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (is_in_kernel_text(sources, declaration->getLocation())) checker.TraverseDecl(declaration);
}

}  // namespace sprue_clang
