#include "casting/record.h"

#include <algorithm>

#include "casting/byte_stream.h"
#include "casting/format.h"
#include "device/launch.h"

namespace sprue {

using namespace casting_format;

namespace {

constexpr size_t kSmallestParameter = 11;  // bytes of one without a name

std::string_view key_bytes(const CastingRecord& record) {
  return {reinterpret_cast<const char*>(record.key.data()), record.key.size()};
}

void write_signature(ByteWriter& writer, const Signature& signature) {
  writer.integer(signature.attributes);
  writer.integer(static_cast<uint32_t>(signature.parameters.size()));
  for (const Parameter& parameter : signature.parameters) {
    writer.integer(static_cast<uint8_t>(parameter.kind));
    writer.integer(static_cast<uint8_t>(parameter.dtype));
    writer.integer(static_cast<uint8_t>(
        (parameter.is_scalar ? kScalar : 0) | (parameter.is_constant ? kConstant : 0) |
        (parameter.is_mutable ? kMutable : 0) | (parameter.is_atomic ? kAtomic : 0)));
    writer.integer(parameter.index);
    writer.text(parameter.name);
  }
}

Signature read_signature(ByteReader& reader) {
  Signature signature;
  signature.attributes = reader.integer<uint32_t>();
  signature.parameters.resize(reader.count(kSmallestParameter));
  for (Parameter& parameter : signature.parameters) {
    parameter.kind = reader.enumeration(ParameterKind::output);
    parameter.dtype = reader.enumeration(static_cast<Dtype>(kDtypeCount - 1));
    const uint8_t flags = reader.flags(kScalar | kConstant | kMutable | kAtomic);
    parameter.is_scalar = flags & kScalar;
    parameter.is_constant = flags & kConstant;
    parameter.is_mutable = flags & kMutable;
    parameter.is_atomic = flags & kAtomic;
    parameter.index = reader.integer<uint32_t>();
    parameter.name = reader.text();
  }
  return signature;
}

}  // namespace

std::weak_ordering compare_identity(const CastingRecord& a, const CastingRecord& b) {
  if (a.kernel_name != b.kernel_name) return a.kernel_name <=> b.kernel_name;
  if (a.definition_digest != b.definition_digest)
    return a.definition_digest <=> b.definition_digest;
  if (key_bytes(a) != key_bytes(b)) return key_bytes(a) <=> key_bytes(b);
  if (a.target != b.target) return a.target <=> b.target;
  return a.options_digest <=> b.options_digest;
}

Status check_record(const CastingRecord& record) {
  auto wrong = [&](std::string_view expected, std::string_view got) {
    return fail(ErrorCode::corrupt, "casting", "expected {} for kernel '{}', got {}", expected,
                record.kernel_name, got);
  };
  if (record.kernel_name.empty()) return wrong("a name", "none");
  if (record.output_names.empty()) return wrong("at least one output", "none");
  for (const auto& name : record.mutable_inputs)
    if (std::find(record.input_names.begin(), record.input_names.end(), name) ==
        record.input_names.end())
      return wrong("mutable inputs that are inputs", fmt::format("'{}'", name));
  if (record.options_digest != casting_options_digest(record.options))
    return wrong("the digest of its options", record.options_digest.hex());
  if (record.signature.attributes >> kAttributeCount)
    return wrong("known thread attributes", fmt::format("{:#x}", record.signature.attributes));
  const auto& parameters = record.signature.parameters;
  if (parameters.size() > static_cast<size_t>(kMaximumParameters))
    return wrong(fmt::format("at most {} parameters", kMaximumParameters),
                 fmt::format("{}", parameters.size()));
  for (const Parameter& parameter : parameters) {
    const auto& names =
        parameter.kind == ParameterKind::output ? record.output_names : record.input_names;
    if (parameter.index >= names.size())
      return wrong(fmt::format("parameter '{}' of one of {} arrays", parameter.name, names.size()),
                   fmt::format("number {}", parameter.index));
  }
  return {};
}

void write_record(ByteWriter& writer, const CastingRecord& record) {
  writer.text(record.kernel_name);
  writer.digest(record.definition_digest);
  writer.integer(static_cast<uint8_t>(record.dialect));
  writer.integer(static_cast<uint8_t>(record.math));
  writer.integer(static_cast<uint8_t>(record.optimization));
  writer.integer(static_cast<uint8_t>((record.ensure_row_contiguous ? kEnsureRowContiguous : 0) |
                                      (record.atomic_outputs ? kAtomicOutputs : 0)));
  writer.texts(record.input_names);
  writer.texts(record.output_names);
  writer.texts(record.mutable_inputs);
  writer.text(key_bytes(record));
  writer.integer(static_cast<uint8_t>(record.target.kind));
  writer.text(record.target.architecture);
  writer.text(record.target.features);
  writer.text(record.options);
  writer.digest(record.options_digest);
  writer.text(record.compiler);
  writer.text(record.entry_name);
  write_signature(writer, record.signature);
}

CastingRecord read_record(ByteReader& reader) {
  CastingRecord record;
  record.kernel_name = reader.text();
  record.definition_digest = reader.digest();
  record.dialect = reader.enumeration(Dialect::cuda);
  record.math = reader.enumeration(MathMode::fast);
  record.optimization = reader.enumeration(Optimization::fast);
  const uint8_t flags = reader.flags(kEnsureRowContiguous | kAtomicOutputs);
  record.ensure_row_contiguous = flags & kEnsureRowContiguous;
  record.atomic_outputs = flags & kAtomicOutputs;
  record.input_names = reader.texts();
  record.output_names = reader.texts();
  record.mutable_inputs = reader.texts();
  const std::string key = reader.text();
  record.key = SpecializationKey(key.begin(), key.end());
  record.target.kind = reader.enumeration(TargetKind::cuda);
  record.target.architecture = reader.text();
  record.target.features = reader.text();
  record.options = reader.text();
  record.options_digest = reader.digest();
  record.compiler = reader.text();
  record.entry_name = reader.text();
  record.signature = read_signature(reader);
  return record;
}

}  // namespace sprue
