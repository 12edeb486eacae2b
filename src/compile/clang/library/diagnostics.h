// What the compiler said, as data: places in the user's files, no places in ours.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

#include "compile/clang/clang_abi.h"

namespace sprue_clang {

struct Diagnostic {
  int severity = SPRUE_CLANG_ERROR;
  std::string file;  // a user's file, or empty
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

// Keeps errors and warnings. A note is kept only if it points into a user's file and doesn't list an
// overload; an error inside the prelude moves to the user's line that led there.
class DiagnosticCollector : public clang::DiagnosticConsumer {
 public:
  DiagnosticCollector(std::vector<std::string> user_files, std::vector<Diagnostic>& out)
      : user_files_(std::move(user_files)), out_(out) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;

 private:
  bool place(const clang::Diagnostic& info, Diagnostic& diagnostic) const;

  std::vector<std::string> user_files_;
  std::vector<Diagnostic>& out_;
};

}  // namespace sprue_clang
