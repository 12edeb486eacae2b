#include "language_rules.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/DenseSet.h>

#include "user_text.h"

using namespace clang;

namespace sprue_clang {

namespace {

class Checker : public RecursiveASTVisitor<Checker> {
 public:
  explicit Checker(ASTContext& context)
      : context_(context),
        absent_(context.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error,
                                                         "%0 not part of Metal%1")),
        recursion_(context.getDiagnostics().getCustomDiagID(
            DiagnosticsEngine::Error,
            "'%0' calls itself%select{ through '%2'|}1; Metal has no recursion")) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCXXNewExpr(CXXNewExpr* e) { return absent(e->getBeginLoc(), "'new' is"); }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* e) { return absent(e->getBeginLoc(), "'delete' is"); }

  bool VisitDeclaratorDecl(DeclaratorDecl* declaration) {
    // A function as a template's argument is known when the template is.
    if (isa<FunctionDecl>(declaration) || isa<NonTypeTemplateParmDecl>(declaration)) return true;
    if (is_function_pointer(declaration))
      absent(declaration->getLocation(), "function pointers are",
             ", as '" + declaration->getNameAsString() + "' is");
    const auto* variable = dyn_cast<VarDecl>(declaration);
    if (!variable || !variable->hasGlobalStorage() || variable->hasAttr<SectionAttr>() ||
        variable->getTSCSpec() != TSCS_unspecified)
      return true;
    if (context_.getBaseElementType(variable->getType().getNonReferenceType()).isConstQualified() ||
        variable->getType()->isDependentType())
      return true;
    return absent(variable->getLocation(),
                  variable->isStaticLocal() ? "static variables that change are"
                                            : "global variables that change are",
                  ", as '" + declaration->getNameAsString() + "' does");
  }

  // Depth first from the functions of the generated text.
  void find_recursion(const FunctionDecl* function) {
    if (!(function = function->getDefinition()) || function->isDependentContext()) return;
    if (!done_.insert(function).second) return;
    path_.push_back(function);
    find_calls(function->getBody());
    path_.pop_back();
  }

 private:
  bool absent(SourceLocation location, const char* what, const std::string& which = "") {
    if (reported_.insert(location.getRawEncoding()).second)
      context_.getDiagnostics().Report(location, absent_) << what << which;
    return true;
  }

  // Not what a template parameter became: `apply(square, x)` has no pointer that one can see.
  bool is_function_pointer(const DeclaratorDecl* declaration) const {
    const QualType type = context_.getBaseElementType(declaration->getType());
    if (!type->isFunctionPointerType() && !type->isMemberFunctionPointerType()) return false;
    const TypeSourceInfo* info = declaration->getTypeSourceInfo();
    if (!info) return false;
    TypeLoc location = info->getTypeLoc();
    while (const auto array = location.getAsAdjusted<ArrayTypeLoc>())
      location = array.getElementLoc();
    return !location.getUnqualifiedLoc().getAs<SubstTemplateTypeParmTypeLoc>();
  }

  void find_calls(const Stmt* statement) {
    if (!statement) return;
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(statement))
      return;  // what is never evaluated
    const FunctionDecl* callee = nullptr;
    if (const auto* call = dyn_cast<CallExpr>(statement)) callee = call->getDirectCallee();
    if (callee && is_in_kernel_text(context_.getSourceManager(), callee->getLocation()))
      follow(callee->getDefinition(), statement->getBeginLoc());
    for (const Stmt* child : statement->children()) find_calls(child);
  }

  void follow(const FunctionDecl* callee, SourceLocation call) {
    if (!callee) return;
    const auto* open = std::find(path_.begin(), path_.end(), callee);
    if (open == path_.end()) return find_recursion(callee);
    // Evaluated by the compiler, it may be none in the end: what is left of it is found later.
    if (callee->isConstexpr() || !reported_.insert(call.getRawEncoding()).second) return;
    const FunctionDecl* last = path_.back();
    context_.getDiagnostics().Report(call, recursion_)
        << callee->getNameAsString() << (last == callee) << last->getNameAsString();
  }

  ASTContext& context_;
  unsigned absent_, recursion_;
  llvm::DenseSet<unsigned> reported_;
  llvm::DenseSet<const FunctionDecl*> done_;
  llvm::SmallVector<const FunctionDecl*, 16> path_;
};

}  // namespace

void check_language_rules(ASTContext& context) {
  Checker checker(context);
  for (Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    if (!is_in_kernel_text(context.getSourceManager(), declaration->getLocation())) continue;
    checker.TraverseDecl(declaration);
    const auto* extern_c = dyn_cast<LinkageSpecDecl>(declaration);
    if (!extern_c) continue;
    for (const Decl* entry : extern_c->decls())
      if (const auto* function = dyn_cast<FunctionDecl>(entry)) checker.find_recursion(function);
  }
}

}  // namespace sprue_clang
