// Names that a kernel's parameters and template parameters may have.
//
//   is_identifier("A_log")      // true: a C identifier
//   is_reserved_word("half")    // true: a word of C++, of Metal, or of Sprue's own
//
// A name is refused when it is a word on any device: what runs here must also build on a Mac. Type names
// are among them, since a parameter called `uint3` would hide the type from the parameters behind it.
// Not for the identifiers inside a body: those are the compiler's business. Thread-safe, no allocation.
#pragma once

#include <string>
#include <string_view>

namespace sprue {

bool is_identifier(std::string_view name);     // [A-Za-z_][A-Za-z0-9_]*
bool is_reserved_word(std::string_view name);  // attribute words aside: see is_attribute_name
bool is_cuda_word(std::string_view name);      // a built-in variable or macro of CUDA text

// A name for a message: quoted, control bytes escaped, cut after 60 bytes.
std::string shown_name(std::string_view name);

}  // namespace sprue
