// The user's own headers: what `#include "x.h"` in a kernel's texts brings along.
//
//   SPRUE_ASSIGN(auto included, read_includes({body, header}, {"kernels/include"}, "metal_kernel"));
//   included[0].name      // "quant/unpack.h", as the #include spells it
//
// Files are read once, when the kernel is defined: they are part of what the kernel is, so that a change of
// one makes another kernel. A name is looked for in the folder of the header that includes it, then in the
// include folders, in order; it may not lead out of the folder where it was found, and absolute names are
// never followed. What is found nowhere is left to the compiler, which knows whether the line counts (it may
// stand in a comment or behind an `#if 0`). Names of Metal's library are left alone.
//
// Thread-safe. Errors: invalid_argument for a folder that isn't there, for one spelling that means two
// files, and beyond 256 files or 16 MiB.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sprue {

struct IncludedText {
  std::string name;  // as #include spells it
  std::string file;  // where it was read, for diagnostics
  std::string text;
  bool operator==(const IncludedText&) const = default;
};

// Of the texts and of what they include, each file once, in the order of first mention.
Result<std::vector<IncludedText>> read_includes(const std::vector<std::string_view>& texts,
                                                const std::vector<std::string>& folders,
                                                std::string_view origin);

}  // namespace sprue
