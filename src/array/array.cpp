#include "sprue/array.h"

#include <algorithm>

#include "array/storage.h"
#include "array/strided_copy.h"
#include "base/hash.h"
#include "base/result.h"

namespace sprue {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, "[array] " + message);
}

// Elements of a shape; refuses negative extents and sizes that don't fit 63 bits of bytes. An
// extent of 0 doesn't excuse the others: strides are products of them.
int64_t checked_size(const Shape& shape, Dtype dtype) {
  const auto element = static_cast<int64_t>(dtype_size(dtype));
  bool empty = false;
  int64_t bytes = element;
  for (int64_t extent : shape) {
    if (extent < 0) refuse(fmt::format("expected extents >= 0, got shape {}", to_string(shape)));
    empty |= extent == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes))
      refuse(fmt::format("expected a size below 2^63 bytes, got shape {}", to_string(shape)));
  }
  return empty ? 0 : bytes / element;
}

bool has_row_contiguous_strides(const Shape& shape, const Strides& strides) {
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

}  // namespace

Array::Array(StorageReference storage, void* address, const Shape& shape, const Strides& strides,
             Dtype dtype)
    : storage_(std::move(storage)),
      address_(address),
      shape_(shape),
      strides_(strides),
      dtype_(dtype),
      size_(checked_size(shape, dtype)),
      row_contiguous_(size_ == 0 || has_row_contiguous_strides(shape, strides)) {
  if (size_ == 0) address_ = nullptr;
}

Array Array::empty(const Shape& shape, Dtype dtype) {
  const int64_t bytes = checked_size(shape, dtype) * static_cast<int64_t>(dtype_size(dtype));
  StorageReference storage = allocate_host_storage(static_cast<size_t>(bytes));
  void* address = storage->address;
  return Array(std::move(storage), address, shape, row_contiguous_strides(shape), dtype);
}

Array Array::zeros(const Shape& shape, Dtype dtype) {
  Array array = empty(shape, dtype);
  if (array.size()) std::memset(array.address(), 0, static_cast<size_t>(array.size_bytes()));
  return array;
}

Array Array::view(void* address, const Shape& shape, Dtype dtype, std::function<void()> release) {
  const int64_t bytes = checked_size(shape, dtype) * static_cast<int64_t>(dtype_size(dtype));
  if (!address && bytes) refuse("expected an address for a view with elements, got null");
  auto* storage = new Storage;
  storage->address = address;
  storage->bytes = static_cast<size_t>(bytes);
  storage->release = std::move(release);
  return Array(StorageReference(storage), address, shape, row_contiguous_strides(shape), dtype);
}

Array Array::view(const void* address, const Shape& shape, Dtype dtype,
                  std::function<void()> release) {
  Array array = view(const_cast<void*>(address), shape, dtype, std::move(release));
  array.storage_->writable = false;
  return array;
}

Array Array::as_strided(const Shape& shape, const Strides& strides, int64_t offset) const {
  if (shape.size() != strides.size())
    refuse(fmt::format("expected one stride per dimension, got shape {} and strides {}",
                       to_string(shape), to_string(strides)));
  const Array base = is_host_scalar() ? contiguous() : *this;
  char* first = nullptr;
  if (checked_size(shape, dtype_) != 0) {
    // Wide enough for any sum of products of two extents or strides.
    using Wide = __int128;
    Wide lowest = offset, highest = offset;
    for (size_t i = 0; i < shape.size(); ++i) {
      const Wide reach = Wide{shape[i] - 1} * strides[i];
      (reach < 0 ? lowest : highest) += reach;
    }
    const auto element = static_cast<int64_t>(dtype_size(dtype_));
    const auto* begin = static_cast<const char*>(base.storage_->address);
    const auto before = static_cast<const char*>(base.address_) - begin;  // bytes in front of us
    const auto bytes = static_cast<int64_t>(base.storage_->bytes);
    if (!base.address_ || lowest * element + before < 0 || (highest + 1) * element + before > bytes)
      refuse(
          fmt::format("expected a view inside its memory of {} bytes, got shape {}, strides {}, "
                      "offset {}",
                      bytes, to_string(shape), to_string(strides), offset));
    first = static_cast<char*>(base.address_) + offset * element;
  }
  return Array(base.storage_, first, shape, strides, dtype_);
}

Array Array::broadcast_to(const Shape& shape) const {
  Strides strides(shape.size(), 0);
  const size_t added = shape.size() - std::min(shape.size(), shape_.size());
  bool fits = shape.size() >= shape_.size();
  for (size_t i = 0; fits && i < shape_.size(); ++i) {
    fits = shape_[i] == shape[added + i] || shape_[i] == 1;
    strides[added + i] = shape_[i] == 1 ? 0 : strides_[i];
  }
  if (!fits)
    refuse(fmt::format("expected a shape that {} broadcasts to, got {}", to_string(shape_),
                       to_string(shape)));
  return as_strided(shape, strides, 0);
}

Array Array::transposed() const {
  Shape shape(std::make_reverse_iterator(shape_.end()), std::make_reverse_iterator(shape_.begin()));
  Strides strides(std::make_reverse_iterator(strides_.end()),
                  std::make_reverse_iterator(strides_.begin()));
  return as_strided(shape, strides, 0);
}

Array Array::flipped(int axis) const {
  if (axis < 0 || axis >= ndim())
    refuse(fmt::format("expected an axis in 0..{}, got {}", ndim() - 1, axis));
  const auto i = static_cast<size_t>(axis);
  Strides strides = strides_;
  strides[i] = -strides[i];
  return as_strided(shape_, strides, size_ ? (shape_[i] - 1) * strides_[i] : 0);
}

Array Array::reshaped(const Shape& shape) const {
  if (!row_contiguous_)
    refuse(
        "expected a row-contiguous array to reshape, got a strided one; take contiguous() first");
  if (checked_size(shape, dtype_) != size_)
    refuse(fmt::format("expected a shape of {} elements, got {}", size_, to_string(shape)));
  return as_strided(shape, row_contiguous_strides(shape), 0);
}

bool Array::is_writable() const { return storage_ && storage_->writable; }
DeviceId Array::device() const { return storage_ ? storage_->device : DeviceId{}; }

Array Array::contiguous() const {
  if (row_contiguous_ && !is_host_scalar()) return *this;
  Array packed = empty(shape_, dtype_);
  copy_strided(*this, packed.address());
  return packed;
}

void Array::require_dtype(Dtype expected) const {
  if (dtype_ != expected)
    refuse(
        fmt::format("expected an array of {}, got {}", dtype_name(expected), dtype_name(dtype_)));
}

void Array::require_size(int64_t expected) const {
  if (size_ != expected)
    refuse(fmt::format("expected {} elements, got {} for shape {}", expected, size_,
                       to_string(shape_)));
}

Strides row_contiguous_strides(const Shape& shape) {
  Strides strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(shape[i], 1);
  return strides;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string digest(const Array& array) {
  const Array packed = array.contiguous();
  Hasher hasher;
  hasher.field("dtype", dtype_name(packed.dtype()));
  hasher.field("ndim", static_cast<uint64_t>(packed.ndim()));
  for (int64_t extent : packed.shape()) hasher.field("extent", static_cast<uint64_t>(extent));
  hasher.bytes(packed.address(), static_cast<size_t>(packed.size_bytes()));
  return hasher.digest().hex();
}

}  // namespace sprue
