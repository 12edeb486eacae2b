// The parameters of a CUDA kernel, and how CUDA text spells them: MLX's convention.
//
//   "const float* x", "const Shape x_shape", "const Strides x_strides", "const int x_ndim", "float* y"
//
// Every input is a pointer, a 0-d one too. Slots stand behind their input where the body names them and
// the input isn't 0-d. Pure and thread-safe. Errors: invalid_argument under "cuda_kernel".
#pragma once

#include <string>

#include "program/signature.h"
#include "program/specialization.h"

namespace sprue {

inline constexpr std::string_view kCudaOrigin = "cuda_kernel";

Result<Signature> make_cuda_signature(const KernelDefinition& definition,
                                      const Specialization& specialization);

std::string_view cuda_type(Dtype dtype);  // "float", "__half", "int32_t", "complex64_t", ...

// A parameter as it stands in the text, without its name: "const float*", "const Shape".
std::string cuda_parameter_type(const Parameter& parameter);

// Template arguments as the first lines of the body: "  constexpr int N = 3;\n  using T = __half;\n".
std::string cuda_template_lines(const Specialization& specialization);

}  // namespace sprue
