// Little-endian fields written to a string and read back from bytes that may lie about their sizes.
//
//   ByteReader reader(bytes);
//   std::string name = reader.text();
//   if (!reader.good()) ...                 // asked once, after a run of reads
//
// A read that leaves the bytes gives a zero or an empty value, and the reader stays bad from then
// on. Counts are checked against the bytes left before anything is reserved for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace sprue {

class ByteWriter {
 public:
  template <typename Integer>
  void integer(Integer value) {
    for (size_t i = 0; i < sizeof value; ++i)
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xff);
  }
  void digest(const Digest& value) {
    integer(value.low);
    integer(value.high);
  }
  void raw(std::string_view value) { bytes_ += value; }
  void text(std::string_view value) {
    integer(static_cast<uint32_t>(value.size()));
    raw(value);
  }
  void texts(const std::vector<std::string>& values) {
    integer(static_cast<uint32_t>(values.size()));
    for (const auto& value : values) text(value);
  }
  void align(size_t alignment) {
    while (bytes_.size() % alignment) bytes_ += '\0';
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool good() const { return good_; }
  size_t left() const { return rest_.size(); }
  std::string_view raw(uint64_t size) {
    if (size > rest_.size()) {
      good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  template <typename Integer>
  Integer integer() {
    uint64_t value = 0;
    const std::string_view bytes = raw(sizeof(Integer));
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return static_cast<Integer>(value);
  }
  // An enumeration whose values run from 0 to `last`.
  template <typename Enumeration>
  Enumeration enumeration(Enumeration last) {
    const auto value = integer<uint8_t>();
    if (value <= static_cast<uint8_t>(last)) return static_cast<Enumeration>(value);
    good_ = false;
    return Enumeration{};
  }
  // Bits of which only those of `known` may be set.
  uint8_t flags(uint8_t known) {
    const auto value = integer<uint8_t>();
    if (value & ~known) good_ = false;
    return value & known;
  }
  Digest digest() {
    const auto low = integer<uint64_t>();
    return {integer<uint64_t>(), low};
  }
  std::string text() { return std::string(raw(integer<uint32_t>())); }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count(sizeof(uint32_t)));
    for (auto& value : values) value = text();
    return values;
  }
  // A count of things that take at least `smallest` bytes each.
  size_t count(size_t smallest) {
    const auto value = integer<uint32_t>();
    if (value <= rest_.size() / smallest) return value;
    good_ = false;
    return 0;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace sprue
