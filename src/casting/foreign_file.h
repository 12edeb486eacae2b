// Files that people take for castings.
#pragma once

#include <string>
#include <string_view>

namespace sprue {

// What these bytes are and what to do with them instead: "a Metal library (.metallib); ...". For
// bytes of no known kind, a sentence that says just that.
std::string describe_foreign_file(std::string_view bytes);

}  // namespace sprue
