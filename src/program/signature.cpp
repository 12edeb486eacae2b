#include "program/signature.h"

#include <array>

namespace sprue {

namespace {
constexpr std::array<AttributeTraits, kAttributeCount> kAttributes = {{
    {"dispatch_quadgroups_per_threadgroup", "uint"},
    {"dispatch_simdgroups_per_threadgroup", "uint"},
    {"dispatch_threads_per_threadgroup", "uint3"},
    {"grid_origin", "uint3"},
    {"grid_size", "uint3"},
    {"quadgroup_index_in_threadgroup", "uint"},
    {"quadgroups_per_threadgroup", "uint"},
    {"simdgroup_index_in_threadgroup", "uint"},
    {"simdgroups_per_threadgroup", "uint"},
    {"thread_execution_width", "uint"},
    {"thread_index_in_quadgroup", "uint"},
    {"thread_index_in_simdgroup", "uint"},
    {"thread_index_in_threadgroup", "uint"},
    {"thread_position_in_grid", "uint3"},
    {"thread_position_in_threadgroup", "uint3"},
    {"threadgroup_position_in_grid", "uint3"},
    {"threadgroups_per_grid", "uint3"},
    {"threads_per_grid", "uint3"},
    {"threads_per_simdgroup", "uint"},
    {"threads_per_threadgroup", "uint3"},
}};
}  // namespace

const AttributeTraits& attribute_traits(Attribute attribute) {
  return kAttributes[static_cast<size_t>(attribute)];
}

bool is_attribute_name(std::string_view name) {
  for (const AttributeTraits& attribute : kAttributes)
    if (attribute.name == name) return true;
  return false;
}

}  // namespace sprue
