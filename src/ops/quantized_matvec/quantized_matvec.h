// y[n] = sum over k of x[k] * w[n, k] for a quantised w (quantized_matrix.h): the shipped operation.
//
//   SPRUE_ASSIGN(Array y, quantized_matvec(matrix, x));                  // the native C++ loop
//   Kernel kernel = metal_kernel(quantized_matvec_options());            // the Metal body
//   Arrays out = kernel(quantized_matvec_call(matrix, x));
//
// x is float32, float16 or bfloat16, whatever the scales are; y has x's dtype; sums are float32. Any N;
// any K that is a multiple of the group. Not for matrices: one vector a call.
//
// Thread-safe: reads its inputs, spreads rows over the process's pool. The bits of y depend on neither the
// number of threads nor the optimisation level. Cost: memory speed for matrices beyond the caches; x is
// rearranged once a call (two floats an element). Errors: invalid_argument, before anything runs.
#pragma once

#include "ops/quantized_matvec/quantized_matrix.h"
#include "sprue/kernel.h"

namespace sprue {

// The native loop.
Result<Array> quantized_matvec(const QuantizedMatrix& matrix, const Array& x);
// The same into `y` [N], of x's dtype, row-contiguous and writable.
Status quantized_matvec_into(const QuantizedMatrix& matrix, const Array& x, Array& y);

// The Metal body: inputs w, scales, biases, x; output y. Shipped in the program, nothing is read.
KernelOptions quantized_matvec_options();
// A call of it. The arrays must fit each other, as quantized_matvec() checks; sizes follow from them.
KernelCall quantized_matvec_call(const QuantizedMatrix& matrix, const Array& x);

}  // namespace sprue
