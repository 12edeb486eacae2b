// What one generated text depends on beyond its definition, and the key that identifies it.
//
// The key is a flat run of bytes, filled without allocation for ordinary kernels:
//   <key>      ::= <input>* <output>* <template>*
//   <input>    ::= dtype | 0x20 if 0-d | 0x40 if fewer than 8 elements
//   <output>   ::= dtype
//   <template> ::= kind(1) name_size(2) name value(8)      kind: 0 int, 1 bool, 2 dtype
// Counts of inputs and outputs are the definition's, so the bytes need no separators. Which inputs are
// mutable is the definition's too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "program/definition.h"

namespace sprue {

using SpecializationKey = SmallVector<uint8_t, 256>;

// Metal's rule for `constant` against `device`: inputs of fewer elements stand in constant space.
inline constexpr int64_t kConstantElements = 8;

struct InputTraits {
  Dtype dtype = Dtype::float32;
  bool is_scalar = false;  // 0-d: bound as a reference
  bool is_small = false;   // fewer than kConstantElements elements (0-d and empty included)
  bool operator==(const InputTraits&) const = default;
};

struct Specialization {
  std::vector<InputTraits> inputs;
  std::vector<Dtype> outputs;
  std::vector<TemplateArgument> template_arguments;

  SpecializationKey key() const;
  // The inverse of key(); an error if the bytes aren't a key of this definition.
  static Result<Specialization> from_key(const KernelDefinition& definition,
                                         std::span<const uint8_t> key);
  // For people: "x: float16, w: float32 (0-d) -> y: float16 <T=float16, N=128>".
  std::string describe(const KernelDefinition& definition) const;
};

InputTraits input_traits(const Array& array);
// Appends one part of a key. A template name is at most 65,535 bytes (checked by the call path).
void append_input(SpecializationKey& key, InputTraits traits);
void append_output(SpecializationKey& key, Dtype dtype);
void append_template_argument(SpecializationKey& key, const TemplateArgument& argument);

// "-3", "true", "float16".
std::string template_value_text(const TemplateValue& value);

}  // namespace sprue
