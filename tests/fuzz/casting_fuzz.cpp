// Any bytes given to the casting reader: a casting or an error. With the digests made true first,
// so that the fuzzer gets beyond them; what is accepted is exactly what the writer makes of it.
#include <algorithm>
#include <cstdlib>

#include "casting/byte_stream.h"
#include "casting/casting.h"
#include "casting/format.h"

namespace {

using namespace sprue::casting_format;

void put_digest(std::string& bytes, size_t offset, std::string_view content) {
  sprue::ByteWriter writer;
  writer.digest(sprue::digest_bytes(content));
  bytes.replace(offset, kDigestSize, writer.bytes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  (void)sprue::Casting::from_bytes(bytes, "fuzz.casting");
  if (bytes.size() < kHeaderSize) return 0;

  sprue::ByteWriter file_size;
  file_size.integer(uint64_t{bytes.size()});
  bytes.replace(kFileSizeOffset, 8, file_size.bytes());
  sprue::ByteReader header(std::string_view(bytes).substr(kFileSizeOffset + 16));
  const auto records_size =
      std::min(header.integer<uint64_t>(), uint64_t{bytes.size() - kHeaderSize});
  put_digest(bytes, kFileSizeOffset + 24,
             std::string_view(bytes).substr(kHeaderSize, records_size));
  put_digest(bytes, kHeaderDigestOffset, std::string_view(bytes).substr(0, kHeaderDigestOffset));
  const auto casting = sprue::Casting::from_bytes(bytes, "fuzz.casting");
  if (!casting) return 0;
  std::vector<sprue::CastingEntry> entries;
  for (size_t i = 0; i < (*casting)->size(); ++i) entries.push_back((*casting)->entry(i));
  const auto again = sprue::write_casting(std::move(entries));
  if (!again || *again != bytes) std::abort();
  return 0;
}
