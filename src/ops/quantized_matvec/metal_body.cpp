// The operation as a custom kernel: the shipped Metal body and a call of it.
#include <algorithm>
#include <cassert>

#include "base/embedded_text.h"
#include "ops/quantized_matvec/quantized_matvec.h"

namespace sprue {
namespace {

constexpr std::string_view kFile = "quantized_matvec.metal";
constexpr int64_t kRowsPerSimdgroup = 4;  // ROWS of the body
constexpr int64_t kSimdgroupsPerThreadgroup = 2;

}  // namespace

KernelOptions quantized_matvec_options() {
  KernelOptions options;
  options.name = "quantized_matvec";
  options.input_names = {"w", "scales", "biases", "x"};
  options.output_names = {"y"};
  options.source_file = kFile;
  for (const EmbeddedText& text : operation_texts()) {
    if (text.name == kFile) options.source = text.text;
  }
  assert(!options.source.empty());
  return options;
}

KernelCall quantized_matvec_call(const QuantizedMatrix& matrix, const Array& x) {
  const int64_t rows = matrix.rows();
  KernelCall call;
  call.inputs = {matrix.weights, matrix.scales, matrix.biases, x};
  call.output_shapes = {{rows}};
  call.output_dtypes = {x.dtype()};
  // At least one simdgroup: a matrix without rows is a call that writes nothing.
  call.grid = {32, std::max<int64_t>(1, (rows + kRowsPerSimdgroup - 1) / kRowsPerSimdgroup), 1};
  call.threadgroup = {32, kSimdgroupsPerThreadgroup, 1};
  call.template_arguments = {
      {"T", x.dtype()}, {"BITS", matrix.bits}, {"GROUP_SIZE", matrix.group_size}};
  return call;
}

}  // namespace sprue
