#include "ops/quantized_matvec/quantized_matvec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/quantized_matvec/reference.h"
#include "ops/test_matrix.h"

namespace sprue {
namespace {

constexpr Dtype kDtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16};

// The double sum written straight from the definition, without the shared reference.
double direct(const QuantizedMatrix& m, const Array& x, int64_t row) {
  const auto value = [](const Array& array, int64_t i) -> double {
    switch (array.dtype()) {
      case Dtype::float16:
        return float(array.data<Float16>()[i]);
      case Dtype::bfloat16:
        return float(array.data<BFloat16>()[i]);
      default:
        return array.data<float>()[i];
    }
  };
  double sum = 0;
  for (int64_t k = 0; k < x.size(); ++k) {
    const auto* bytes =
        reinterpret_cast<const uint8_t*>(m.weights.data<uint32_t>()) + row * x.size() * m.bits / 8;
    const int q = m.bits == 8 ? bytes[k] : bytes[k / 2] >> (k % 2 * 4) & 15;
    const int64_t group = row * (x.size() / m.group_size) + k / m.group_size;
    sum += value(x, k) * (value(m.scales, group) * q + value(m.biases, group));
  }
  return sum;
}

TEST(QuantizedMatvec, EveryCombinationAgainstADoubleSum) {
  for (const int bits : {4, 8}) {
    for (const int group : {32, 64, 128}) {
      for (const Dtype scale_dtype : kDtypes) {
        for (const Dtype x_dtype : kDtypes) {
          for (const int64_t rows : {1, 7, 130}) {
            // One group; an odd number of groups, which leaves half a block of 8 words at 4 bits; many.
            for (const int64_t groups : {1, 3, 10}) {
              const int64_t columns = groups * group;
              const QuantizedMatrix matrix =
                  random_quantized(rows, columns, bits, group, scale_dtype, 7);
              const Array x = random_vector(columns, x_dtype, 8);
              const auto y = quantized_matvec(matrix, x);
              ASSERT_TRUE(y) << y.error().message();
              ASSERT_EQ(y->dtype(), x_dtype);
              ASSERT_EQ(y->shape(), Shape{rows});
              const auto reference = quantized_matvec_reference(matrix, x);
              ASSERT_TRUE(reference);
              for (int64_t row = 0; row < rows; ++row) {
                const double expected = direct(matrix, x, row);
                const auto i = static_cast<size_t>(row);
                ASSERT_NEAR(reference->y[i], expected, 1e-12 * reference->magnitude[i]);
                ASSERT_NEAR(element(*y, row), expected, tolerance(*reference, i, x_dtype))
                    << bits << " bits, group " << group << ", " << dtype_name(scale_dtype) << ", x "
                    << dtype_name(x_dtype) << ", " << rows << " x " << columns << ", row " << row;
              }
            }
          }
        }
      }
    }
  }
}

TEST(QuantizedMatvec, OneHotVectorsPickOneWeightExactly) {
  for (const int bits : {4, 8}) {
    const QuantizedMatrix matrix = random_quantized(3, 96, bits, 32, float16, 9);
    const auto weights = dequantize_exactly(matrix);
    ASSERT_TRUE(weights);
    for (int64_t k = 0; k < 96; ++k) {
      Array x = Array::zeros({96}, float32);
      x.data<float>()[k] = 1;
      const auto y = quantized_matvec(matrix, x);
      ASSERT_TRUE(y);
      for (int64_t row = 0; row < 3; ++row) {
        const double expected = (*weights)[static_cast<size_t>(row * 96 + k)];
        // Scale times q and the bias are exact in float16's 11 bits times 8; their sum rounds once.
        EXPECT_EQ(y->data<float>()[row], static_cast<float>(expected)) << bits << ' ' << k;
      }
    }
  }
}

TEST(QuantizedMatvec, LargeMatricesAreSpreadWithoutChangingABit) {
  const QuantizedMatrix matrix = random_quantized(3000, 576, 4, 32, float16, 10);
  const Array x = random_vector(576, float32, 11);
  const auto whole = quantized_matvec(matrix, x);
  ASSERT_TRUE(whole);
  for (const int64_t row : {0, 1, 1499, 2999}) {
    QuantizedMatrix one = matrix;
    const auto pick = [row](const Array& array) {
      const int64_t width = array.shape()[1];
      return array.as_strided({1, width}, {width, 1}, row * width);
    };
    one.weights = pick(matrix.weights);
    one.scales = pick(matrix.scales);
    one.biases = pick(matrix.biases);
    const auto y = quantized_matvec(one, x);
    ASSERT_TRUE(y);
    EXPECT_EQ(y->data<float>()[0], whole->data<float>()[row]);
  }
}

TEST(QuantizedMatvec, StridedInputs) {
  const QuantizedMatrix matrix = random_quantized(5, 64, 4, 32, float32, 12);
  const Array x = random_vector(64, float32, 13);
  QuantizedMatrix strided = matrix;
  strided.scales = matrix.scales.transposed().contiguous().transposed();
  strided.weights = matrix.weights.transposed().contiguous().transposed();
  ASSERT_FALSE(strided.scales.is_row_contiguous());
  EXPECT_EQ(digest(*quantized_matvec(strided, x.flipped(0).contiguous().flipped(0))),
            digest(*quantized_matvec(matrix, x)));
}

TEST(QuantizedMatvec, EmptyMatrices) {
  const QuantizedMatrix no_rows = random_quantized(0, 64, 4, 32, float32, 14);
  const auto none = quantized_matvec(no_rows, Array::zeros({64}, float32));
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_EQ(none->size(), 0);
  const QuantizedMatrix no_columns = random_quantized(3, 0, 4, 64, float16, 15);
  const auto zeros = quantized_matvec(no_columns, Array::zeros({0}, float16));
  ASSERT_TRUE(zeros) << zeros.error().message();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(element(*zeros, i), 0);
}

TEST(QuantizedMatvec, RefusesArraysThatDoNotFit) {
  const QuantizedMatrix good = random_quantized(4, 128, 4, 64, float32, 16);
  const Array x = Array::zeros({128}, float32);
  ASSERT_TRUE(quantized_matvec(good, x));
  const auto refused = [&](auto change) {
    QuantizedMatrix matrix = good;
    Array input = x;
    change(matrix, input);
    const auto y = quantized_matvec(matrix, input);
    EXPECT_FALSE(y);
    return y ? "" : y.error().message();
  };
  refused([](auto& m, auto&) { m.bits = 0; });
  refused([](auto& m, auto&) { m.bits = 8; });
  refused([](auto& m, auto&) { m.group_size = 32; });
  EXPECT_EQ(
      refused([](auto& m, auto&) {
        m.weights = Array::zeros({4, 16}, int32);
      }),
      "[quantized_matvec] expected weights of dtype uint32 and 2 dimensions, got int32 (4, 16)");
  refused([](auto& m, auto&) { m.weights = Array::zeros({64}, uint32); });
  refused([](auto& m, auto&) { m.weights = Array::zeros({4, 17}, uint32); });
  refused([](auto& m, auto&) { m.scales = Array::zeros({4, 2}, float16); });
  refused([](auto& m, auto&) { m.scales = m.biases = Array::zeros({4, 2}, int32); });
  refused([](auto& m, auto&) { m.scales = m.biases = Array::zeros({4, 3}, float32); });
  refused([](auto& m, auto&) { m.scales = m.biases = Array::zeros({5, 2}, float32); });
  refused([](auto& m, auto&) { m.scales = Array::zeros({4, 4}, float32); });
  refused([](auto&, auto& input) { input = Array::zeros({64}, float32); });
  refused([](auto&, auto& input) { input = Array::zeros({1, 128}, float32); });
  refused([](auto&, auto& input) { input = Array::zeros({128}, int32); });
  Array wrong = Array::zeros({5}, float32);
  EXPECT_FALSE(quantized_matvec_into(good, x, wrong));
  Array half = Array::zeros({4}, float16);
  EXPECT_FALSE(quantized_matvec_into(good, x, half));
}

TEST(QuantizedMatvec, TheMetalCallIsSizedByTheMatrix) {
  const KernelOptions options = quantized_matvec_options();
  EXPECT_EQ(options.input_names, (std::vector<std::string>{"w", "scales", "biases", "x"}));
  EXPECT_NE(options.source.find("simd_sum"), std::string::npos);
  const KernelCall call = quantized_matvec_call(random_quantized(9, 128, 8, 64, float16, 17),
                                                Array::zeros({128}, bfloat16));
  EXPECT_EQ(call.grid, (Size3{32, 3, 1}));
  EXPECT_EQ(call.output_shapes[0], Shape{9});
  EXPECT_EQ(call.output_dtypes[0], Dtype::bfloat16);
  EXPECT_EQ(std::get<int>(call.template_arguments[1].value), 8);
  EXPECT_EQ(std::get<int>(call.template_arguments[2].value), 64);
}

}  // namespace
}  // namespace sprue
