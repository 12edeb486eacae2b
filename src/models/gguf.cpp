#include "models/gguf.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "models/gguf_reader.h"

namespace sprue {

static_assert(std::endian::native == std::endian::little, "GGUF numbers are copied as they are");

namespace {

constexpr std::string_view kOrigin = "gguf";
constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kSmallestAlignment = 8;  // any element type may then be read in place
constexpr uint64_t kLargestAlignment = 1 << 20;
constexpr uint32_t kMaximumRank = 4;
constexpr int64_t kMaximumElements = int64_t{1} << 59;  // their bytes fit 63 bits in any type
constexpr uint64_t kSmallestValue = 8 + 4 + 1;          // bytes: a key's size, a type, a content
constexpr uint64_t kSmallestTensor = 8 + 4 + 4 + 8;     // a name's size, rank, type, offset

// Text of a file in an error message: short, and on one line.
std::string shown(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 64)) result += c >= ' ' && c != 127 ? c : '?';
  return result;
}

// Of the types that arrays have too.
std::optional<Dtype> dtype_of_tensor(GgmlType type) {
  switch (type) {
    case GgmlType::f32:
      return Dtype::float32;
    case GgmlType::f16:
      return Dtype::float16;
    case GgmlType::bf16:
      return Dtype::bfloat16;
    default:
      return std::nullopt;
  }
}

// One entry of the tensor list. Its offset is still that in the data, and unchecked.
Result<GgufTensor> read_tensor(GgufReader& reader) {
  GgufTensor tensor;
  SPRUE_ASSIGN(tensor.name, reader.string("a tensor's name"));
  if (tensor.name.empty()) return reader.wrong("a tensor's name", "an empty one");
  auto wrong = [&](std::string_view expected, std::string_view got) {
    return reader.wrong(fmt::format("{} for tensor '{}'", expected, shown(tensor.name)), got);
  };
  SPRUE_ASSIGN(const auto rank, reader.number<uint32_t>("a tensor's rank"));
  if (rank > kMaximumRank)
    return wrong(fmt::format("at most {} dimensions", kMaximumRank), fmt::format("{}", rank));
  tensor.elements = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    SPRUE_ASSIGN(const auto extent, reader.number<uint64_t>("a tensor's extent"));
    // Zero extents don't excuse the others: an array's strides are made of them.
    if (extent > kMaximumElements ||
        tensor.elements > kMaximumElements / std::max<int64_t>(static_cast<int64_t>(extent), 1))
      return wrong("at most 2^59 elements", "more");
    tensor.elements *= std::max<int64_t>(static_cast<int64_t>(extent), 1);
    tensor.dims.push_back(static_cast<int64_t>(extent));
  }
  if (std::ranges::count(tensor.dims, 0)) tensor.elements = 0;
  tensor.shape = Shape(tensor.dims.rbegin(), tensor.dims.rend());

  SPRUE_ASSIGN(const auto number, reader.number<uint32_t>("a tensor's type"));
  const GgmlTypeTraits* traits = ggml_type_traits(number);
  if (!traits)
    return wrong("a type of F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K or Q6_K",
                 fmt::format("type number {}", number));
  tensor.type = traits->type;
  const int64_t row = tensor.dims.empty() ? 1 : tensor.dims[0];
  if (row % traits->block_elements)
    return wrong(fmt::format("rows of whole blocks of {} elements ({})", traits->block_elements,
                             traits->name),
                 fmt::format("{} elements", row));
  tensor.byte_size =
      static_cast<uint64_t>(tensor.elements) / traits->block_elements * traits->block_bytes;
  SPRUE_ASSIGN(tensor.offset, reader.number<uint64_t>("a tensor's offset"));
  return tensor;
}

}  // namespace

Result<std::shared_ptr<const Gguf>> Gguf::open(const std::string& path) {
  auto file = std::make_shared<Gguf>();
  file->name_ = path;
  SPRUE_ASSIGN(file->map_, MappedFile::open(path));
  SPRUE_CHECK(file->load(file->map_.text()));
  return file;
}

