// Between float32 matrices and affine integers (quantized_matrix.h).
//
//   SPRUE_ASSIGN(QuantizedMatrix q, quantize(weights, /*bits=*/4, /*group_size=*/64, bfloat16));
//   SPRUE_ASSIGN(Array approximation, dequantize(q));   // float32 [N, K]
//
// The scale of a group is chosen so that the extreme of larger magnitude and zero are both represented
// (as in MLX, so its sign is that of the smaller side); each element is then rounded against the scale
// and bias as they are stored, in their dtype. Not a calibrated quantiser: it sees weights only.
// Errors: invalid_argument for shapes, dtypes, bits and groups that don't fit, weights that aren't
// finite, and scales beyond the dtype's range. Single-threaded; linear in the weights.
#pragma once

#include "ops/quantized_matvec/quantized_matrix.h"

namespace sprue {

// `weights`: float32 [N, K]. `scale_dtype`: float32, float16 or bfloat16.
Result<QuantizedMatrix> quantize(const Array& weights, int bits, int group_size, Dtype scale_dtype);

// float32 [N, K]; scale * q + bias rounded once.
Result<Array> dequantize(const QuantizedMatrix& matrix);

}  // namespace sprue
