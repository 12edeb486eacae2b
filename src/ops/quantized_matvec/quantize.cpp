#include "ops/quantized_matvec/quantize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/quantized_matvec/reference.h"
#include "ops/widen.h"

namespace sprue {
namespace {

constexpr std::string_view kOrigin = "quantize";

struct Affine {
  float scale, bias;
};

// One end of the range is hit exactly, and zero too where the range holds it: a step count from zero to
// that end is rounded to a whole number, and the scale follows from it.
Affine choose(const float* values, int count, float levels) {
  float minimum = values[0], maximum = 0;
  for (int i = 0; i < count; ++i) {
    minimum = std::min(minimum, values[i]);
    maximum = std::max(maximum, values[i]);
  }
  const bool is_negative_side = std::abs(minimum) > std::abs(maximum);
  // Halved first: the difference of two large floats may overflow.
  const float step = std::max((maximum / 2 - minimum / 2) / levels * 2, 1e-7f);
  const float scale = is_negative_side ? step : -step;
  const float edge = is_negative_side ? minimum : maximum;
  const float steps = std::round(edge / scale);
  if (steps == 0) return {scale, 0};
  return {edge / steps, edge};
}

// As the dtype stores it.
Affine stored(Affine affine, Dtype dtype) {
  float values[2] = {affine.scale, affine.bias};
  uint32_t storage[2];
  narrow(dtype, values, 2, storage);
  widen(dtype, storage, 2, values);
  return {values[0], values[1]};
}

}  // namespace

Result<QuantizedMatrix> quantize(const Array& weights, int bits, int group_size,
                                 Dtype scale_dtype) {
  if (weights.dtype() != Dtype::float32 || weights.ndim() != 2) {
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected weights of dtype float32 and 2 dimensions, got {} {}",
                dtype_name(weights.dtype()), to_string(weights.shape()));
  }
  if (bits != 4 && bits != 8) {
    return fail(ErrorCode::invalid_argument, kOrigin, "expected 4 or 8 bits, got {}", bits);
  }
  if (group_size != 32 && group_size != 64 && group_size != 128) {
    return fail(ErrorCode::invalid_argument, kOrigin, "expected a group of 32, 64 or 128, got {}",
                group_size);
  }
  if (!is_widenable(scale_dtype)) {
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected scales of float32, float16 or bfloat16, got {}", dtype_name(scale_dtype));
  }
  const int64_t rows = weights.shape()[0], columns = weights.shape()[1];
  if (columns % group_size != 0) {
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected columns in whole groups of {}, got {}", group_size, columns);
  }
  const int64_t groups = columns / group_size;
  QuantizedMatrix matrix{Array::zeros({rows, columns * bits / 32}, Dtype::uint32),
                         Array::empty({rows, groups}, scale_dtype),
                         Array::empty({rows, groups}, scale_dtype), bits, group_size};
  const Array packed = weights.contiguous();
  std::vector<float> scales, biases;
  const float levels = bits == 4 ? 15 : 255;
  const int per_word = 32 / bits;
  for (int64_t group = 0; group < rows * groups; ++group) {
    const float* values = packed.data<float>() + group * group_size;
    uint32_t* words = matrix.weights.data<uint32_t>() + group * group_size / per_word;
    for (int i = 0; i < group_size; ++i) {
      if (std::isfinite(values[i])) continue;
      return fail(ErrorCode::invalid_argument, kOrigin,
                  "expected finite weights, got {} in row {}, column {}", values[i], group / groups,
                  group % groups * group_size + i);
    }
    const Affine affine = stored(choose(values, group_size, levels), scale_dtype);
    if (!std::isfinite(affine.scale) || !std::isfinite(affine.bias)) {
      return fail(
          ErrorCode::invalid_argument, kOrigin,
          "expected scales that fit {}, got a weight of row {} beyond its range; use float32",
          dtype_name(scale_dtype), group / groups);
    }
    scales.push_back(affine.scale);
    biases.push_back(affine.bias);
    for (int i = 0; i < group_size; ++i) {
      // A scale that rounded to zero in its dtype leaves the bias alone.
      const float steps =
          affine.scale == 0 ? 0 : std::round((values[i] - affine.bias) / affine.scale);
      const auto q = static_cast<uint32_t>(std::clamp(steps, 0.0f, levels));
      words[i / per_word] |= q << bits * (i % per_word);
    }
  }
  narrow(scale_dtype, scales.data(), static_cast<int64_t>(scales.size()), matrix.scales.address());
  narrow(scale_dtype, biases.data(), static_cast<int64_t>(biases.size()), matrix.biases.address());
  return matrix;
}

Result<Array> dequantize(const QuantizedMatrix& matrix) {
  SPRUE_ASSIGN(const std::vector<double> values, dequantize_exactly(matrix));
  Array result = Array::empty({matrix.rows(), matrix.columns()}, Dtype::float32);
  std::copy(values.begin(), values.end(), result.size() ? result.data<float>() : nullptr);
  return result;
}

}  // namespace sprue
