// CUDA text for the CPU's compiler, in place: all bytes but those of a few words stay where they were, so
// lines and columns of diagnostics are the user's.
//
//   extern __shared__ float tile[];      extern SPRUE_DYN  float tile[];     (its storage: the launch's own)
//   __shared__ alignas(16) int x[4];     __shared__ SPRUE_A(16) int x[4];
//
// What macros can do is the prelude's (cuda_cpu.h): plain __shared__, __device__, __launch_bounds__.
// Refused here, at the user's place: unbalanced text, inline PTX, a __shared__ variable with an
// initialiser, an extern one in a kernel without dynamic shared memory. Linear in the text's size.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "dialect/code.h"

namespace sprue {

struct LoweredCuda {
  std::string text;  // as long as the source, line by line
  bool has_shared_memory = false;
};

// `shared_memory`: bytes of KernelOptions.
tl::expected<LoweredCuda, SourceError> lower_cuda(const Code& code, std::string_view source,
                                                  int shared_memory);

}  // namespace sprue
