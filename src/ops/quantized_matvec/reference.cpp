#include "ops/quantized_matvec/reference.h"

#include <cmath>

#include "ops/widen.h"

namespace sprue {
namespace {

std::vector<float> widened(const Array& array) {
  const Array packed = array.contiguous();
  std::vector<float> values(static_cast<size_t>(packed.size()));
  widen(packed.dtype(), packed.address(), packed.size(), values.data());
  return values;
}

struct Element {
  double scaled, bias;
};

// Calls visit(row, column, {scale * q, bias}) for every element, in row-major order.
template <typename Visit>
void for_each_element(const QuantizedMatrix& matrix, const Visit& visit) {
  const std::vector<float> scales = widened(matrix.scales), biases = widened(matrix.biases);
  const std::vector<uint32_t> words = matrix.weights.to_vector<uint32_t>();
  const int64_t columns = matrix.columns(), per_word = 32 / matrix.bits;
  const uint32_t mask = matrix.bits == 4 ? 0xf : 0xff;
  for (int64_t row = 0; row < matrix.rows(); ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t element = row * columns + column;
      const uint32_t word = words[static_cast<size_t>(element / per_word)];
      const uint32_t q = word >> static_cast<uint32_t>(element % per_word * matrix.bits) & mask;
      const auto group = static_cast<size_t>(element / matrix.group_size);
      visit(row, column, Element{double{scales[group]} * q, biases[group]});
    }
  }
}

}  // namespace

Result<std::vector<double>> dequantize_exactly(const QuantizedMatrix& matrix) {
  SPRUE_CHECK(check_quantized_matrix(matrix, "dequantize"));
  std::vector<double> values;
  for_each_element(matrix, [&](int64_t, int64_t, Element element) {
    values.push_back(element.scaled + element.bias);
  });
  return values;
}

Result<ReferenceResult> quantized_matvec_reference(const QuantizedMatrix& matrix, const Array& x) {
  SPRUE_CHECK(check_quantized_matrix(matrix, "quantized_matvec"));
  if (!is_widenable(x.dtype()) || !(x.shape() == Shape{matrix.columns()})) {
    return fail(ErrorCode::invalid_argument, "quantized_matvec",
                "expected x of {} floating elements, got {} {}", matrix.columns(),
                dtype_name(x.dtype()), to_string(x.shape()));
  }
  const std::vector<float> inputs = widened(x);
  const auto rows = static_cast<size_t>(matrix.rows());
  ReferenceResult result{std::vector<double>(rows), std::vector<double>(rows)};
  for_each_element(matrix, [&](int64_t row, int64_t column, Element element) {
    const double input = inputs[static_cast<size_t>(column)];
    result.y[static_cast<size_t>(row)] += input * (element.scaled + element.bias);
    result.magnitude[static_cast<size_t>(row)] +=
        std::abs(input) * (std::abs(element.scaled) + std::abs(element.bias));
  });
  return result;
}

}  // namespace sprue
