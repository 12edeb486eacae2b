// What the signatures of all dialects have in common: counts, names, and the slots of an input.
//
//   const std::vector<std::string> candidates = slot_names(definition);   // "x_shape", "x_strides", ...
//   const std::vector<bool> used = scan_names(code, candidates);
//   SPRUE_CHECK(append_slots(definition, specialization, i, used, origin, parameters));
//
// Errors: invalid_argument, under `origin` ("metal_kernel").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/signature.h"
#include "program/specialization.h"

namespace sprue {

Status check_counts(const KernelDefinition& definition, const Specialization& specialization,
                    std::string_view origin);

// Template arguments stand beside the parameters, so their names must be free.
Status check_template_names(const KernelDefinition& definition,
                            const Specialization& specialization, std::string_view origin);

// Three names an input: its shape, its strides, its ndim.
std::vector<std::string> slot_names(const KernelDefinition& definition);

// The slots of input `i` whose names are used; none for a 0-d input. `used`: one for each of slot_names.
Status append_slots(const KernelDefinition& definition, const Specialization& specialization,
                    size_t i, const std::vector<bool>& used, std::string_view origin,
                    std::vector<Parameter>& parameters);

Status check_parameter_count(const KernelDefinition& definition, const Signature& signature,
                             std::string_view origin);

}  // namespace sprue
