// An n-dimensional array: a counted handle on memory, with shape, strides and dtype.
//
//   auto x = sprue::Array::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
//   auto row = x.as_strided({3}, {1}, 3);                 // shares x's memory
//   auto raw = sprue::Array::view(pointer, {8}, sprue::float32, [] { /* give it back */ });
//   float first = row.data<float>()[0];                   // 4
//   sprue::Array scale = 0.5f;                            // a 0-d array; no memory behind it
//
// Not a tensor library: kernels do the arithmetic. Copying a handle shares the memory; the last handle
// gives it back. Handles may be copied and dropped on any thread; one handle object belongs to one
// thread at a time. Shapes are in elements, strides in elements (0 and negative allowed).
// Errors: sprue::Error, invalid_argument, for a shape with a negative extent, a view that leaves its
// memory, or a dtype that differs from T.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sprue/dtype.h"
#include "sprue/half.h"
#include "sprue/small_vector.h"

namespace sprue {

using Shape = SmallVector<int64_t, 6>;    // extents, outermost first
using Strides = SmallVector<int64_t, 6>;  // elements between neighbours, outermost first

enum class DeviceKind : uint8_t { cpu };

struct DeviceId {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;
  bool operator==(const DeviceId&) const = default;
};

// The dtype of a C++ element type; only types with a dtype have one.
template <typename T>
inline constexpr Dtype dtype_of = [] {
  static_assert(sizeof(T) == 0, "this type is no array element");
  return Dtype{};
}();
template <>
inline constexpr Dtype dtype_of<bool> = Dtype::bool_;
template <>
inline constexpr Dtype dtype_of<uint8_t> = Dtype::uint8;
template <>
inline constexpr Dtype dtype_of<uint16_t> = Dtype::uint16;
template <>
inline constexpr Dtype dtype_of<uint32_t> = Dtype::uint32;
template <>
inline constexpr Dtype dtype_of<uint64_t> = Dtype::uint64;
template <>
inline constexpr Dtype dtype_of<int8_t> = Dtype::int8;
template <>
inline constexpr Dtype dtype_of<int16_t> = Dtype::int16;
template <>
inline constexpr Dtype dtype_of<int32_t> = Dtype::int32;
template <>
inline constexpr Dtype dtype_of<int64_t> = Dtype::int64;
template <>
inline constexpr Dtype dtype_of<Float16> = Dtype::float16;
template <>
inline constexpr Dtype dtype_of<BFloat16> = Dtype::bfloat16;
template <>
inline constexpr Dtype dtype_of<float> = Dtype::float32;
template <>
inline constexpr Dtype dtype_of<double> = Dtype::float64;
template <>
inline constexpr Dtype dtype_of<std::complex<float>> = Dtype::complex64;

struct Storage;  // array/storage.h: address, bytes, device, stream, release

// Counted reference to a Storage. Atomic count: safe to copy and drop on any thread.
class StorageReference {
 public:
  StorageReference() = default;
  explicit StorageReference(Storage* adopted) : storage_(adopted) {}
  StorageReference(const StorageReference& other);
  StorageReference(StorageReference&& other) noexcept
      : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageReference& operator=(StorageReference other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageReference();
  Storage* get() const { return storage_; }
  Storage* operator->() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }

 private:
  Storage* storage_ = nullptr;
};

class Array {
 public:
  Array() = default;

  // A 0-d array with the value inside the handle. Python's rules: int -> int32, float -> float32.
  Array(bool value) : Array(scalar(value)) {}     // NOLINT: scalars are welcome as inputs
  Array(int32_t value) : Array(scalar(value)) {}  // NOLINT
  Array(float value) : Array(scalar(value)) {}    // NOLINT
  template <typename T>
  static Array scalar(T value) {
    Array array(dtype_of<T>);
    std::memcpy(&array.value_, &value, sizeof value);
    return array;
  }

