// A matrix of affine 4-bit or 8-bit integers in MLX's layout.
//
//   w[n, k] = scales[n, k / group] * q[n, k] + biases[n, k / group],   q in 0..15 or 0..255
//
// `weights` is uint32 [N, K * bits / 32], row-major: with 4 bits word j of a row holds the elements
// 8j..8j+7, element 8j+i in bits 4i..4i+3; with 8 bits word j holds 4j..4j+3, element 4j+i in bits
// 8i..8i+7. The bias is a real number that is added, not an integer zero point; scales may be negative.
// Groups of 32, 64 or 128 elements run along K, which is a multiple of the group. `scales` and `biases`
// share one dtype of float32, float16, bfloat16.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "sprue/array.h"

namespace sprue {

struct QuantizedMatrix {
  Array weights;  // uint32 [N, K * bits / 32]
  Array scales;   // [N, K / group_size]
  Array biases;   // likewise
  int bits = 4;
  int group_size = 64;  // elements

  int64_t rows() const { return weights.shape()[0]; }
  int64_t columns() const { return weights.shape()[1] * 32 / bits; }
};

// What the shapes and dtypes of the three arrays say, for arrays that come without bits and group.
// `columns` is K. Errors name `origin`. K = 0 tells nothing: it counts as 4 bits and groups of 64.
Result<QuantizedMatrix> make_quantized_matrix(const Array& weights, const Array& scales,
                                              const Array& biases, int64_t columns,
                                              std::string_view origin);
// An error if the arrays aren't those of a matrix with these bits and this group.
Status check_quantized_matrix(const QuantizedMatrix& matrix, std::string_view origin);

}  // namespace sprue
