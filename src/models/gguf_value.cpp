#include "models/gguf_value.h"

#include "models/gguf_reader.h"

namespace sprue {

namespace {

struct ValueTraits {
  std::string_view name;
  size_t size;
};
constexpr ValueTraits kTraits[kGgufValueTypeCount] = {
    {"uint8", 1},  {"int8", 1},    {"uint16", 2},  {"int16", 2},  {"uint32", 4},
    {"int32", 4},  {"float32", 4}, {"bool", 1},    {"string", 0}, {"array", 0},
    {"uint64", 8}, {"int64", 8},   {"float64", 8},
};

template <typename T>
T read(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <typename T>
Result<std::vector<T>> convert(const std::vector<GgufValue>& elements,
                               Result<T> (GgufValue::*get)() const) {
  std::vector<T> values;
  values.reserve(elements.size());
  for (const GgufValue& element : elements) {
    SPRUE_ASSIGN(T value, (element.*get)());
    values.push_back(value);
  }
  return values;
}

}  // namespace

std::string_view gguf_value_type_name(GgufValueType type) {
  return kTraits[static_cast<size_t>(type)].name;
}
size_t gguf_value_size(GgufValueType type) { return kTraits[static_cast<size_t>(type)].size; }

tl::unexpected<Error> GgufValue::mismatch(std::string_view expected) const {
  const std::string got =
      type_ == GgufValueType::array
          ? fmt::format("an array of {} {}", count_, gguf_value_type_name(element_type_))
          : std::string(gguf_value_type_name(type_));
  return fail(ErrorCode::invalid_argument, "gguf", "expected {} as a value, got {}", expected, got);
}

Result<int64_t> GgufValue::integer() const {
  switch (type_) {
    case GgufValueType::uint8:
      return read<uint8_t>(bytes_);
    case GgufValueType::int8:
      return read<int8_t>(bytes_);
    case GgufValueType::uint16:
      return read<uint16_t>(bytes_);
    case GgufValueType::int16:
      return read<int16_t>(bytes_);
    case GgufValueType::uint32:
      return read<uint32_t>(bytes_);
    case GgufValueType::int32:
      return read<int32_t>(bytes_);
    case GgufValueType::int64:
      return read<int64_t>(bytes_);
    case GgufValueType::uint64:
      if (const auto value = read<uint64_t>(bytes_); value <= INT64_MAX)
        return static_cast<int64_t>(value);
      return mismatch("an integer below 2^63");
    default:
      return mismatch("an integer");
  }
}

Result<uint64_t> GgufValue::unsigned_integer() const {
  if (type_ == GgufValueType::uint64) return read<uint64_t>(bytes_);
  SPRUE_ASSIGN(const int64_t value, integer());
  if (value < 0)
    return fail(ErrorCode::invalid_argument, "gguf", "expected an integer >= 0 as a value, got {}",
                value);
  return static_cast<uint64_t>(value);
}

Result<double> GgufValue::number() const {
  if (type_ == GgufValueType::float32) return read<float>(bytes_);
  if (type_ == GgufValueType::float64) return read<double>(bytes_);
  if (type_ == GgufValueType::uint64) return static_cast<double>(read<uint64_t>(bytes_));
  const auto value = integer();
  if (!value) return mismatch("a number");
  return static_cast<double>(*value);
}

Result<bool> GgufValue::boolean() const {
  if (type_ != GgufValueType::boolean) return mismatch("a bool");
  return bytes_[0] != 0;
}

Result<std::string_view> GgufValue::string() const {
  if (type_ != GgufValueType::string) return mismatch("a string");
  return bytes_;
}

// The bytes were checked when the file was read, so no step of this walk can fail.
std::vector<GgufValue> GgufValue::elements() const {
  std::vector<GgufValue> values;
  values.reserve(count_);
  GgufReader reader(bytes_, "");
  for (uint64_t i = 0; i < count_; ++i) values.push_back(*reader.value(element_type_, "element"));
  return values;
}

Result<std::vector<std::string_view>> GgufValue::strings() const {
  if (type_ != GgufValueType::array || element_type_ != GgufValueType::string)
    return mismatch("an array of strings");
  return convert(elements(), &GgufValue::string);
}

Result<std::vector<int64_t>> GgufValue::integers() const {
  if (type_ != GgufValueType::array) return mismatch("an array of integers");
  return convert(elements(), &GgufValue::integer);
}

Result<std::vector<double>> GgufValue::numbers() const {
  if (type_ != GgufValueType::array) return mismatch("an array of numbers");
  return convert(elements(), &GgufValue::number);
}

Result<std::vector<bool>> GgufValue::booleans() const {
  if (type_ != GgufValueType::array) return mismatch("an array of bools");
  return convert(elements(), &GgufValue::boolean);
}

Result<std::vector<GgufValue>> GgufValue::arrays() const {
  if (type_ != GgufValueType::array || element_type_ != GgufValueType::array)
    return mismatch("an array of arrays");
  return elements();
}

}  // namespace sprue
