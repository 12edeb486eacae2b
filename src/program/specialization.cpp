#include "program/specialization.h"

#include <fmt/format.h>

#include <limits>

namespace sprue {

namespace {

constexpr uint8_t kScalarBit = 0x20;
constexpr uint8_t kSmallBit = 0x40;
enum TemplateKind : uint8_t { kIntKind = 0, kBoolKind = 1, kDtypeKind = 2 };

// The value as the eight bytes of the key: an int is sign-extended.
uint64_t value_bits(const TemplateValue& value) {
  if (const int* number = std::get_if<int>(&value))
    return static_cast<uint64_t>(static_cast<int64_t>(*number));
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return static_cast<uint64_t>(std::get<Dtype>(value));
}

// Only the bits that value_bits() makes are accepted, so that one specialisation has one key.
bool value_from_bits(uint8_t kind, uint64_t bits, TemplateValue& value) {
  const auto number = static_cast<int64_t>(bits);
  switch (kind) {
    case kIntKind:
      if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
        return false;
      value = static_cast<int>(number);
      return true;
    case kBoolKind:
      if (bits > 1) return false;
      value = bits == 1;
      return true;
    case kDtypeKind:
      if (bits >= kDtypeCount) return false;
      value = static_cast<Dtype>(bits);
      return true;
    default:
      return false;
  }
}

tl::unexpected<Error> bad_key(const KernelDefinition& definition, std::string_view expected,
                              size_t offset, std::string_view got) {
  return fail(ErrorCode::corrupt, "specialization",
              "expected {} at byte {} of the key, got {}; kernel '{}'", expected, offset, got,
              definition.name);
}

}  // namespace

InputTraits input_traits(const Array& array) {
  return {array.dtype(), array.ndim() == 0, array.size() < kConstantElements};
}

void append_input(SpecializationKey& key, InputTraits traits) {
  auto byte = static_cast<uint8_t>(traits.dtype);
  if (traits.is_scalar) byte |= kScalarBit;
  if (traits.is_small) byte |= kSmallBit;
  key.push_back(byte);
}

void append_output(SpecializationKey& key, Dtype dtype) {
  key.push_back(static_cast<uint8_t>(dtype));
}

void append_template_argument(SpecializationKey& key, const TemplateArgument& argument) {
  const std::string& name = argument.name;
  key.push_back(static_cast<uint8_t>(argument.value.index()));
  key.push_back(static_cast<uint8_t>(name.size() & 0xff));
  key.push_back(static_cast<uint8_t>(name.size() >> 8 & 0xff));
  key.append(name.begin(), name.end());
  const uint64_t bits = value_bits(argument.value);
  for (int shift = 0; shift < 64; shift += 8) key.push_back(static_cast<uint8_t>(bits >> shift));
}

SpecializationKey Specialization::key() const {
  SpecializationKey key;
  for (const InputTraits& input : inputs) append_input(key, input);
  for (Dtype output : outputs) append_output(key, output);
  for (const TemplateArgument& argument : template_arguments)
    append_template_argument(key, argument);
  return key;
}

Result<Specialization> Specialization::from_key(const KernelDefinition& definition,
                                                std::span<const uint8_t> key) {
  const size_t input_count = definition.input_names.size();
  const size_t output_count = definition.output_names.size();
  if (key.size() < input_count + output_count)
    return fail(ErrorCode::corrupt, "specialization",
                "expected a key of at least {} bytes, got {}; kernel '{}'",
                input_count + output_count, key.size(), definition.name);
  Specialization specialization;
  for (size_t i = 0; i < input_count; ++i) {
    InputTraits traits;
    const uint8_t dtype = key[i] & 0x1f;
    traits.is_scalar = key[i] & kScalarBit;
    traits.is_small = key[i] & kSmallBit;
    // A 0-d array has one element, so it is always small.
    if (key[i] & 0x80 || dtype >= kDtypeCount || (traits.is_scalar && !traits.is_small))
      return bad_key(definition, "an input", i, fmt::format("0x{:02x}", key[i]));
    traits.dtype = static_cast<Dtype>(dtype);
    specialization.inputs.push_back(traits);
  }
  for (size_t i = input_count; i < input_count + output_count; ++i) {
    if (key[i] >= kDtypeCount)
      return bad_key(definition, "an output's dtype", i, fmt::format("0x{:02x}", key[i]));
    specialization.outputs.push_back(static_cast<Dtype>(key[i]));
  }
  size_t at = input_count + output_count;
  while (at < key.size()) {
    if (key.size() - at < 3) return bad_key(definition, "a template argument", at, "the end");
    const uint8_t kind = key[at];
    const size_t name_size = key[at + 1] | static_cast<size_t>(key[at + 2]) << 8;
    if (key.size() - at - 3 < name_size + 8)
      return bad_key(definition, fmt::format("{} bytes of template argument", name_size + 8),
                     at + 3, fmt::format("{}", key.size() - at - 3));
    const uint8_t* name = key.data() + at + 3;
    uint64_t bits = 0;
    for (int i = 7; i >= 0; --i) bits = bits << 8 | name[name_size + static_cast<size_t>(i)];
    TemplateArgument argument{std::string(name, name + name_size), 0};
    if (!value_from_bits(kind, bits, argument.value))
      return bad_key(definition, "a template value", at,
                     fmt::format("kind {} with bits 0x{:x}", kind, bits));
    specialization.template_arguments.push_back(std::move(argument));
    at += 3 + name_size + 8;
  }
  return specialization;
}

std::string Specialization::describe(const KernelDefinition& definition) const {
  std::string text;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool named = i < definition.input_names.size();
    text += fmt::format("{}{}: {}{}", i ? ", " : "", named ? definition.input_names[i] : "?",
                        dtype_name(inputs[i].dtype),
                        inputs[i].is_scalar  ? " (0-d)"
                        : inputs[i].is_small ? " (small)"
                                             : "");
  }
  text += inputs.empty() ? "-> " : " -> ";
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool named = i < definition.output_names.size();
    text += fmt::format("{}{}: {}", i ? ", " : "", named ? definition.output_names[i] : "?",
                        dtype_name(outputs[i]));
  }
  for (size_t i = 0; i < template_arguments.size(); ++i) {
    text += fmt::format("{}{}={}", i ? ", " : " <", template_arguments[i].name,
                        template_value_text(template_arguments[i].value));
  }
  return template_arguments.empty() ? text : text + ">";
}

std::string template_value_text(const TemplateValue& value) {
  if (const int* number = std::get_if<int>(&value)) return fmt::format("{}", *number);
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::string(dtype_name(std::get<Dtype>(value)));
}

}  // namespace sprue
