#include "kernel_file/array_type.h"

#include <algorithm>
#include <limits>

namespace sprue {
namespace {

constexpr int64_t kLargestExtent = std::numeric_limits<int64_t>::max();
constexpr size_t kMostDimensions = 32;
constexpr int64_t kMostBytes = int64_t{1} << 40;  // of one array

}  // namespace

bool read_dtype(TableReader& reader, Dtype& dtype) {
  std::string name;
  if (!reader.text("dtype", name)) return false;
  if (dtype_from_name(name, dtype)) return true;
  reader.fail_at(reader.line("dtype"),
                 fmt::format("expected a dtype such as float32 or int8, got {}", quoted(name)));
  return false;
}

void read_shape_and_dtype(TableReader& reader, const Sizes& sizes, Shape& shape, Dtype& dtype) {
  reader.require("shape");
  reader.require("dtype");
  std::vector<int64_t> extents;
  if (!reader.integers("shape", 0, kLargestExtent, sizes, extents) || !read_dtype(reader, dtype))
    return;
  if (extents.size() > kMostDimensions) {
    return reader.fail_at(
        reader.line("shape"),
        fmt::format("expected at most {} dimensions, got {}", kMostDimensions, extents.size()));
  }
  // Extents of 0 count as 1 here: strides are products of the others.
  auto bytes = static_cast<int64_t>(dtype_size(dtype));
  for (const int64_t extent : extents) {
    if (!__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes) && bytes <= kMostBytes)
      continue;
    return reader.fail_at(reader.line("shape"),
                          fmt::format("expected an array of at most 2^40 bytes, got shape {}",
                                      to_string(Shape(extents))));
  }
  shape = Shape(extents);
}

}  // namespace sprue
