// What a just-in-time compile costs outside clang and LLVM's code generation: generating the text, passing
// it over, linking, loading, and the call itself. Each compile is of a text that the process hasn't seen.
#include <chrono>

#include "bench/report.h"
#include "kernel/cast_kernel.h"
#include "sprue/sprue.h"

namespace {

using namespace sprue;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Sample {
  double total = 0, front_end = 0, optimize = 0, emit = 0, link = 0;  // seconds
  std::string compiler;
};

Sample compile_one(int number) {
  const std::string body = fmt::format(
      "uint i = thread_position_in_grid.x;\nfloat t = x[i] * {}.0f;\ny[i] = metal::exp(t);",
      number);
  const Kernel kernel =
      metal_kernel({.name = "exp", .input_names = {"x"}, .output_names = {"y"}, .source = body});
  const KernelCall call = {.inputs = {Array::zeros({64}, float32)},
                           .output_shapes = {{64}},
                           .output_dtypes = {float32},
                           .grid = {64, 1, 1},
                           .threadgroup = {64, 1, 1}};
  const double begin = now();
  (void)kernel(call);
  Sample sample{.total = now() - begin};
  const Binary& binary = bench::binary_of(kernel, call);
  sample.compiler = binary.compiler;
  const Binary::Timing& timing = binary.timing;
  sample.front_end = timing.front_end * 1e-3;
  sample.optimize = timing.optimize * 1e-3;
  sample.emit = timing.emit * 1e-3;
  sample.link = timing.link * 1e-3;
  return sample;
}

}  // namespace

int main() {
  constexpr int kCompiles = 41;
  for (int i = 1; i <= 3; ++i) (void)compile_one(i);  // the library is opened, its pages are in
  std::string compiler;
  std::vector<double> total, outside, front_end, optimize, emit, link;
  for (int i = 0; i < kCompiles; ++i) {
    const Sample sample = compile_one(100 + i);
    compiler = sample.compiler;
    total.push_back(sample.total);
    outside.push_back(sample.total - sample.front_end - sample.optimize - sample.emit);
    front_end.push_back(sample.front_end);
    optimize.push_back(sample.optimize);
    emit.push_back(sample.emit);
    link.push_back(sample.link);
  }
  bench::print_result("jit_overhead", compiler,
                      {{"compiles", kCompiles},
                       {"total_seconds", summary_to_json(summarize(total))},
                       {"outside_clang_and_llvm_seconds", summary_to_json(summarize(outside))},
                       {"front_end_seconds", summary_to_json(summarize(front_end))},
                       {"optimize_seconds", summary_to_json(summarize(optimize))},
                       {"emit_seconds", summary_to_json(summarize(emit))},
                       {"link_seconds", summary_to_json(summarize(link))}});
  return 0;
}