Result<std::shared_ptr<const Gguf>> Gguf::from_bytes(std::string_view bytes, std::string name) {
  auto file = std::make_shared<Gguf>();
  file->name_ = std::move(name);
  file->owned_ = Array::empty({static_cast<int64_t>(bytes.size())}, uint8);
  if (!bytes.empty()) std::memcpy(file->owned_.address(), bytes.data(), bytes.size());
  SPRUE_CHECK(file->load({static_cast<const char*>(file->owned_.address()), bytes.size()}));
  return file;
}

Status Gguf::load(std::string_view bytes) {
  bytes_ = bytes;
  if (!bytes.starts_with("GGUF"))
    return fail(
        ErrorCode::invalid_argument, kOrigin,
        "expected '{}' to start with GGUF, got other bytes; convert the model to GGUF first",
        name_);
  GgufReader reader(bytes, name_, 4);
  SPRUE_ASSIGN(version_, reader.number<uint32_t>("a version"));
  if (version_ == 1)
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected version 2 or 3 in '{}', got version 1; convert the model again", name_);
  if (version_ != 2 && version_ != 3)
    return reader.wrong("version 2 or 3", (version_ & 0xffff) == 0 && version_ != 0
                                              ? "a big-endian file; convert it to little-endian"
                                              : fmt::format("version {}", version_));
  SPRUE_ASSIGN(const auto tensor_count, reader.count(kSmallestTensor, "a number of tensors"));
  SPRUE_ASSIGN(const auto value_count, reader.count(kSmallestValue, "a number of values"));

  metadata_.reserve(value_count);
  for (uint64_t i = 0; i < value_count; ++i) {
    SPRUE_ASSIGN(const std::string_view key, reader.string("a key"));
    if (key.empty()) return reader.wrong("a key", "an empty one");
    const std::string what = fmt::format("value '{}'", shown(key));
    SPRUE_ASSIGN(const GgufValueType type, reader.value_type("the type of " + what));
    SPRUE_ASSIGN(GgufValue value, reader.value(type, what));
    if (!metadata_index_.emplace(key, metadata_.size()).second)
      return reader.wrong("distinct keys", fmt::format("'{}' twice", shown(key)));
    metadata_.emplace_back(key, value);
  }
  alignment_ = kDefaultAlignment;
  if (const GgufValue* value = find(kAlignmentKey)) {
    alignment_ = value->unsigned_integer().value_or(0);
    if (!std::has_single_bit(alignment_) || alignment_ < kSmallestAlignment ||
        alignment_ > kLargestAlignment)
      return reader.wrong(fmt::format("a power of two from {} to {} as {}", kSmallestAlignment,
                                      kLargestAlignment, kAlignmentKey),
                          fmt::format("{}", alignment_));
  }

  // Again: the values have taken their share of the bytes.
  if (tensor_count > reader.left() / kSmallestTensor)
    return reader.wrong(fmt::format("{} tensors", tensor_count),
                        fmt::format("{} bytes to the file's end", reader.left()));
  tensors_.reserve(tensor_count);
  for (uint64_t i = 0; i < tensor_count; ++i) {
    SPRUE_ASSIGN(GgufTensor tensor, read_tensor(reader));
    if (!tensor_index_.emplace(tensor.name, i).second)
      return reader.wrong("distinct tensors", fmt::format("'{}' twice", shown(tensor.name)));
    tensors_.push_back(std::move(tensor));
  }

  const uint64_t data = (reader.position() + alignment_ - 1) / alignment_ * alignment_;
  std::vector<std::pair<uint64_t, size_t>> order;  // of the tensors in the file: offset, index
  for (size_t i = 0; i < tensors_.size(); ++i) {
    GgufTensor& tensor = tensors_[i];
    const uint64_t left = bytes.size() < data ? 0 : bytes.size() - data;
    if (tensor.offset % alignment_)
      return reader.wrong(
          fmt::format("tensor '{}' at a multiple of {} bytes", shown(tensor.name), alignment_),
          fmt::format("offset {}", tensor.offset));
    // A tensor without bytes may stand anywhere, even beyond a file that ends before its data.
    if (tensor.byte_size && (tensor.offset > left || tensor.byte_size > left - tensor.offset))
      return reader.wrong(fmt::format("tensor '{}' of {} bytes inside the {} bytes of data",
                                      shown(tensor.name), tensor.byte_size, left),
                          fmt::format("offset {}", tensor.offset));
    if (!tensor.byte_size) {
      tensor.offset = 0;
      continue;
    }
    tensor.offset += data;
    order.emplace_back(tensor.offset, i);
  }
  std::sort(order.begin(), order.end());
  for (size_t i = 1; i < order.size(); ++i) {
    const GgufTensor& before = tensors_[order[i - 1].second];
    const GgufTensor& after = tensors_[order[i].second];
    if (before.offset + before.byte_size > after.offset)
      return reader.wrong("tensors that don't overlap",
                          fmt::format("'{}' inside '{}'", shown(after.name), shown(before.name)));
  }
  return {};
}

