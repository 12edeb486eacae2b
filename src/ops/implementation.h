// Native implementations of the shipped operations, by name: an arm beside the JIT and the casting.
//
//   SPRUE_ASSIGN(NativeCall native, bind_native("quantized_matvec", {"w", "scales", "biases", "x"}, {"y"}));
//   SPRUE_CHECK(native(inputs, outputs));   // inputs and outputs in the order of the names given
//
// A kernel file that names an operation is bound by the names of its inputs and outputs, in any order.
// Thread-safe. Cost of a call beside the work: handles in the operation's order, nothing is allocated up
// to 8. Errors: not_found for a name that isn't shipped, invalid_argument for names or arrays that don't fit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sprue/kernel.h"

namespace sprue {

struct Implementation {
  std::string_view name;
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;
  // Arrays in the order of the names above; outputs are allocated by the caller, row-contiguous.
  Status (*run)(const Arrays& inputs, Arrays& outputs);
};

// Null if no operation has this name.
const Implementation* find_native(std::string_view name);

// An implementation and where its arrays stand among the caller's.
class NativeCall {
 public:
  Status operator()(const Arrays& inputs, Arrays& outputs) const;
  const Implementation& implementation() const { return *implementation_; }

 private:
  friend Result<NativeCall> bind_native(std::string_view, const std::vector<std::string>&,
                                        const std::vector<std::string>&);
  const Implementation* implementation_ = nullptr;
  std::vector<size_t> input_positions_, output_positions_;
};

Result<NativeCall> bind_native(std::string_view name, const std::vector<std::string>& input_names,
                               const std::vector<std::string>& output_names);

}  // namespace sprue
