// From a definition and a specialisation to complete text for one target.
//
//   SPRUE_ASSIGN(auto source, generate_cpu(definition, specialization));
//   source.text, source.entry_name, source.signature, source.digest
//
// Pure functions: the same definition and specialisation give the same bytes, in any process and
// locale. The user's texts stand under #line directives of their own, so diagnostics show the
// user's files and lines. Thread-safe. Linear in the size of the texts.
//
// Errors: invalid_argument for a specialisation that Metal can't express (float64, more than 31
// parameters, template names that aren't free, atomics of another dtype); compile_failed for text
// with unbalanced brackets or misplaced address-space words.
#pragma once

#include "program/source.h"
#include "program/specialization.h"
#include "program/target.h"

namespace sprue {

// Parameters in slot order: for each input its data, then shape, strides and ndim as far as the
// body uses them (never for a 0-d input); then the outputs.
Result<Signature> make_signature(const KernelDefinition& definition,
                                 const Specialization& specialization);

// The text that MLX gives to Metal's compiler, without MLX's own preamble.
Result<GeneratedSource> generate_metal(const KernelDefinition& definition,
                                       const Specialization& specialization);

// One C++ translation unit for the CPU, on top of the prelude metal_cpu.h. It defines
//   sprue_run_groups(const SprueLaunch*, SprueWorker*)    all threads of a range of threadgroups
//   sprue_run_thread(const SprueLaunch*, SprueThread*)    one thread, which may wait
// and the compiler library keeps the one that the kernel needs.
Result<GeneratedSource> generate_cpu(const KernelDefinition& definition,
                                     const Specialization& specialization);

// One C++ translation unit for NVRTC, on top of the prelude metal_cuda.h. It defines one kernel, named
// source.entry_name, with the parameters of program/cuda_abi.h.
Result<GeneratedSource> generate_cuda(const KernelDefinition& definition,
                                      const Specialization& specialization);

// The text that a compiler makes a binary of.
Result<GeneratedSource> generate_for(TargetKind target, const KernelDefinition& definition,
                                     const Specialization& specialization);

}  // namespace sprue
