#include "diagnostics.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>

namespace sprue_clang {

namespace {

// The prelude poisons the words of C++ that Metal lacks.
std::string message_of(const clang::Diagnostic& info) {
  if (info.getID() == clang::diag::err_pp_used_poisoned_id && info.hasSourceManager()) {
    llvm::SmallString<32> buffer;
    const llvm::StringRef word = clang::Lexer::getSpelling(
        info.getLocation(), buffer, info.getSourceManager(), clang::LangOptions());
    return "'" + word.str() + "' is not part of Metal";
  }
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  return text.str().str();
}

}  // namespace

bool DiagnosticCollector::place(const clang::Diagnostic& info, Diagnostic& diagnostic) const {
  if (!info.hasSourceManager() || info.getLocation().isInvalid()) return false;
  const clang::SourceManager& sources = info.getSourceManager();
  // Where a macro is used, not where it is defined.
  clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
  const clang::PresumedLoc presumed = sources.getPresumedLoc(location);
  if (presumed.isInvalid() || !llvm::is_contained(user_files_, presumed.getFilename()))
    return false;
  diagnostic.file = presumed.getFilename();
  diagnostic.line = presumed.getLine();
  diagnostic.column = presumed.getColumn();
  return true;
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);  // counts errors
  Diagnostic diagnostic;
  const bool placed = place(info, diagnostic);
  diagnostic.message = message_of(info);
  if (level >= clang::DiagnosticsEngine::Error) {
    diagnostic.severity = SPRUE_CLANG_ERROR;
    out_.push_back(std::move(diagnostic));
    return;
  }
  if (level == clang::DiagnosticsEngine::Warning) {
    diagnostic.severity = SPRUE_CLANG_WARNING;
    if (placed) out_.push_back(std::move(diagnostic));
    return;
  }
  if (!placed || out_.empty()) return;
  if (out_.back().file.empty()) {  // the error stands in the prelude: this note says who led there
    out_.back().file = diagnostic.file;
    out_.back().line = diagnostic.line;
    out_.back().column = diagnostic.column;
    return;
  }
  const llvm::StringRef message = diagnostic.message;
  if (message.starts_with("in instantiation of") || message.starts_with("built-in candidate"))
    return;
  diagnostic.severity = SPRUE_CLANG_NOTE;
  out_.push_back(std::move(diagnostic));
}

}  // namespace sprue_clang
