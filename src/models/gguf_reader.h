// A cursor over the bytes of a GGUF file: the grammar's numbers, strings and values, each checked
// against the bytes that are left. Errors name what was being read and where.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "models/gguf_value.h"

namespace sprue {

class GgufReader {
 public:
  GgufReader(std::string_view bytes, std::string_view file_name, size_t position = 0)
      : bytes_(bytes), file_name_(file_name), position_(position) {}

  size_t position() const { return position_; }
  size_t left() const { return bytes_.size() - position_; }

  Result<std::string_view> raw(uint64_t size, std::string_view what);
  template <typename Number>
  Result<Number> number(std::string_view what) {
    SPRUE_ASSIGN(const std::string_view bytes, raw(sizeof(Number), what));
    Number value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  // A count of things that take at least `smallest` bytes each.
  Result<uint64_t> count(uint64_t smallest, std::string_view what);
  Result<std::string_view> string(std::string_view what);
  Result<GgufValueType> value_type(std::string_view what);
  // A whole value of this type, everything inside it checked.
  Result<GgufValue> value(GgufValueType type, std::string_view what, int depth = 0);

  tl::unexpected<Error> wrong(std::string_view expected, std::string_view got) const;

 private:
  std::string_view bytes_;
  std::string_view file_name_;
  size_t position_;
};

}  // namespace sprue
