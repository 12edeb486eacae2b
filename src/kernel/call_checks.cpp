#include "kernel/call_checks.h"

#include <cstdint>

namespace sprue {

namespace {

constexpr int64_t kLargestAxis = INT32_MAX;  // Metal counts positions in 32 bits
constexpr int64_t kLargestGrid = int64_t{1}
                                 << 40;         // threads: more than any launch ends in a lifetime
constexpr int64_t kLargestThreadgroup = 1024;   // threads
constexpr size_t kLongestTemplateName = 65535;  // bytes: the key's size field

// Axis by axis, then the product. `product` counts in 128 bits: three axes of 31 bits don't fit 64.
Status check_size(const KernelDefinition& definition, std::string_view what, const Size3& size,
                  int64_t product_limit, std::string_view origin) {
  const int64_t axes[3] = {size.x, size.y, size.z};
  unsigned __int128 product = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (axes[axis] < 1 || axes[axis] > kLargestAxis)
      return fail(
          ErrorCode::invalid_argument, origin,
          "expected 1 to {} threads on each axis of the {} of kernel '{}', got ({}, {}, {})",
          kLargestAxis, what, definition.name, size.x, size.y, size.z);
    product *= static_cast<uint64_t>(axes[axis]);
  }
  if (product > static_cast<uint64_t>(product_limit))
    return fail(ErrorCode::invalid_argument, origin,
                "expected at most {} threads in the {} of kernel '{}', got ({}, {}, {})",
                product_limit, what, definition.name, size.x, size.y, size.z);
  return {};
}

Status check_count(const KernelDefinition& definition, std::string_view what, size_t expected,
                   size_t got, std::string_view origin) {
  if (expected == got) return {};
  return fail(ErrorCode::invalid_argument, origin,
              "expected `{}` of kernel '{}' to have size {}, got {}", what, definition.name,
              expected, got);
}

// The bytes between an array's lowest and highest element.
struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

Range byte_range(const Array& array) {
  if (array.size() == 0 || array.is_host_scalar()) return {};
  int64_t lowest = 0, highest = 0;
  for (int i = 0; i < array.ndim(); ++i) {
    const auto axis = static_cast<size_t>(i);
    const int64_t reach = (array.shape()[axis] - 1) * array.strides()[axis];
    (reach < 0 ? lowest : highest) += reach;
  }
  const auto element = static_cast<int64_t>(dtype_size(array.dtype()));
  const auto first = reinterpret_cast<uintptr_t>(array.address());
  return {first + static_cast<uintptr_t>(lowest * element),
          first + static_cast<uintptr_t>((highest + 1) * element)};
}

bool overlap(const Range& a, const Range& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

Status check_call(const KernelDefinition& definition, const KernelCall& call, const Device& device,
                  std::string_view origin) {
  SPRUE_CHECK(
      check_count(definition, "inputs", definition.input_names.size(), call.inputs.size(), origin));
  SPRUE_CHECK(check_count(definition, "output_shapes", definition.output_names.size(),
                          call.output_shapes.size(), origin));
  SPRUE_CHECK(check_count(definition, "output_dtypes", definition.output_names.size(),
                          call.output_dtypes.size(), origin));
  SPRUE_CHECK(check_size(definition, "grid", call.grid, kLargestGrid, origin));
  SPRUE_CHECK(check_size(definition, "threadgroup", call.threadgroup, kLargestThreadgroup, origin));
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (!(call.inputs[i].device() == device.id()))
      return fail(
          ErrorCode::invalid_argument, origin,
          "expected input '{}' of kernel '{}' on the device of the call, got it on another; copy "
          "it there first",
          definition.input_names[i], definition.name);
  for (size_t i = 0; i < call.output_shapes.size(); ++i)
    for (int64_t extent : call.output_shapes[i])
      if (extent < 0)
        return fail(ErrorCode::invalid_argument, origin,
                    "expected extents >= 0 for output '{}' of kernel '{}', got shape {}",
                    definition.output_names[i], definition.name, to_string(call.output_shapes[i]));
  for (const TemplateArgument& argument : call.template_arguments)
    if (argument.name.size() > kLongestTemplateName)
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a template name of at most {} bytes for kernel '{}', got {} bytes",
                  kLongestTemplateName, definition.name, argument.name.size());
  return {};
}

Status check_cuda_ndim(const KernelDefinition& definition, const Signature& signature,
                       const KernelCall& call, std::string_view origin) {
  constexpr int kMostDimensions = 10;  // of MLX's Shape and Strides
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.kind != ParameterKind::shape && parameter.kind != ParameterKind::strides)
      continue;
    const int ndim = call.inputs[parameter.index].ndim();
    if (ndim > kMostDimensions)
      return fail(ErrorCode::invalid_argument, origin,
                  "expected at most {} dimensions of '{}', whose '{}' kernel '{}' uses, got {}",
                  kMostDimensions, definition.input_names[parameter.index], parameter.name,
                  definition.name, ndim);
  }
  return {};
}

Status check_mutable_inputs(const KernelDefinition& definition, const KernelCall& call,
                            std::string_view origin) {
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!definition.is_mutable(i)) continue;
    const Array& array = call.inputs[i];
    auto refuse = [&](std::string_view expected, std::string_view got) {
      return fail(ErrorCode::invalid_argument, origin,
                  "expected mutable input '{}' of kernel '{}' to {}, got {}",
                  definition.input_names[i], definition.name, expected, got);
    };
    if (array.is_host_scalar())
      return refuse("have memory", "a host scalar; use a 0-d or 1-element array");
    if (!array.is_writable()) return refuse("be writable", "read-only memory");
    if (!array.is_row_contiguous())
      return refuse("be row-contiguous", "a strided or broadcast array; write through its base");
    const Range range = byte_range(array);
    for (size_t other = 0; other < call.inputs.size(); ++other)
      if (other != i && overlap(range, byte_range(call.inputs[other])))
        return refuse("share no memory with another argument",
                      fmt::format("an overlap with input '{}'", definition.input_names[other]));
  }
  return {};
}

}  // namespace sprue
