// The parts of a kernel's text that Metal and C++ share.
#pragma once

#include <string>
#include <vector>

#include "program/signature.h"
#include "program/specialization.h"

namespace sprue {

// Element type of a parameter: "float16_t", "int" (shape, ndim), "atomic<float>".
std::string element_type(const Parameter& parameter);

// Whether the body sees a `const` element.
bool is_read_only(const Parameter& parameter);

// "template <typename T, int N>\n", or nothing without template arguments.
std::string template_line(const Specialization& specialization);

// "<float16_t, -3, true>", or nothing.
std::string template_argument_list(const Specialization& specialization, bool bool_words);

std::vector<Attribute> used_attributes(const Signature& signature);

}  // namespace sprue
