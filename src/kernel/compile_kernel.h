// From a generated text to a binary, by the compiler of its target.
//
//   SPRUE_ASSIGN(auto source, generate_for(target.kind, definition, specialization));
//   SPRUE_ASSIGN(auto binary, compile_kernel(definition, specialization, source, target, optimization));
//
// A Metal body for another device than the CPU is checked against Metal's rules first, where clang's library
// is there to do it: someone with a GPU of NVIDIA's must not break the Mac's build. Errors: the compiler's.
// Thread-safe.
#pragma once

#include "program/binary.h"
#include "program/source.h"
#include "program/specialization.h"

namespace sprue {

// The request that compiles this text for a target.
CompileRequest make_compile_request(const KernelDefinition& definition,
                                    const GeneratedSource& source, const Target& target,
                                    Optimization optimization);

// Refuses what Metal refuses. Success where there is no library to tell.
Status check_metal_rules(const KernelDefinition& definition, const Specialization& specialization);

Result<Binary> compile_kernel(const KernelDefinition& definition,
                              const Specialization& specialization, const GeneratedSource& source,
                              const Target& target, Optimization optimization);

}  // namespace sprue
