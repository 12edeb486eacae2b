// Values of options that several subcommands share.
#pragma once

#include <string>

#include "kernel_file/kernel_file.h"

namespace sprue::cli {

// "default" or "fast", as --opt takes it.
Result<Optimization> parse_optimization(const std::string& name);

// --call: the one of that name, or all if the name is empty.
Result<std::vector<const CallSpec*>> select_calls(const KernelFile& file, const std::string& name);

// --device: "cpu" is the only one there is.
Status check_device(const std::string& name);

}  // namespace sprue::cli
