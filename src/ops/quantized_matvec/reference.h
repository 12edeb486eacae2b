// The plain meaning of the operation, in double: what every implementation is measured against.
#pragma once

#include <vector>

#include "ops/quantized_matvec/quantized_matrix.h"

namespace sprue {

// w[n, k], row-major, N * K values. Products and sums of float32, float16 and bfloat16 scales with 8-bit
// integers are exact in double unless scale and bias are more than 20 binary orders apart.
Result<std::vector<double>> dequantize_exactly(const QuantizedMatrix& matrix);

struct ReferenceResult {
  std::vector<double> y;
  // sum over k of |x[k]| * (|scale * q| + |bias|): what errors of a float32 sum are proportional to.
  std::vector<double> magnitude;
};
// `x`: [K] of float32, float16 or bfloat16.
Result<ReferenceResult> quantized_matvec_reference(const QuantizedMatrix& matrix, const Array& x);

}  // namespace sprue
