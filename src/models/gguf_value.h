// Metadata values of GGUF files, checked when the file is read, decoded when asked for.
//
//   SPRUE_ASSIGN(auto layers, file->unsigned_integer("llama.block_count"));
//   SPRUE_ASSIGN(auto tokens, file->value("tokenizer.ggml.tokens"));
//   SPRUE_ASSIGN(std::vector<std::string_view> words, tokens.strings());
//
// Values are views of the file's bytes and live as long as the Gguf that gave them. No allocation
// except for the vectors that are returned.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sprue {

enum class GgufValueType : uint32_t {
  uint8 = 0,
  int8 = 1,
  uint16 = 2,
  int16 = 3,
  uint32 = 4,
  int32 = 5,
  float32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  uint64 = 10,
  int64 = 11,
  float64 = 12,
};
inline constexpr uint32_t kGgufValueTypeCount = 13;

std::string_view gguf_value_type_name(GgufValueType type);  // "uint8", ..., "array"
size_t gguf_value_size(GgufValueType type);                 // bytes; 0 for strings and arrays

// One value, or an array of them.
class GgufValue {
 public:
  GgufValue() = default;
  GgufValue(GgufValueType type, std::string_view bytes) : type_(type), bytes_(bytes) {}
  GgufValue(GgufValueType element_type, uint64_t count, std::string_view bytes)
      : type_(GgufValueType::array), element_type_(element_type), count_(count), bytes_(bytes) {}

  GgufValueType type() const { return type_; }
  GgufValueType element_type() const { return element_type_; }  // of an array
  uint64_t count() const { return count_; }                     // elements of an array; else 1

  // The value, if its type holds it without loss of meaning: any integer that isn't negative for
  // unsigned_integer, any that fits for integer, any number for number.
  Result<uint64_t> unsigned_integer() const;
  Result<int64_t> integer() const;
  Result<double> number() const;
  Result<bool> boolean() const;
  Result<std::string_view> string() const;

  // An array's elements; an error if it isn't an array of such.
  Result<std::vector<std::string_view>> strings() const;
  Result<std::vector<int64_t>> integers() const;
  Result<std::vector<double>> numbers() const;
  Result<std::vector<bool>> booleans() const;
  Result<std::vector<GgufValue>> arrays() const;

 private:
  std::vector<GgufValue> elements() const;
  tl::unexpected<Error> mismatch(std::string_view expected) const;

  GgufValueType type_ = GgufValueType::uint8;
  GgufValueType element_type_ = GgufValueType::uint8;
  uint64_t count_ = 1;
  std::string_view bytes_;  // a scalar's or a string's own; the elements of an array
};

}  // namespace sprue
