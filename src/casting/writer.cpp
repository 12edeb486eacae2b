#include <algorithm>

#include "casting/byte_stream.h"
#include "casting/casting.h"
#include "casting/format.h"
#include "program/cpu_abi.h"

namespace sprue {

using namespace casting_format;

CastingEntry make_casting_entry(const KernelDefinition& definition, std::span<const uint8_t> key,
                                Optimization optimization, const Binary& binary,
                                std::string generated_text) {
  CastingEntry entry;
  CastingRecord& record = entry.record;
  record.kernel_name = definition.name;
  record.definition_digest = definition.digest();
  record.dialect = definition.dialect;
  record.math = definition.math;
  record.ensure_row_contiguous = definition.ensure_row_contiguous;
  record.atomic_outputs = definition.atomic_outputs;
  record.input_names = definition.input_names;
  record.output_names = definition.output_names;
  record.mutable_inputs = definition.mutable_inputs;
  record.key = SpecializationKey(key.begin(), key.end());
  record.optimization = optimization;
  record.target = binary.target;
  record.options = binary.options;
  record.options_digest = casting_options_digest(binary.options);
  record.compiler = binary.compiler;
  record.entry_name = binary.entry_name;
  record.signature = binary.signature;
  record.binary_digest = digest_bytes(binary.bytes);
  entry.binary_bytes = binary.bytes;
  entry.generated_text = std::move(generated_text);
  return entry;
}

Result<std::string> write_casting(std::vector<CastingEntry> entries) {
  for (const CastingEntry& entry : entries) {
    SPRUE_CHECK(check_record(entry.record));
    if (entry.record.binary_digest != digest_bytes(entry.binary_bytes))
      return fail(ErrorCode::corrupt, "casting",
                  "expected a binary with its digest for kernel '{}'"
                  ", got another one",
                  entry.record.kernel_name);
  }
  std::sort(entries.begin(), entries.end(), [](const CastingEntry& a, const CastingEntry& b) {
    return compare_identity(a.record, b.record) < 0;
  });
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (size_t i = 1; i < entries.size(); ++i)
    if (compare_identity(entries[i - 1].record, entries[i].record) == 0)
      return fail(ErrorCode::invalid_argument, "casting",
                  "expected one entry for each specialisation, target and options, got two that "
                  "differ for kernel '{}'",
                  entries[i].record.kernel_name);

  ByteWriter records;
  for (const CastingEntry& entry : entries) {
    write_record(records, entry.record);
    for (const std::string* section : {&entry.binary_bytes, &entry.generated_text}) {
      records.integer(uint64_t{section->size()});
      records.digest(digest_bytes(*section));
    }
  }
  // Sizes first: the header holds that of the whole file.
  uint64_t file_size = kHeaderSize + records.bytes().size();
  for (const CastingEntry& entry : entries)
    for (const std::string* section : {&entry.binary_bytes, &entry.generated_text})
      file_size = (file_size + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment +
                  section->size();

  ByteWriter file;
  file.raw(kMagic);
  file.integer(kVersion);
  file.integer(uint32_t{SPRUE_CPU_ABI_VERSION});
  file.integer(file_size);
  file.integer(uint64_t{entries.size()});
  file.integer(uint64_t{records.bytes().size()});
  file.digest(digest_bytes(records.bytes()));
  file.digest(digest_bytes(file.bytes()));
  file.raw(records.bytes());
  for (const CastingEntry& entry : entries) {
    for (const std::string* section : {&entry.binary_bytes, &entry.generated_text}) {
      file.align(kSectionAlignment);
      file.raw(*section);
    }
  }
  return file.take();
}

}  // namespace sprue
