// Which parts of the CUDA prelude a kernel needs: a compile pays for what is declared.
//
//   const Code* const texts[] = {&header, &body};
//   cuda_parts(texts, specialization)   // "#define SPRUE_WITH_HALF\n...", to stand before the prelude
//
// Decided by names and dtypes: whatever may be used is there. Where a text joins tokens, all is.
// Deterministic; linear in the texts' sizes.
#pragma once

#include <span>
#include <string>

#include "dialect/code.h"
#include "program/specialization.h"

namespace sprue {

std::string cuda_parts(std::span<const Code* const> texts, const Specialization& specialization);

}  // namespace sprue
