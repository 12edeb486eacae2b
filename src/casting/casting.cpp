#include "casting/casting.h"

#include <algorithm>

#include "casting/byte_stream.h"
#include "casting/foreign_file.h"
#include "casting/format.h"
#include "program/cpu_abi.h"

namespace sprue {

using namespace casting_format;

namespace {
constexpr size_t kSmallestRecord = 128;  // bytes; any record takes more
}

Result<std::shared_ptr<const Casting>> Casting::open(const std::string& path) {
  auto casting = std::make_shared<Casting>();
  casting->name_ = path;
  SPRUE_ASSIGN(casting->map_, MappedFile::open(path));
  SPRUE_CHECK(casting->load(casting->map_.text()));
  return casting;
}

Result<std::shared_ptr<const Casting>> Casting::from_bytes(std::string bytes, std::string name) {
  auto casting = std::make_shared<Casting>();
  casting->name_ = std::move(name);
  casting->owned_ = std::move(bytes);
  SPRUE_CHECK(casting->load(casting->owned_));
  return casting;
}

// In the order of trust: what the file is, whether this reader knows it, whether it is whole,
// whether its parts are what their digests say, and last what they mean.
Status Casting::load(std::string_view bytes) {
  auto wrong = [&](std::string_view expected, std::string_view got) {
    return fail(ErrorCode::corrupt, "casting", "expected {} in '{}', got {}", expected, name_, got);
  };
  constexpr std::string_view kDamaged = "other bytes; the file is damaged, make it again";

  if (!bytes.starts_with(kMagic))
    return fail(ErrorCode::invalid_argument, "casting", "expected a Sprue casting as '{}', got {}",
                name_, describe_foreign_file(bytes));
  if (bytes.size() < kHeaderSize)
    return wrong("a header", fmt::format("{} bytes; the file was cut short", bytes.size()));
  ByteReader header(bytes.substr(kMagic.size()));
  const auto version = header.integer<uint32_t>();
  if (version != kVersion)
    return fail(ErrorCode::invalid_argument, "casting",
                "expected format version {} in '{}', got version {}; make the casting with this "
                "version of Sprue",
                kVersion, name_, version);
  const auto abi = header.integer<uint32_t>();
  if (abi != SPRUE_CPU_ABI_VERSION)
    return fail(
        ErrorCode::invalid_argument, "casting",
        "expected kernels for ABI version {} in '{}', got version {}; make the casting with "
        "this version of Sprue",
        SPRUE_CPU_ABI_VERSION, name_, abi);
  const auto file_size = header.integer<uint64_t>();
  const auto record_count = header.integer<uint64_t>();
  const auto records_size = header.integer<uint64_t>();
  const Digest records_digest = header.digest();
  const Digest header_digest = header.digest();
  if (header_digest != digest_bytes(bytes.substr(0, kHeaderDigestOffset)))
    return wrong("a header with its digest", kDamaged);
  if (file_size != bytes.size())
    return wrong(fmt::format("{} bytes", file_size),
                 fmt::format("{}; the file was {}", bytes.size(),
                             bytes.size() < file_size ? "cut short" : "appended to"));
  if (records_size > bytes.size() - kHeaderSize || record_count > records_size / kSmallestRecord)
    return wrong("an index inside the file",
                 fmt::format("{} records of {} bytes", record_count, records_size));
  const std::string_view records = bytes.substr(kHeaderSize, records_size);
  if (records_digest != digest_bytes(records)) return wrong("an index with its digest", kDamaged);

  ByteReader reader(records);
  size_t end = kHeaderSize + records_size;  // of the last section
  auto section = [&](std::string_view& content, Digest& digest) -> Status {
    const auto size = reader.integer<uint64_t>();
    digest = reader.digest();
    const size_t begin = (end + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    if (begin > bytes.size() || size > bytes.size() - begin)
      return wrong("sections inside the file", fmt::format("{} bytes at {}", size, begin));
    if (bytes.substr(end, begin - end).find_first_not_of('\0') != bytes.npos)
      return wrong("zero bytes between sections", kDamaged);
    content = bytes.substr(begin, size);
    if (digest != digest_bytes(content)) return wrong("a section with its digest", kDamaged);
    end = begin + size;
    return {};
  };
  slots_.resize(record_count);
  for (size_t i = 0; i < record_count; ++i) {
    Slot& slot = slots_[i];
    slot.record = read_record(reader);
    if (!reader.good()) return wrong(fmt::format("record {} of {}", i + 1, record_count), kDamaged);
    SPRUE_CHECK(check_record(slot.record));
    if (i > 0 && compare_identity(slots_[i - 1].record, slot.record) >= 0)
      return wrong("sorted, distinct records", fmt::format("record {} out of order", i + 1));
    Digest text_digest;
    SPRUE_CHECK(section(slot.binary, slot.record.binary_digest));
    SPRUE_CHECK(section(slot.text, text_digest));
    if (!reader.good()) return wrong(fmt::format("record {} of {}", i + 1, record_count), kDamaged);
  }
  if (reader.left() != 0)
    return wrong("an index of its records", fmt::format("{} bytes more", reader.left()));
  if (end != bytes.size())
    return wrong("the end of the file after its sections",
                 fmt::format("{} bytes more", bytes.size() - end));
  return {};
}

Binary Casting::binary(size_t i) const {
  const CastingRecord& record = slots_[i].record;
  Binary binary;
  binary.bytes = std::string(slots_[i].binary);
  binary.target = record.target;
  binary.signature = record.signature;
  binary.entry_name = record.entry_name;
  binary.options = record.options;
  binary.compiler = record.compiler;
  binary.digest = record.binary_digest;
  return binary;
}

CastingEntry Casting::entry(size_t i) const {
  return {slots_[i].record, std::string(slots_[i].binary), std::string(slots_[i].text)};
}

std::optional<size_t> Casting::find(const Digest& definition, std::span<const uint8_t> key,
                                    const Accepts& accepts) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const CastingRecord& record = slots_[i].record;
    if (record.definition_digest == definition && std::ranges::equal(record.key, key) &&
        (!accepts || accepts(record)))
      return i;
  }
  return std::nullopt;
}

std::vector<size_t> Casting::entries_named(std::string_view kernel_name) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].record.kernel_name == kernel_name) found.push_back(i);
  return found;
}

}  // namespace sprue