  // Uninitialised memory of the CPU, row-contiguous, 64-byte aligned.
  static Array empty(const Shape& shape, Dtype dtype);
  static Array zeros(const Shape& shape, Dtype dtype);
  template <typename T>
  static Array from(std::initializer_list<T> values, const Shape& shape) {
    return from(std::span<const T>(values.begin(), values.size()), shape);
  }
  template <typename T>
  static Array from(const std::vector<T>& values, const Shape& shape) {
    return from(std::span<const T>(values), shape);
  }
  template <typename T>
  static Array from(std::span<const T> values, const Shape& shape) {
    Array array = empty(shape, dtype_of<T>);
    array.require_size(static_cast<int64_t>(values.size()));
    if (!values.empty()) std::memcpy(array.address(), values.data(), values.size_bytes());
    return array;
  }
  // Foreign memory, row-contiguous; `release` runs when the last handle is gone. Memory given as const
  // can't be a mutable input.
  static Array view(void* address, const Shape& shape, Dtype dtype,
                    std::function<void()> release = {});
  static Array view(const void* address, const Shape& shape, Dtype dtype,
                    std::function<void()> release = {});

  // Views on the same memory. `offset` and strides in elements.
  Array as_strided(const Shape& shape, const Strides& strides, int64_t offset = 0) const;
  Array broadcast_to(const Shape& shape) const;
  Array transposed() const;  // dimensions reversed
  Array flipped(int axis) const;
  Array reshaped(const Shape& shape) const;  // row-contiguous arrays only

  Dtype dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  int ndim() const { return static_cast<int>(shape_.size()); }
  int64_t size() const { return size_; }  // elements
  int64_t size_bytes() const { return size_ * static_cast<int64_t>(dtype_size(dtype_)); }
  bool is_row_contiguous() const { return row_contiguous_; }
  bool is_host_scalar() const { return !storage_ && shape_.empty(); }
  bool is_writable() const;
  DeviceId device() const;
  const StorageReference& storage() const { return storage_; }

  // Address of element [0, ..., 0]; null if the array has no elements. Waits for the work that writes
  // this memory. A host scalar's address lies inside the handle.
  const void* address() const { return storage_ ? address_ : shape_.empty() ? &value_ : nullptr; }
  void* address() { return const_cast<void*>(std::as_const(*this).address()); }
  template <typename T>
  const T* data() const {
    require_dtype(dtype_of<T>);
    return static_cast<const T*>(address());
  }
  template <typename T>
  T* data() {
    require_dtype(dtype_of<T>);
    return static_cast<T*>(address());
  }
  template <typename T>
  T item() const {
    require_size(1);
    return data<T>()[0];
  }
  // Elements in row-major order, whatever the strides.
  template <typename T>
  std::vector<T> to_vector() const {
    const Array packed = contiguous();
    const T* first = packed.data<T>();
    return std::vector<T>(first, first + size_);
  }
  // This array, or a row-contiguous copy of it.
  Array contiguous() const;

 private:
  explicit Array(Dtype dtype) : dtype_(dtype), size_(1), row_contiguous_(true) {}
  Array(StorageReference storage, void* address, const Shape& shape, const Strides& strides,
        Dtype dtype);
  void require_dtype(Dtype expected) const;
  void require_size(int64_t expected) const;

  StorageReference storage_;
  void* address_ = nullptr;  // of element [0, ..., 0]
  Shape shape_;
  Strides strides_;
  uint64_t value_[1] = {0};  // a host scalar's bytes
  Dtype dtype_ = Dtype::float32;
  int64_t size_ = 0;
  bool row_contiguous_ = true;
};

// A row-contiguous array's strides. An extent of 1 has the stride it would have if it were larger.
Strides row_contiguous_strides(const Shape& shape);
std::string to_string(const Shape& shape);  // "(8, 128)", "(3,)", "()"
// Digest of dtype, shape and row-major bytes: 32 hexadecimal digits of XXH3-128.
std::string digest(const Array& array);

}  // namespace sprue
