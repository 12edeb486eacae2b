#include "address_spaces.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/DenseSet.h>

#include "pointer_spaces.h"

using namespace clang;

namespace sprue_clang {

namespace {

// The parameter of a prelude function that writes through it to the thread's own memory.
bool is_thread_parameter(StringRef function, unsigned index) {
  return index == 1 && (function == "sincos" || function == "modf" || function == "frexp" ||
                        function == "atomic_compare_exchange_weak_explicit");
}

class Checker : public RecursiveASTVisitor<Checker> {
 public:
  Checker(ASTContext& context, const UserTexts& texts)
      : context_(context),
        sources_(context.getSourceManager()),
        texts_(texts),
        spaces_(context, texts) {
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
    if (assignment->getOpcode() != BO_Assign || !is_data_pointer(assignment->getType()))
      return true;
    const ValueDecl* target = nullptr;
    if (auto* name = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens()))
      target = name->getDecl();
    if (auto* member = dyn_cast<MemberExpr>(assignment->getLHS()->IgnoreParens()))
      target = member->getMemberDecl();
    compare(spaces_.pointee_of_lvalue(assignment->getLHS()), spaces_.pointee(assignment->getRHS()),
            false, assignment->getRHS(), target, target ? describe(target, "") : "the assignment");
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
        !(is_data_pointer(type) || type->isLValueReferenceType()))
      return true;
    const Spaces spaces = spaces_.of(function);
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
    const Spaces spaces = spaces_.of(target);
    if (spaces.pointee == kAnySpace) return;
    const QualType type = target->getType();
    if (type->isLValueReferenceType()) {
      // A constant reference may bind to a copy.
      if (!type.getNonReferenceType().isConstQualified() && init->isGLValue())
        compare(spaces.pointee, spaces_.object(init), true, init, target, what, spaces.has_word);
    } else if (is_data_pointer(type)) {
      compare(spaces.pointee, spaces_.pointee(init), false, init, target, what, spaces.has_word);
    } else if (type->isArrayType()) {
      if (const auto* list = dyn_cast<InitListExpr>(init->IgnoreImplicit()))
        for (const Expr* element : list->inits())
          if (is_data_pointer(element->getType()))
            compare(spaces.pointee, spaces_.pointee(element), false, element, target, what,
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
    compare(kThread, is_object ? spaces_.object(value) : spaces_.pointee(value), is_object, value,
            nullptr, "parameter " + describe(parameter, owner));
  }

  void returns(const FunctionDecl* function, const Spaces& spaces, const Stmt* statement) {
    if (!statement || isa<LambdaExpr>(statement)) return;
    if (auto* result = dyn_cast<ReturnStmt>(statement)) {
      if (const Expr* value = result->getRetValue()) {
        const bool is_object = function->getReturnType()->isReferenceType();
        const bool is_constant =
            is_object && function->getReturnType().getNonReferenceType().isConstQualified();
        if (!is_constant)
          compare(spaces.pointee, is_object ? spaces_.object(value) : spaces_.pointee(value),
                  is_object, value, function, "the result of " + describe(function, ""),
                  spaces.has_word);
      }
      return;
    }
    for (const Stmt* child : statement->children()) returns(function, spaces, child);
  }

  ASTContext& context_;
  SourceManager& sources_;
  const UserTexts& texts_;
  unsigned error_ = 0, note_ = 0;
  PointerSpaces spaces_;
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
