// How Metal spells the types and template values of a specialisation.
#pragma once

#include <string>
#include <string_view>

#include "program/specialization.h"

namespace sprue {

std::string_view metal_type(Dtype dtype);  // "float", "float16_t", "int32_t", "bool", ...

// "typename", "int" or "bool": what a template parameter of this value is declared as.
std::string_view template_parameter_type(const TemplateValue& value);

// A value in an entry name: "-3", "1", "float16_t".
std::string template_label(const TemplateValue& value);

// A value as a template argument in C++: like the label, but bools are words where `bool_words` is
// set, and the smallest int, which has no literal of its own, is an expression.
std::string template_expression(const TemplateValue& value, bool bool_words);

// Whether an input stands in Metal's constant address space: few elements, and never written.
bool is_constant_input(const KernelDefinition& definition, const Specialization& specialization,
                       size_t input);

}  // namespace sprue
