#include "base/hash.h"

#include <xxhash.h>

#include <new>

namespace sprue {

namespace {
Digest from_xxh(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }
}  // namespace

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Result<Digest> Digest::from_hex(std::string_view text) {
  auto half = [](std::string_view digits, uint64_t& value) {
    value = 0;
    for (char c : digits) {
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) return false;
      value = value << 4 | static_cast<uint64_t>(digit);
    }
    return true;
  };
  Digest digest;
  if (text.size() != 32 || !half(text.substr(0, 16), digest.high) ||
      !half(text.substr(16), digest.low))
    return fail(ErrorCode::invalid_argument, "digest",
                "expected 32 lower-case hexadecimal digits, got '{}'", text);
  return digest;
}

Digest digest_bytes(const void* bytes, size_t size) { return from_xxh(XXH3_128bits(bytes, size)); }

Hasher::Hasher() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_);
}

Hasher::~Hasher() { XXH3_freeState(state_); }

Hasher& Hasher::bytes(const void* data, size_t size) {
  if (size) XXH3_128bits_update(state_, data, size);
  return *this;
}

Hasher& Hasher::field(std::string_view label, std::string_view value) {
  const uint64_t sizes[2] = {label.size(), value.size()};
  return bytes(sizes, sizeof sizes)
      .bytes(label.data(), label.size())
      .bytes(value.data(), value.size());
}

Hasher& Hasher::field(std::string_view label, uint64_t value) {
  return field(label, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}

Hasher& Hasher::field(std::string_view label, const Digest& value) {
  const uint64_t halves[2] = {value.high, value.low};
  return field(label, std::string_view(reinterpret_cast<const char*>(halves), sizeof halves));
}

Digest Hasher::digest() const { return from_xxh(XXH3_128bits_digest(state_)); }

}  // namespace sprue
