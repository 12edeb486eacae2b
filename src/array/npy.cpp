#include "array/npy.h"

#include <bit>
#include <charconv>
#include <optional>

#include "base/sys.h"

namespace sprue {

static_assert(std::endian::native == std::endian::little, "NPY data is copied as it is");

namespace {

constexpr std::string_view kOrigin = "npy";
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;    // of the data in a file that we write, as NumPy has it
constexpr size_t kMaximumRank = 64;  // NumPy's own limit

struct Descr {
  std::string_view kind_and_size;  // without the byte order
  Dtype dtype;
};
constexpr Descr kDescrs[] = {
    {"b1", Dtype::bool_},   {"u1", Dtype::uint8},     {"u2", Dtype::uint16},
    {"u4", Dtype::uint32},  {"u8", Dtype::uint64},    {"i1", Dtype::int8},
    {"i2", Dtype::int16},   {"i4", Dtype::int32},     {"i8", Dtype::int64},
    {"f2", Dtype::float16}, {"V2", Dtype::bfloat16},  {"f4", Dtype::float32},
    {"f8", Dtype::float64}, {"c8", Dtype::complex64},
};

struct Header {
  Dtype dtype = Dtype::float32;
  bool fortran_order = false;
  Shape shape;
};

tl::unexpected<Error> corrupt(const std::string& name, std::string_view expected,
                              std::string_view got) {
  return fail(ErrorCode::corrupt, kOrigin, "expected {} in '{}', got {}", expected, name, got);
}

// Reads the one dictionary that a header is; no other Python.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  Result<Header> parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    SPRUE_CHECK(expect('{'));
    while (!accept('}')) {
      SPRUE_ASSIGN(const std::string_view key, string());
      SPRUE_CHECK(expect(':'));
      bool* seen = key == "descr"           ? &descr
                   : key == "fortran_order" ? &order
                   : key == "shape"         ? &shape
                                            : nullptr;
      if (!seen) return corrupt(name_, "the keys descr, fortran_order and shape", quoted(key));
      if (*seen) return corrupt(name_, "each key once", quoted(key) + " twice");
      *seen = true;
      if (seen == &descr) {
        SPRUE_ASSIGN(header.dtype, dtype());
      } else if (seen == &order) {
        SPRUE_ASSIGN(header.fortran_order, boolean());
      } else {
        SPRUE_ASSIGN(header.shape, tuple());
      }
      if (!accept(',')) {
        SPRUE_CHECK(expect('}'));
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) return corrupt(name_, "the end of the header", found());
    if (!descr || !order || !shape)
      return corrupt(name_, "the keys descr, fortran_order and shape", "a header without one");
    return header;
  }

 private:
  static std::string quoted(std::string_view text) { return fmt::format("'{}'", text); }
  std::string found() const {
    return rest_.empty() ? "the end of the header" : quoted(rest_.substr(0, 16));
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool accept(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  Status expect(char c) {
    if (!accept(c)) return corrupt(name_, quoted({&c, 1}), found());
    return {};
  }
  Result<std::string_view> string() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') return corrupt(name_, "a string in the header", found());
    const size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) return corrupt(name_, "a closing quote in the header", found());
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }
  Result<bool> boolean() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    return corrupt(name_, "True or False", found());
  }
  Result<Dtype> dtype() {
    skip_blanks();
    if (rest_.starts_with('['))
      return fail(ErrorCode::invalid_argument, kOrigin,
                  "expected a simple type in '{}', got a structured one; save each field as a file "
                  "of its own",
                  name_);
    SPRUE_ASSIGN(const std::string_view descr, string());
    if (descr == "bfloat16") return Dtype::bfloat16;
    const char order = descr.empty() ? '\0' : descr.front();
    const std::string_view rest = descr.substr(descr.empty() ? 0 : 1);
    for (const auto& known : kDescrs) {
      if (rest != known.kind_and_size) continue;
      const bool one_byte = rest.back() == '1';
      if (order == '<' || order == '=' || order == '|') return known.dtype;
      if (order == '>' && one_byte) return known.dtype;
      if (order == '>')
        return fail(ErrorCode::invalid_argument, kOrigin,
                    "expected little-endian numbers in '{}', got '{}'; convert with "
                    "array.astype('<{}') before saving",
                    name_, descr, rest);
    }
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected a type of bool, int, uint, float16, bfloat16, float32, float64 or "
                "complex64 in '{}', got '{}'; convert with array.astype before saving",
                name_, descr);
  }
  Result<Shape> tuple() {
    Shape shape;
    SPRUE_CHECK(expect('('));
    while (!accept(')')) {
      skip_blanks();
      int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) return corrupt(name_, "an extent >= 0", found());
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      accept('L');  // Python 2 wrote long integers so
      shape.push_back(extent);
      if (shape.size() > kMaximumRank)
        return corrupt(name_, fmt::format("at most {} dimensions", kMaximumRank), "more");
      if (!accept(',')) {
        SPRUE_CHECK(expect(')'));
        break;
      }
    }
    return shape;
  }

  std::string_view rest_;
  const std::string& name_;
};

