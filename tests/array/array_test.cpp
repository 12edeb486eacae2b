#include "sprue/array.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "array/storage.h"
#include "sprue/error.h"

namespace sprue {
namespace {

Array counting(const Shape& shape) {
  std::vector<int32_t> values(static_cast<size_t>(Array::empty(shape, int32).size()));
  std::iota(values.begin(), values.end(), 0);
  return Array::from(values, shape);
}

// Row-major order by recursion over indices, one element at a time.
template <typename T>
void collect(const Array& array, size_t axis, const T* element, std::vector<T>& out) {
  if (axis == array.shape().size()) {
    out.push_back(*element);
    return;
  }
  for (int64_t i = 0; i < array.shape()[axis]; ++i)
    collect(array, axis + 1, element + i * array.strides()[axis], out);
}

template <typename T>
std::vector<T> naive(const Array& array) {
  std::vector<T> out;
  if (array.size()) collect(array, 0, array.data<T>(), out);
  return out;
}

template <typename Call>
void expect_refused(Call call) {
  try {
    call();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_TRUE(error.message().starts_with("[array] expected ")) << error.message();
  }
}

TEST(Array, DtypeTable) {
  const size_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8};
  std::set<std::string_view> names;
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    EXPECT_EQ(dtype_size(dtype), sizes[i]);
    names.insert(dtype_name(dtype));
    Dtype found = dtype == bool_ ? uint8 : bool_;
    EXPECT_TRUE(dtype_from_name(dtype_name(dtype), found));
    EXPECT_EQ(found, dtype);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kDtypeCount));
  Dtype untouched = int8;
  EXPECT_FALSE(dtype_from_name("float8", untouched));
  EXPECT_EQ(untouched, int8);
  EXPECT_TRUE(dtype_is_floating(bfloat16));
  EXPECT_FALSE(dtype_is_floating(complex64));
}

TEST(Array, ShapesAndContiguity) {
  const Array x = counting({2, 3, 4});
  EXPECT_EQ(x.strides(), (Strides{12, 4, 1}));
  EXPECT_EQ(x.size(), 24);
  EXPECT_EQ(x.size_bytes(), 96);
  EXPECT_TRUE(x.is_row_contiguous());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.address()) % 64, 0u);
  EXPECT_FALSE(x.transposed().is_row_contiguous());
  EXPECT_TRUE(counting({1, 5, 1}).transposed().is_row_contiguous());  // extents of 1 don't matter
  EXPECT_EQ(to_string(Shape{8, 128}), "(8, 128)");
  EXPECT_EQ(to_string(Shape{3}), "(3,)");
  EXPECT_EQ(to_string(Shape{}), "()");
}

TEST(Array, ScalarsLiveInTheHandle) {
  const Array scalar = 0.5f;
  EXPECT_TRUE(scalar.is_host_scalar());
  EXPECT_EQ(scalar.ndim(), 0);
  EXPECT_EQ(scalar.item<float>(), 0.5f);
  const Array copy = scalar;
  EXPECT_NE(copy.address(), scalar.address());
  EXPECT_EQ(copy.item<float>(), 0.5f);
  EXPECT_EQ(Array(true).dtype(), bool_);
  EXPECT_EQ(Array(-3).item<int32_t>(), -3);
  EXPECT_EQ(Array::scalar(std::complex<float>(1, 2)).item<std::complex<float>>().imag(), 2);
  EXPECT_EQ(scalar.broadcast_to({2, 2}).to_vector<float>(), std::vector<float>(4, 0.5f));
  EXPECT_FALSE(scalar.is_writable());
  EXPECT_EQ(digest(scalar), digest(Array::from<float>({0.5f}, {})));
}

TEST(Array, ViewsShareMemory) {
  Array x = counting({2, 3});
  const Array row = x.as_strided({3}, {1}, 3);
  EXPECT_EQ(row.to_vector<int32_t>(), (std::vector<int32_t>{3, 4, 5}));
  x.data<int32_t>()[4] = 99;
  EXPECT_EQ(row.data<int32_t>()[1], 99);
  EXPECT_EQ(x.flipped(1).to_vector<int32_t>(), (std::vector<int32_t>{2, 1, 0, 5, 99, 3}));
  EXPECT_EQ(x.flipped(0).flipped(0).to_vector<int32_t>(), x.to_vector<int32_t>());
  EXPECT_EQ(x.transposed().to_vector<int32_t>(), (std::vector<int32_t>{0, 3, 1, 99, 2, 5}));
  EXPECT_EQ(row.broadcast_to({2, 3}).to_vector<int32_t>(),
            (std::vector<int32_t>{3, 99, 5, 3, 99, 5}));
  EXPECT_EQ(x.reshaped({3, 2}).address(), x.address());
  EXPECT_EQ(x.contiguous().address(), x.address());
  EXPECT_NE(x.transposed().contiguous().address(), x.address());
}

