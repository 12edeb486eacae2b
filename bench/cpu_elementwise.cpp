// An elementwise kernel without a barrier against the same loop in C++ with OpenMP: the same function of
// the same math header, no contraction in either.
#include "bench/report.h"
#include "dialect/preludes/math.h"
#include "sprue/sprue.h"

namespace {

using namespace sprue;

constexpr int64_t kElements = int64_t{1} << 22;

void native_exp(const float* x, float* y, int64_t count) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < count; ++i) y[i] = sprue_math::exp(x[i]);
}

}  // namespace

int main() {
  Array x = Array::empty({kElements}, float32);
  for (int64_t i = 0; i < kElements; ++i)
    x.data<float>()[i] = static_cast<float>(i % 20011) * 0.005f - 50.0f;
  const Kernel kernel = metal_kernel({.name = "exp",
                                      .input_names = {"x"},
                                      .output_names = {"y"},
                                      .source = "uint i = thread_position_in_grid.x;\n"
                                                "y[i] = metal::exp(x[i]);"});
  const KernelCall call = {.inputs = {x},
                           .output_shapes = {{kElements}},
                           .output_dtypes = {float32},
                           .grid = {kElements, 1, 1},
                           .threadgroup = {256, 1, 1}};
  Array y = Array::empty({kElements}, float32);
  native_exp(x.data<float>(), y.data<float>(), kElements);
  const bool identical = digest(kernel(call)[0]) == digest(y);

  const PairedResult result =
      run_paired({{"openmp",
                   [&](int operations) {
                     for (int i = 0; i < operations; ++i) {
                       Array out = Array::empty({kElements}, float32);
                       native_exp(std::as_const(x).data<float>(), out.data<float>(), kElements);
                     }
                   }},
                  {"jit", [&](int operations) {
                     for (int i = 0; i < operations; ++i) (void)kernel(call);
                   }}});
  const double bytes = 2.0 * kElements * sizeof(float);
  bench::print_result("cpu_elementwise", bench::binary_of(kernel, call).compiler,
                      {{"elements", kElements},
                       {"outputs_identical", identical},
                       {"operations", result.operations},
                       {"trials", result.arms[0].seconds.size()},
                       {"openmp_seconds", summary_to_json(result.arms[0].summary)},
                       {"jit_seconds", summary_to_json(result.arms[1].summary)},
                       {"openmp_gb_per_s", bytes / result.arms[0].summary.median / 1e9},
                       {"jit_gb_per_s", bytes / result.arms[1].summary.median / 1e9},
                       {"jit_over_openmp_time", summary_to_json(result.pairs[0].summary)},
                       {"sentence", result.pairs[0].sentence}});
  return identical ? 0 : 1;
}
