#include "models/gguf_reader.h"

namespace sprue {

namespace {
constexpr int kMaximumDepth = 4;  // arrays inside arrays; real files have none
}

tl::unexpected<Error> GgufReader::wrong(std::string_view expected, std::string_view got) const {
  return fail(ErrorCode::corrupt, "gguf", "expected {} in '{}', got {} at byte {}", expected,
              file_name_, got, position_);
}

Result<std::string_view> GgufReader::raw(uint64_t size, std::string_view what) {
  if (size > left())
    return wrong(fmt::format("{} of {} bytes", what, size),
                 fmt::format("{} bytes to the file's end", left()));
  const std::string_view bytes = bytes_.substr(position_, size);
  position_ += size;
  return bytes;
}

Result<uint64_t> GgufReader::count(uint64_t smallest, std::string_view what) {
  SPRUE_ASSIGN(const auto value, number<uint64_t>(what));
  if (value > left() / smallest)
    return wrong(fmt::format("{} that fits the file", what),
                 fmt::format("{} with {} bytes to the file's end", value, left()));
  return value;
}

Result<std::string_view> GgufReader::string(std::string_view what) {
  SPRUE_ASSIGN(const auto size, number<uint64_t>(what));
  return raw(size, what);
}

Result<GgufValueType> GgufReader::value_type(std::string_view what) {
  SPRUE_ASSIGN(const auto number, this->number<uint32_t>(what));
  if (number >= kGgufValueTypeCount)
    return wrong(fmt::format("{} below {}", what, kGgufValueTypeCount), fmt::format("{}", number));
  return static_cast<GgufValueType>(number);
}

Result<GgufValue> GgufReader::value(GgufValueType type, std::string_view what, int depth) {
  if (type == GgufValueType::string) {
    SPRUE_ASSIGN(const std::string_view text, string(what));
    return GgufValue(type, text);
  }
  if (type != GgufValueType::array) {
    SPRUE_ASSIGN(const std::string_view bytes, raw(gguf_value_size(type), what));
    if (type == GgufValueType::boolean && static_cast<unsigned char>(bytes[0]) > 1)
      return wrong(fmt::format("0 or 1 as {}", what),
                   fmt::format("{}", static_cast<unsigned char>(bytes[0])));
    return GgufValue(type, bytes);
  }

  if (depth == kMaximumDepth)
    return wrong(fmt::format("at most {} nested arrays in {}", kMaximumDepth, what), "more");
  SPRUE_ASSIGN(const GgufValueType element, value_type(what));
  const size_t size = gguf_value_size(element);
  // The least that an element takes: a string its size, an array its type and count.
  const uint64_t smallest = size ? size : element == GgufValueType::string ? 8 : 12;
  SPRUE_ASSIGN(const uint64_t elements, count(smallest, what));
  const size_t begin = position_;
  if (size && element != GgufValueType::boolean) {
    SPRUE_CHECK(raw(elements * size, what));  // can't wrap: count() has compared it
  } else {
    for (uint64_t i = 0; i < elements; ++i) SPRUE_CHECK(value(element, what, depth + 1));
  }
  return GgufValue(element, elements, bytes_.substr(begin, position_ - begin));
}

}  // namespace sprue
