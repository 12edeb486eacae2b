// The shipped Metal body through the ordinary door, against the double reference.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/quantized_matvec/quantized_matvec.h"
#include "ops/quantized_matvec/reference.h"
#include "ops/test_matrix.h"

namespace sprue {
namespace {

void expect_close(const Kernel& kernel, const QuantizedMatrix& matrix, const Array& x) {
  const auto reference = quantized_matvec_reference(matrix, x);
  ASSERT_TRUE(reference) << reference.error().message();
  KernelCall call = quantized_matvec_call(matrix, x);
  call.init_value = std::nan("");  // an element that no thread wrote
  const Arrays outputs = kernel(call);
  ASSERT_EQ(outputs.size(), 1u);
  ASSERT_EQ(outputs[0].shape(), Shape{matrix.rows()});
  ASSERT_EQ(outputs[0].dtype(), x.dtype());
  for (int64_t row = 0; row < matrix.rows(); ++row) {
    const auto i = static_cast<size_t>(row);
    ASSERT_NEAR(element(outputs[0], row), reference->y[i], tolerance(*reference, i, x.dtype()))
        << matrix.bits << " bits, group " << matrix.group_size << ", scales "
        << dtype_name(matrix.scales.dtype()) << ", x " << dtype_name(x.dtype()) << ", "
        << matrix.rows() << " x " << matrix.columns() << ", row " << row;
  }
}

TEST(QuantizedMatvecMetalBody, EveryBitsGroupAndDtype) {
  const Kernel kernel = metal_kernel(quantized_matvec_options());
  for (const int bits : {4, 8}) {
    for (const int group : {32, 64, 128}) {
      // Each dtype as scales and as x once: the full product would be 54 compiles.
      for (const auto& [scales, x] :
           {std::pair{Dtype::float32, Dtype::float16}, std::pair{Dtype::float16, Dtype::bfloat16},
            std::pair{Dtype::bfloat16, Dtype::float32}}) {
        expect_close(kernel, random_quantized(10, 3 * group, bits, group, scales, 1),
                     random_vector(3 * group, x, 2));
      }
    }
  }
}

TEST(QuantizedMatvecMetalBody, EveryRestOfRowsAndWords) {
  const Kernel kernel = metal_kernel(quantized_matvec_options());
  // Rows around a simdgroup's 4 and a threadgroup's 8; words around a simdgroup's 32 lanes. Few groups and
  // rows put scales and weights into constant space.
  for (const int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 33}) {
    for (const int64_t groups : {1, 2, 7, 8, 9, 18}) {
      expect_close(kernel, random_quantized(rows, groups * 32, 4, 32, float16, 3),
                   random_vector(groups * 32, float32, 4));
    }
  }
}

TEST(QuantizedMatvecMetalBody, AgreesWithTheNativeLoop) {
  const Kernel kernel = metal_kernel(quantized_matvec_options());
  const QuantizedMatrix matrix = random_quantized(300, 576, 4, 32, float16, 5);
  const Array x = random_vector(576, float32, 6);
  const auto native = quantized_matvec(matrix, x);
  ASSERT_TRUE(native);
  const Arrays outputs = kernel(quantized_matvec_call(matrix, x));
  const auto reference = quantized_matvec_reference(matrix, x);
  for (int64_t row = 0; row < 300; ++row) {
    ASSERT_NEAR(element(outputs[0], row), element(*native, row),
                2 * tolerance(*reference, static_cast<size_t>(row), float32));
  }
}

}  // namespace
}  // namespace sprue