// Random chains of views of every element size against the naive walk.
TEST(Array, StridedCopiesMatchANaiveWalk) {
  std::mt19937 random(7);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  auto check = [&]<typename T>(T) {
    for (int round = 0; round < 200; ++round) {
      std::vector<T> values(5040);
      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(random());
      Array x = Array::from(values, {2, 3, 4, 5, 6, 7});
      for (int step = 0; step < 4; ++step) {
        switch (below(4)) {
          case 0:
            x = x.transposed();
            break;
          case 1:
            x = x.flipped(static_cast<int>(below(x.ndim())));
            break;
          case 2: {  // every second element of one axis
            Shape shape = x.shape();
            Strides strides = x.strides();
            const auto axis = static_cast<size_t>(below(x.ndim()));
            shape[axis] = (shape[axis] + 1) / 2;
            strides[axis] *= 2;
            x = x.as_strided(shape, strides);
            break;
          }
          default: {
            if (x.ndim() > 6) break;
            Shape shape{2};
            shape.append(x.shape().begin(), x.shape().end());
            x = x.broadcast_to(shape);
          }
        }
      }
      ASSERT_EQ(x.to_vector<T>(), naive<T>(x));
    }
  };
  check(uint8_t{});
  check(int16_t{});
  check(uint32_t{});
  check(int64_t{});
}

TEST(Array, ViewsOutsideTheirMemoryAreRefused) {
  const Array x = counting({4, 5});
  EXPECT_NO_THROW((void)x.as_strided({4, 5}, {-5, -1}, 19));
  EXPECT_NO_THROW((void)x.as_strided({20}, {1}));
  expect_refused([&] { (void)x.as_strided({21}, {1}); });
  expect_refused([&] { (void)x.as_strided({20}, {1}, 1); });
  expect_refused([&] { (void)x.as_strided({1}, {1}, -1); });
  expect_refused([&] { (void)x.as_strided({20}, {-1}, 18); });
  expect_refused([&] { (void)x.as_strided({3}, {10}); });
  expect_refused([&] { (void)x.as_strided({3}, {1, 1}); });
  expect_refused([&] { (void)x.as_strided({-1}, {1}); });
  // A view of a view is judged by the memory, not by the view.
  const Array tail = x.as_strided({5}, {1}, 15);
  EXPECT_NO_THROW((void)tail.as_strided({1}, {1}, -15));
  expect_refused([&] { (void)tail.as_strided({1}, {1}, -16); });
  expect_refused([&] { (void)tail.as_strided({6}, {1}); });
}

// Products that wrap in 64 bits.
TEST(Array, OverflowingViewsAndShapesAreRefused) {
  const Array x = counting({8});
  constexpr int64_t kLarge = int64_t{1} << 62;
  expect_refused([&] { (void)x.as_strided({5}, {kLarge}); });
  expect_refused([&] { (void)x.as_strided({5}, {-kLarge}); });
  expect_refused([&] { (void)x.as_strided({3, 3}, {INT64_MAX, INT64_MIN}); });
  expect_refused([&] { (void)x.as_strided({1}, {1}, INT64_MAX); });
  expect_refused([&] { (void)x.as_strided({1}, {1}, kLarge); });  // 4 * 2^62 wraps to 0
  expect_refused([&] { (void)x.broadcast_to({kLarge, 4, 8}); });
  for (Dtype dtype : {bool_, uint8, float16, float32, complex64}) {
    expect_refused([&] { (void)Array::empty({kLarge, 4}, dtype); });
    expect_refused([&] { (void)Array::empty({INT64_MAX, INT64_MAX}, dtype); });
    expect_refused([&] { (void)Array::empty({0, INT64_MAX, INT64_MAX}, dtype); });
    expect_refused([&] { (void)Array::empty({-1}, dtype); });
    expect_refused([&] { (void)Array::empty({0, -1}, dtype); });
  }
  EXPECT_NO_THROW((void)x.as_strided({1, 8}, {kLarge, 1}).to_vector<int32_t>());
  EXPECT_EQ(x.as_strided({2, 1, 2}, {4, kLarge, 2}).to_vector<int32_t>(),
            (std::vector<int32_t>{0, 2, 4, 6}));
}

