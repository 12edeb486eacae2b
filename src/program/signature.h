// The parameters of a generated kernel, in slot order: what a launch must pack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sprue/dtype.h"

namespace sprue {

enum class ParameterKind : uint8_t {
  input,    // data pointer, or a reference if the input is 0-d
  shape,    // int32[ndim]
  strides,  // int64[ndim], in elements
  ndim,     // int32
  output,   // data pointer
};

struct Parameter {
  ParameterKind kind = ParameterKind::input;
  std::string name;              // as it stands in the text: "x", "x_shape", ...
  uint32_t index = 0;            // of the input or output that it belongs to
  Dtype dtype = Dtype::float32;  // element type (int32, int64, int32 for the three slots)
  bool is_scalar = false;        // bound as a reference to one value
  bool is_constant = false;      // Metal's constant address space; else device
  bool is_mutable = false;       // an input that the body may write
  bool is_atomic = false;        // an output declared as device atomic<T>*

  bool operator==(const Parameter&) const = default;
};

// The thread attributes that a Metal body may name, in alphabetical order as MLX emits them.
enum class Attribute : uint8_t {
  dispatch_quadgroups_per_threadgroup,
  dispatch_simdgroups_per_threadgroup,
  dispatch_threads_per_threadgroup,
  grid_origin,
  grid_size,
  quadgroup_index_in_threadgroup,
  quadgroups_per_threadgroup,
  simdgroup_index_in_threadgroup,
  simdgroups_per_threadgroup,
  thread_execution_width,
  thread_index_in_quadgroup,
  thread_index_in_simdgroup,
  thread_index_in_threadgroup,
  thread_position_in_grid,
  thread_position_in_threadgroup,
  threadgroup_position_in_grid,
  threadgroups_per_grid,
  threads_per_grid,
  threads_per_simdgroup,
  threads_per_threadgroup,
};
inline constexpr int kAttributeCount = 20;

struct AttributeTraits {
  std::string_view name;
  std::string_view type;  // "uint" or "uint3"
};
const AttributeTraits& attribute_traits(Attribute attribute);
bool is_attribute_name(std::string_view name);

struct Signature {
  std::vector<Parameter> parameters;
  uint32_t attributes = 0;  // bit i: Attribute(i) is used

  bool operator==(const Signature&) const = default;
  bool uses(Attribute attribute) const { return attributes >> static_cast<int>(attribute) & 1u; }
};

}  // namespace sprue
