// A CUDA kernel's texts: C++ for the CPU, and the text that MLX gives to NVRTC.
//
//   SPRUE_ASSIGN(const GeneratedSource source, generate_cuda_cpu(definition, specialization));
//
// The first is one translation unit on top of the prelude cuda_cpu.h, with the two entry functions of
// generator.h. The second is for people (KernelCall::verbose) and other tools: it names MLX's own headers.
// Pure, thread-safe, linear. Errors: cuda_signature.h's and cuda_lowering.h's.
#pragma once

#include "program/source.h"
#include "program/specialization.h"

namespace sprue {

Result<GeneratedSource> generate_cuda_cpu(const KernelDefinition& definition,
                                          const Specialization& specialization);

Result<GeneratedSource> generate_mlx_cuda(const KernelDefinition& definition,
                                          const Specialization& specialization);

}  // namespace sprue
