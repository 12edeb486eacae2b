// Matrices, vectors and tolerances of the tests of quantized_matvec.
#pragma once

#include <random>

#include "ops/quantized_matvec/quantized_matrix.h"
#include "ops/quantized_matvec/reference.h"
#include "ops/widen.h"

namespace sprue {

inline void fill_normal(Array& array, float deviation, std::mt19937& engine) {
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> values(static_cast<size_t>(array.size()));
  for (float& value : values) value = normal(engine);
  narrow(array.dtype(), values.data(), array.size(), array.address());
}

inline Array random_vector(int64_t size, Dtype dtype, uint32_t seed) {
  std::mt19937 engine(seed);
  Array array = Array::empty({size}, dtype);
  fill_normal(array, 1, engine);
  return array;
}

// Any bits as weights; scales and biases of both signs.
inline QuantizedMatrix random_quantized(int64_t rows, int64_t columns, int bits, int group_size,
                                        Dtype scale_dtype, uint32_t seed) {
  std::mt19937 engine(seed);
  QuantizedMatrix matrix{Array::empty({rows, columns * bits / 32}, uint32),
                         Array::empty({rows, columns / group_size}, scale_dtype),
                         Array::empty({rows, columns / group_size}, scale_dtype), bits, group_size};
  for (int64_t i = 0; i < matrix.weights.size(); ++i) matrix.weights.data<uint32_t>()[i] = engine();
  fill_normal(matrix.scales, 0.1f, engine);
  fill_normal(matrix.biases, 0.5f, engine);
  return matrix;
}

inline double element(const Array& array, int64_t i) {
  const int64_t size = static_cast<int64_t>(dtype_size(array.dtype()));
  float value = 0;
  widen(array.dtype(), static_cast<const std::byte*>(array.address()) + i * size, 1, &value);
  return value;
}

// float32 sums in any sensible order, then one rounding to the output's dtype.
inline double tolerance(const ReferenceResult& reference, size_t row, Dtype dtype) {
  const double unit = dtype == Dtype::float32   ? 0x1p-24
                      : dtype == Dtype::float16 ? 0x1p-11
                                                : 0x1p-8;
  const double denormal = dtype == Dtype::float16 ? 0x1p-25 : 0;
  return 8 * 0x1p-24 * reference.magnitude[row] + unit * std::abs(reference.y[row]) + denormal;
}

}  // namespace sprue
