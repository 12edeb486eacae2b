#include "ops/quantized_matvec/quantized_matrix.h"

#include "ops/widen.h"

namespace sprue {

Result<QuantizedMatrix> make_quantized_matrix(const Array& weights, const Array& scales,
                                              const Array& biases, int64_t columns,
                                              std::string_view origin) {
  if (weights.dtype() != Dtype::uint32 || weights.ndim() != 2) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected weights of dtype uint32 and 2 dimensions, got {} {}",
                dtype_name(weights.dtype()), to_string(weights.shape()));
  }
  const int64_t rows = weights.shape()[0], words = weights.shape()[1];
  if (!is_widenable(scales.dtype()) || scales.dtype() != biases.dtype()) {
    return fail(
        ErrorCode::invalid_argument, origin,
        "expected scales and biases of one dtype of float32, float16, bfloat16, got {} and {}",
        dtype_name(scales.dtype()), dtype_name(biases.dtype()));
  }
  if (scales.ndim() != 2 || scales.shape()[0] != rows || !(scales.shape() == biases.shape())) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected scales and biases of shape ({}, groups), got {} and {}", rows,
                to_string(scales.shape()), to_string(biases.shape()));
  }
  QuantizedMatrix matrix{weights, scales, biases};
  const int64_t groups = scales.shape()[1];
  if (columns == 0 && words == 0 && groups == 0) return matrix;
  // Neither product can overflow: both extents are those of arrays in memory.
  matrix.bits = words * 8 == columns ? 4 : words * 4 == columns ? 8 : 0;
  if (matrix.bits == 0) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected {} columns in {} or {} words a row (4 or 8 bits), got {}", columns,
                columns / 8, columns / 4, words);
  }
  matrix.group_size = 0;
  for (const int group : {32, 64, 128}) {
    if (groups * group == columns) matrix.group_size = group;
  }
  if (matrix.group_size == 0) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected {} columns in whole groups of 32, 64 or 128, got {} groups", columns,
                groups);
  }
  return matrix;
}

Status check_quantized_matrix(const QuantizedMatrix& matrix, std::string_view origin) {
  if ((matrix.bits != 4 && matrix.bits != 8) || matrix.weights.ndim() != 2) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected weights of 4 or 8 bits and 2 dimensions, got {} bits, shape {}",
                matrix.bits, to_string(matrix.weights.shape()));
  }
  SPRUE_ASSIGN(const QuantizedMatrix found,
               make_quantized_matrix(matrix.weights, matrix.scales, matrix.biases, matrix.columns(),
                                     origin));
  if (matrix.columns() != 0 && found.group_size != matrix.group_size) {
    return fail(ErrorCode::invalid_argument, origin, "expected scales for groups of {}, got {}",
                matrix.group_size, found.group_size);
  }
  return {};
}

}  // namespace sprue
