// Definitions and specialisations in one line each.
#pragma once

#include <string>
#include <vector>

#include "program/specialization.h"

namespace sprue::test {

inline KernelDefinition define(std::vector<std::string> inputs, std::vector<std::string> outputs,
                               std::string source, std::string name = "k") {
  KernelOptions options{.name = std::move(name),
                        .input_names = std::move(inputs),
                        .output_names = std::move(outputs),
                        .source = std::move(source)};
  return value_or_throw(make_definition(options, "metal_kernel"));
}

inline Specialization specialize(std::vector<InputTraits> inputs, std::vector<Dtype> outputs,
                                 std::vector<TemplateArgument> template_arguments = {}) {
  return {std::move(inputs), std::move(outputs), std::move(template_arguments)};
}

}  // namespace sprue::test
