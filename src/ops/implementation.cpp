#include "ops/implementation.h"

#include <algorithm>

#include "ops/quantized_matvec/quantized_matvec.h"

namespace sprue {
namespace {

Status run_quantized_matvec(const Arrays& inputs, Arrays& outputs) {
  SPRUE_ASSIGN(
      const QuantizedMatrix matrix,
      make_quantized_matrix(inputs[0], inputs[1], inputs[2], inputs[3].size(), "quantized_matvec"));
  return quantized_matvec_into(matrix, inputs[3], outputs[0]);
}

std::span<const Implementation> implementations() {
  static const std::vector<Implementation> table = {
      {"quantized_matvec", {"w", "scales", "biases", "x"}, {"y"}, run_quantized_matvec},
  };
  return table;
}

// For each of `wanted`, its position in `given`; both must hold the same names.
Result<std::vector<size_t>> match(const std::vector<std::string>& wanted,
                                  const std::vector<std::string>& given, std::string_view origin,
                                  std::string_view what) {
  std::vector<size_t> positions;
  for (const std::string& name : wanted) {
    const auto found = std::find(given.begin(), given.end(), name);
    if (found != given.end()) positions.push_back(static_cast<size_t>(found - given.begin()));
  }
  if (positions.size() != wanted.size() || given.size() != wanted.size()) {
    return fail(ErrorCode::invalid_argument, origin, "expected {} named {}, got {}", what,
                fmt::join(wanted, ", "),
                given.empty() ? "none" : fmt::format("{}", fmt::join(given, ", ")));
  }
  return positions;
}

}  // namespace

const Implementation* find_native(std::string_view name) {
  for (const Implementation& one : implementations()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

Result<NativeCall> bind_native(std::string_view name, const std::vector<std::string>& input_names,
                               const std::vector<std::string>& output_names) {
  NativeCall call;
  call.implementation_ = find_native(name);
  if (!call.implementation_) {
    std::vector<std::string_view> shipped;
    for (const Implementation& one : implementations()) shipped.push_back(one.name);
    return fail(ErrorCode::not_found, "native", "expected a shipped operation ({}), got {}",
                fmt::join(shipped, ", "), name);
  }
  SPRUE_ASSIGN(call.input_positions_,
               match(call.implementation_->input_names, input_names, name, "inputs"));
  SPRUE_ASSIGN(call.output_positions_,
               match(call.implementation_->output_names, output_names, name, "outputs"));
  return call;
}

Status NativeCall::operator()(const Arrays& inputs, Arrays& outputs) const {
  if (inputs.size() != input_positions_.size() || outputs.size() != output_positions_.size()) {
    return fail(ErrorCode::invalid_argument, implementation_->name,
                "expected {} inputs and {} outputs, got {} and {}", input_positions_.size(),
                output_positions_.size(), inputs.size(), outputs.size());
  }
  Arrays ordered_inputs, ordered_outputs;
  for (const size_t position : input_positions_) ordered_inputs.push_back(inputs[position]);
  for (const size_t position : output_positions_) ordered_outputs.push_back(outputs[position]);
  return implementation_->run(ordered_inputs, ordered_outputs);
}

}  // namespace sprue
