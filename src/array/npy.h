// NPY files: one array, as NumPy's `save` writes it.
//
//   SPRUE_ASSIGN(Array w, read_npy("w.npy"));
//   SPRUE_CHECK(write_npy("y.npy", y));
//
// Read: versions 1, 2 and 3; little-endian numbers, bool, and bfloat16 (which NumPy knows only as
// two raw bytes). A Fortran-order file gives the transposed view of its memory: a strided array.
// Bools other than 0 become 1. Written: version 1, C order; a strided array is packed first. Not
// for: .npz archives, structured types, strings, objects (pickles are never read).
//
// Errors: what doesn't fit (header, type, sizes against the bytes that are there, bytes that are
// left over) is `corrupt`, a type that Sprue hasn't got is `invalid_argument`; nothing is allocated
// before the sizes are known to be true. Cost: one copy of the data into fresh, writable, aligned
// memory.
//
//   <file>   ::= "\x93NUMPY" major(1) minor(1) size(2; 4 from version 2 on) <header> data
//   <header> ::= a Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), },
//                padded by blanks and ended by a line feed
//
// The format is described in NumPy's documentation, "numpy.lib.format".
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sprue/array.h"

namespace sprue {

// `name` is the file's name in errors.
Result<Array> read_npy_bytes(std::string_view bytes, const std::string& name);
Result<Array> read_npy(const std::string& path);

std::string npy_bytes(const Array& array);
Status write_npy(const std::string& path, const Array& array);

}  // namespace sprue