// Bytes of an array, or nothing if they don't fit 63 bits. As in Array, an extent of 0 doesn't
// excuse the others.
std::optional<uint64_t> size_of(const Header& header) {
  auto bytes = static_cast<int64_t>(dtype_size(header.dtype));
  bool empty = false;
  for (int64_t extent : header.shape) {
    empty |= extent == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes)) return std::nullopt;
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

std::string_view descr_of(Dtype dtype) {
  for (const auto& known : kDescrs)
    if (known.dtype == dtype) return known.kind_and_size;
  return {};
}

}  // namespace

Result<Array> read_npy_bytes(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(kMagic))
    return fail(
        ErrorCode::corrupt, kOrigin, "expected '{}' to start as an NPY file, got {}", name,
        bytes.starts_with("PK") ? "a zip archive (.npz); save each array as .npy" : "other bytes");
  constexpr std::string_view kCut = "a file that ends before";
  size_t position = kMagic.size() + 2;
  if (bytes.size() < position) return corrupt(name, "a version", kCut);
  const auto major = static_cast<uint8_t>(bytes[kMagic.size()]);
  const auto minor = static_cast<uint8_t>(bytes[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0)
    return corrupt(name, "NPY version 1.0, 2.0 or 3.0", fmt::format("{}.{}", major, minor));
  const size_t width = major == 1 ? 2 : 4;
  if (bytes.size() - position < width) return corrupt(name, "the header's size", kCut);
  size_t header_size = 0;
  for (size_t i = 0; i < width; ++i)
    header_size |= size_t{static_cast<uint8_t>(bytes[position + i])} << (8 * i);
  position += width;
  if (bytes.size() - position < header_size)
    return corrupt(name, fmt::format("a header of {} bytes", header_size), kCut);
  SPRUE_ASSIGN(const Header header,
               HeaderParser(bytes.substr(position, header_size), name).parse());
  const std::string_view data = bytes.substr(position + header_size);

  const auto size = size_of(header);
  if (!size || *size != data.size())
    return corrupt(name,
                   fmt::format("{} of data for {} of shape {}",
                               size ? fmt::format("{} bytes", *size) : "more than 2^63 bytes",
                               dtype_name(header.dtype), to_string(header.shape)),
                   fmt::format("{} bytes", data.size()));
  const bool reversed = header.fortran_order && header.shape.size() > 1;
  const Shape stored = reversed ? Shape(std::make_reverse_iterator(header.shape.end()),
                                        std::make_reverse_iterator(header.shape.begin()))
                                : header.shape;
  Array array = Array::empty(stored, header.dtype);
  if (!data.empty()) std::memcpy(array.address(), data.data(), data.size());
  if (header.dtype == Dtype::bool_) {
    // Any other byte in a C++ bool is undefined behaviour later on.
    auto* values = static_cast<uint8_t*>(array.address());
    for (size_t i = 0; i < data.size(); ++i) values[i] = values[i] != 0;
  }
  return reversed ? array.transposed() : array;
}

Result<Array> read_npy(const std::string& path) {
  SPRUE_ASSIGN(const MappedFile file, MappedFile::open(path));
  return read_npy_bytes(file.text(), path);
}

std::string npy_bytes(const Array& array) {
  const Array packed = array.contiguous();
  std::string shape = to_string(packed.shape());  // Python's tuple
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                  dtype_size(packed.dtype()) == 1 ? '|' : '<', descr_of(packed.dtype()), shape);
  // Version 2 for the headers that no ordinary shape reaches.
  const bool is_long = header.size() + kAlignment > 0xffff;
  const size_t width = is_long ? 4 : 2;
  const size_t prefix = kMagic.size() + 2 + width;
  header.append(kAlignment - 1 - (prefix + header.size()) % kAlignment, ' ');
  header += '\n';

  std::string bytes(kMagic);
  bytes += is_long ? '\2' : '\1';
  bytes += '\0';
  for (size_t i = 0; i < width; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  bytes += header;
  if (packed.size())
    bytes.append(static_cast<const char*>(packed.address()),
                 static_cast<size_t>(packed.size_bytes()));
  return bytes;
}

Status write_npy(const std::string& path, const Array& array) {
  return write_file_atomically(path, npy_bytes(array));
}

}  // namespace sprue
