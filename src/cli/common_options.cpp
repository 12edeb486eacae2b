#include "cli/common_options.h"

#include "program/source.h"

namespace sprue::cli {

Result<Optimization> parse_optimization(const std::string& name) {
  Optimization optimization = Optimization::standard;
  if (optimization_from_name(name, optimization)) return optimization;
  return fail(ErrorCode::invalid_argument, "opt",
              "expected an optimisation, got '{}'; known: default, fast", name);
}

Result<std::vector<const CallSpec*>> select_calls(const KernelFile& file, const std::string& name) {
  std::vector<const CallSpec*> calls;
  if (!name.empty()) {
    SPRUE_ASSIGN(const CallSpec* call, find_call(file, name));
    calls.push_back(call);
    return calls;
  }
  for (const CallSpec& call : file.calls) calls.push_back(&call);
  return calls;
}

Status check_device(const std::string& name) {
  if (name == "cpu") return {};
  return fail(ErrorCode::not_found, "device", "expected a device of this machine (cpu), got '{}'",
              name);
}

}  // namespace sprue::cli
