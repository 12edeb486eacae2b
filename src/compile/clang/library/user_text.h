// The user's own texts, before the lowering blanked the address-space words: what they say of a
// declaration. Lines and columns of the lowered text are those of the user's.
//
//   WrittenSpace space = texts.declared(begin, name);   // `const device float* p`: device
//
// An answer is certain or it is kAnySpace: a macro between the words, two different words, a place
// that doesn't hold the name. Lexes each text once. Not for what a typedef holds.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compile/clang/clang_abi.h"

namespace sprue_clang {

// Address spaces that something may be in: a set of bits.
using Space = unsigned;
inline constexpr Space kThread = 1, kDevice = 2, kConstant = 4, kThreadgroup = 8, kAnySpace = 15;
std::string space_name(Space space);  // "device", "device or constant"

// In the user's texts and headers, or in what was generated around them; not in the prelude, which counts as
// a system's header (its first line).
inline bool is_in_kernel_text(const clang::SourceManager& sources, clang::SourceLocation location) {
  return location.isValid() && !sources.isInSystemHeader(sources.getExpansionLoc(location));
}

class UserTexts {
 public:
  UserTexts(const sprue_clang_request& request, const clang::LangOptions& language);

  // False where the texts aren't known: then nothing is.
  bool known() const { return !texts_.empty(); }
  bool is_in_user_file(const clang::SourceManager& sources, clang::SourceLocation location) const;

  // The word in front of the first '*' or '&' of the declaration that starts at `begin` and declares
  // `name`, spelled `spelling`: its space; 0 where there is none.
  Space declared(const clang::SourceManager& sources, clang::SourceLocation begin,
                 clang::SourceLocation name, llvm::StringRef spelling) const;
  // The word in the type between two brackets, as of a cast; 0 where there is none.
  Space between(const clang::SourceManager& sources, clang::SourceLocation open,
                clang::SourceLocation close) const;

 private:
  struct Text {
    std::vector<std::string> tokens;
    std::map<std::pair<unsigned, unsigned>, size_t> places;  // line and column
  };
  struct Place {
    const Text* text = nullptr;
    size_t token = 0;
  };
  void add(llvm::StringRef name, llvm::StringRef bytes, const clang::LangOptions& language);
  Place find(const clang::SourceManager& sources, clang::SourceLocation location) const;
  Space words(const Text& text, size_t begin, size_t end) const;

  llvm::StringMap<Text> texts_;
  llvm::StringSet<> macros_;  // that the user defines
};

}  // namespace sprue_clang
