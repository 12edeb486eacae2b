// A vector whose first N elements live inside the object: shapes, arguments and results of a call
// need no allocation up to N elements.
//
//   SmallVector<int64_t, 6> shape = {8, 128};
//
// Not a general container: it has what a call needs (append, index, iterate, compare). Moves and copies
// cost one element operation each while the elements are inside. Not thread-safe, like std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sprue {

template <typename T, size_t N>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  SmallVector(const std::vector<T>& values) {  // NOLINT: a vector is welcome wherever a list is
    for (const auto& value : values) push_back(value);
  }
  template <typename Iterator>
  requires(!std::is_integral_v<Iterator>) SmallVector(Iterator first, Iterator last) {
    append(first, last);
  }
  explicit SmallVector(size_t count, const T& value = T()) { resize(count, value); }
  SmallVector(const SmallVector& other) { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { take(std::move(other)); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(std::move(other));
    }
    return *this;
  }
  ~SmallVector() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void reserve(size_t count) {
    if (count > capacity_) grow(count);
  }
  template <typename... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ == capacity_) {
      // Built first: an argument may stand in the buffer that grows.
      T value(std::forward<Arguments>(arguments)...);
      grow(capacity_ * 2);
      return *std::construct_at(data_ + size_++, std::move(value));
    }
    return *std::construct_at(data_ + size_++, std::forward<Arguments>(arguments)...);
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  void pop_back() { std::destroy_at(data_ + --size_); }
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace_back(*first);
  }
  void resize(size_t count, T value = T()) {  // by value: it may stand in the buffer that grows
    reserve(count);
    while (size_ > count) pop_back();
    while (size_ < count) emplace_back(value);
  }
  void clear() {
    std::destroy_n(data_, size_);
    size_ = 0;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inside() { return reinterpret_cast<T*>(inside_); }

  void grow(size_t count) {
    count = std::max(count, capacity_ * 2);
    T* larger = std::allocator<T>().allocate(count);
    std::uninitialized_move_n(data_, size_, larger);
    std::destroy_n(data_, size_);
    if (data_ != inside()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = larger;
    capacity_ = count;
  }
  void take(SmallVector&& other) noexcept {
    if (other.data_ != other.inside()) {
      data_ = std::exchange(other.data_, other.inside());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = std::exchange(other.size_, 0);
      return;
    }
    std::uninitialized_move_n(other.data_, other.size_, data_);
    size_ = other.size_;
    other.clear();
  }
  void release() {
    clear();
    if (data_ != inside()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inside();
    capacity_ = N;
  }

  alignas(T) std::byte inside_[N * sizeof(T)];
  T* data_ = inside();
  size_t size_ = 0;
  size_t capacity_ = N;
};

}  // namespace sprue
