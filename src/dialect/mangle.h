// Entry names: MLX's label for one specialisation of a kernel, as a valid identifier.
//
//   custom_kernel_<name>[__<value>...][_<dtype>[s|c] per input][_<dtype> per output]
//   "exp" of float32 with 8 elements or more, T = float16
//     -> custom_kernel_exp__float16_t_float_float
//
// A CUDA kernel's holds its template values alone, a bool as t or f: custom_kernel_exp_3_t_float16_t.
// `s` marks a 0-d input and `c` one in constant space. A template bool is 1 or 0. A label, not a
// key: template names aren't in it, nor is the body.
#pragma once

#include <string>
#include <string_view>

#include "program/specialization.h"

namespace sprue {

std::string entry_name(const KernelDefinition& definition, const Specialization& specialization);

// Any text as [A-Za-z0-9_]*, so that different texts stay different: every other byte becomes _xHH
// (lower-case hexadecimal), and an underscore that stands before `x` and two such digits becomes
// _x5f.
std::string mangle(std::string_view text);

}  // namespace sprue