const GgufValue* Gguf::find(std::string_view key) const {
  const auto found = metadata_index_.find(key);
  return found == metadata_index_.end() ? nullptr : &metadata_[found->second].second;
}

Result<GgufValue> Gguf::value(std::string_view key) const {
  if (const GgufValue* value = find(key)) return *value;
  return fail(ErrorCode::not_found, kOrigin, "expected the key '{}' in '{}', got none", key, name_);
}

namespace {
// The error of a value, with its key.
template <typename T>
Result<T> named(Result<T> result, std::string_view key) {
  if (result) return result;
  return tl::unexpected(
      Error(result.error().code(), fmt::format("{}; key '{}'", result.error().message(), key)));
}
}  // namespace

Result<uint64_t> Gguf::unsigned_integer(std::string_view key) const {
  SPRUE_ASSIGN(const GgufValue found, value(key));
  return named(found.unsigned_integer(), key);
}
Result<double> Gguf::number(std::string_view key) const {
  SPRUE_ASSIGN(const GgufValue found, value(key));
  return named(found.number(), key);
}
Result<bool> Gguf::boolean(std::string_view key) const {
  SPRUE_ASSIGN(const GgufValue found, value(key));
  return named(found.boolean(), key);
}
Result<std::string_view> Gguf::string(std::string_view key) const {
  SPRUE_ASSIGN(const GgufValue found, value(key));
  return named(found.string(), key);
}

const GgufTensor* Gguf::find_tensor(std::string_view name) const {
  const auto found = tensor_index_.find(name);
  return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

Result<const GgufTensor*> Gguf::tensor(std::string_view name) const {
  if (const GgufTensor* found = find_tensor(name)) return found;
  return fail(ErrorCode::not_found, kOrigin, "expected the tensor '{}' in '{}', got none", name,
              name_);
}

std::span<const std::byte> Gguf::bytes(const GgufTensor& tensor) const {
  return std::as_bytes(std::span(bytes_)).subspan(tensor.offset, tensor.byte_size);
}

Result<Array> Gguf::array(const GgufTensor& tensor) const {
  const std::optional<Dtype> dtype = dtype_of_tensor(tensor.type);
  if (!dtype)
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected a tensor of F32, F16 or BF16 for an array, got {} of '{}'; dequantize it",
                ggml_type_traits(tensor.type).name, shown(tensor.name));
  const void* address = bytes(tensor).data();
  return Array::view(address, tensor.shape, *dtype, [keep = shared_from_this()] {});
}

Result<Array> Gguf::dequantize(const GgufTensor& tensor) const {
  Array values = Array::empty(tensor.shape, float32);
  const std::span<float> elements(values.data<float>(), static_cast<size_t>(tensor.elements));
  SPRUE_CHECK(sprue::dequantize(tensor.type, bytes(tensor), elements));
  return values;
}

}  // namespace sprue
