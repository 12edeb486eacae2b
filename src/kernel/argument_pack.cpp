#include "kernel/argument_pack.h"

#include <cstring>

namespace sprue {

Status ArgumentPack::fill(const Signature& signature, std::span<const Array> inputs,
                          std::span<const Array> outputs, std::string_view kernel_name,
                          std::string_view origin) {
  // Reserved first: slots point into extents_, which must not move.
  size_t extents = 0;
  for (const Parameter& parameter : signature.parameters)
    if (parameter.kind == ParameterKind::shape) extents += inputs[parameter.index].shape().size();
  extents_.clear();
  extents_.reserve(extents);

  count_ = 0;
  for (const Parameter& parameter : signature.parameters) {
    Argument& argument = arguments_[count_++];
    argument = {};
    if (parameter.kind == ParameterKind::output) {
      argument.address = outputs[parameter.index].address();
      continue;
    }
    const Array& input = inputs[parameter.index];
    switch (parameter.kind) {
      case ParameterKind::input:
        if (input.is_host_scalar())
          std::memcpy(&argument.value, input.address(), dtype_size(input.dtype()));
        else
          argument.address = input.address();
        break;
      case ParameterKind::shape:
        argument.address = extents_.end();
        argument.value = static_cast<uint64_t>(input.ndim());
        for (int64_t extent : input.shape()) {
          if (extent > INT32_MAX)
            return fail(ErrorCode::invalid_argument, origin,
                        "expected extents that fit 32 bits for '{}' of kernel '{}', got shape {}",
                        parameter.name, kernel_name, to_string(input.shape()));
          extents_.push_back(static_cast<int32_t>(extent));
        }
        break;
      case ParameterKind::strides:
        argument.address = input.strides().data();
        argument.value = static_cast<uint64_t>(input.ndim());
        break;
      case ParameterKind::ndim:
        argument.value = static_cast<uint64_t>(input.ndim());
        break;
      case ParameterKind::output:
        break;
    }
  }
  return {};
}

}  // namespace sprue