TEST(Array, MismatchesAreRefused) {
  const Array x = counting({2, 3});
  expect_refused([&] { (void)x.data<float>(); });
  expect_refused([&] { (void)x.item<int32_t>(); });
  expect_refused([&] { (void)x.reshaped({5}); });
  expect_refused([&] { (void)x.transposed().reshaped({6}); });
  expect_refused([&] { (void)x.broadcast_to({2, 4}); });
  expect_refused([&] { (void)x.broadcast_to({3}); });
  expect_refused([&] { (void)x.flipped(2); });
  expect_refused([&] { (void)x.flipped(-1); });
  expect_refused([&] { (void)Array::from<float>({1, 2, 3}, {2}); });
  expect_refused([&] { (void)Array::view(static_cast<void*>(nullptr), {1}, float32); });
}

TEST(Array, EmptyArrays) {
  for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{0, 3, 2}}) {
    const Array x = Array::zeros(shape, float32);
    EXPECT_EQ(x.size(), 0);
    EXPECT_EQ(x.address(), nullptr);
    EXPECT_TRUE(x.is_row_contiguous());
    EXPECT_TRUE(x.transposed().to_vector<float>().empty());
    EXPECT_TRUE(x.flipped(0).to_vector<float>().empty());
  }
  EXPECT_EQ(counting({4}).as_strided({0}, {1}, 1000).size(), 0);
  expect_refused([] { (void)Array::zeros({0}, float32).as_strided({1}, {1}); });
}

TEST(Array, ForeignMemoryIsGivenBackOnce) {
  int releases = 0;
  std::vector<float> memory(6, 1.5f);
  {
    Array view = Array::view(memory.data(), {2, 3}, float32, [&] { ++releases; });
    EXPECT_EQ(view.address(), memory.data());
    EXPECT_TRUE(view.is_writable());
    const Array row = view.as_strided({3}, {1}, 3);
    view = Array();
    EXPECT_EQ(releases, 0);
    EXPECT_EQ(row.data<float>()[0], 1.5f);
  }
  EXPECT_EQ(releases, 1);
  const std::vector<float>& constant = memory;
  EXPECT_FALSE(Array::view(constant.data(), {6}, float32).is_writable());
}

TEST(Array, HandlesAreDroppedOnAnyThread) {
  int releases = 0;
  int value = 7;
  {
    const Array x = Array::view(&value, {1}, int32, [&] { ++releases; });
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([x] {
        for (int round = 0; round < 1000; ++round) {
          const Array copy = x;
          EXPECT_EQ(copy.item<int32_t>(), 7);
        }
      });
    for (auto& thread : threads) thread.join();
  }
  EXPECT_EQ(releases, 1);
}

TEST(Array, PoolGivesDistinctAlignedMemory) {
  for (int round = 0; round < 3; ++round) {
    std::vector<Array> arrays;
    for (int64_t size : {0, 1, 15, 16, 17, 1000, 1 << 20}) {
      arrays.push_back(Array::empty({size}, float32));
      std::fill_n(arrays.back().data<float>(), size, static_cast<float>(size));
    }
    for (const Array& array : arrays) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(array.address()) % 64, 0u);
      for (float value : array.to_vector<float>())
        ASSERT_EQ(value, static_cast<float>(array.size()));
    }
  }
}

TEST(Array, DigestTellsDtypeShapeAndBytes) {
  const std::vector<int32_t> zeros(6, 0);
  std::set<std::string> digests;
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{3, 2}, Shape{1, 6}, Shape{6, 1}})
    for (Dtype dtype : {int32, uint32, float32}) digests.insert(digest(Array::zeros(shape, dtype)));
  EXPECT_EQ(digests.size(), 15u);
  const Array x = counting({2, 3});
  Array y = counting({2, 3});
  EXPECT_EQ(digest(x), digest(y));
  y.data<int32_t>()[5] = 6;
  EXPECT_NE(digest(x), digest(y));
  // Of row-major content, however it lies in memory.
  EXPECT_EQ(digest(x.transposed()), digest(x.transposed().contiguous()));
  EXPECT_NE(digest(x.transposed()), digest(x.reshaped({3, 2})));
  EXPECT_EQ(digest(x).size(), 32u);
}

}  // namespace
}  // namespace sprue
