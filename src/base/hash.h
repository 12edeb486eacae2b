// 128-bit XXH3 digests over labelled, length-prefixed fields: two different sequences of fields never
// feed the same bytes, so a digest is an identity. Not for secrets: XXH3 isn't cryptographic.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct XXH3_state_s;

namespace sprue {

struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const Digest&) const = default;
  std::string hex() const;  // 32 lower-case digits, high half first
  static Result<Digest> from_hex(std::string_view text);
};

Digest digest_bytes(const void* bytes, size_t size);
inline Digest digest_bytes(std::string_view text) { return digest_bytes(text.data(), text.size()); }

class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& field(std::string_view label, std::string_view value);
  Hasher& field(std::string_view label, uint64_t value);
  Hasher& field(std::string_view label, const Digest& value);
  // Raw bytes without a label, for content whose length is a field of its own (tensor data).
  Hasher& bytes(const void* data, size_t size);
  Digest digest() const;

 private:
  XXH3_state_s* state_;
};

}  // namespace sprue

template <>
struct std::hash<sprue::Digest> {
  size_t operator()(const sprue::Digest& digest) const noexcept { return digest.low; }
};
