// Fifty kernels from one casting: opening the file, matching, loading each, and a first call of each.
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/sys.h"
#include "bench/report.h"
#include "kernel/cast_kernel.h"
#include "sprue/sprue.h"

namespace {

using namespace sprue;

constexpr int kKernels = 50;

KernelOptions options_of(int number) {
  return {.name = fmt::format("kernel_{}", number),
          .input_names = {"x"},
          .output_names = {"y"},
          .source = fmt::format(
              "uint i = thread_position_in_grid.x;\ny[i] = metal::exp(x[i] * {}.0f);", number)};
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds for all kernels, from nothing loaded to each called once.
double load_all(const std::string& path, const KernelCall& call) {
  const double begin = now();
  std::vector<Kernel> kernels;
  for (int i = 0; i < kKernels; ++i) {
    const KernelOptions options = options_of(i);
    kernels.push_back(precompiled_metal_kernel({.name = options.name,
                                                .input_names = options.input_names,
                                                .output_names = options.output_names,
                                                .casting_path = path,
                                                .source = options.source}));
    (void)kernels.back()(call);
  }
  return now() - begin;
}

}  // namespace

int main() {
  const KernelCall call = {.inputs = {Array::zeros({64}, float32)},
                           .output_shapes = {{64}},
                           .output_dtypes = {float32},
                           .grid = {64, 1, 1},
                           .threadgroup = {64, 1, 1}};
  const Specialization specialization = specialization_of(call);
  const Target target = value_or_throw(Target::from_name("cpu"));
  std::vector<CastingEntry> entries;
  for (int i = 0; i < kKernels; ++i) {
    const Kernel kernel = metal_kernel(options_of(i));
    for (CastingEntry& entry : value_or_throw(
             cast_kernel(kernel.state().definition(), {&specialization, 1}, {&target, 1})))
      entries.push_back(std::move(entry));
  }
  const std::string compiler = entries.front().record.compiler;
  const std::string bytes = value_or_throw(write_casting(std::move(entries)));
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("sprue-load-{}.casting", getpid());
  value_or_throw(write_file_atomically(path.string(), bytes));
  std::vector<double> seconds;
  for (int trial = 0; trial < 31; ++trial) seconds.push_back(load_all(path.string(), call));
  std::filesystem::remove(path);
  bench::print_result("load_casting", compiler,
                      {{"kernels", kKernels},
                       {"casting_bytes", bytes.size()},
                       {"trials", seconds.size()},
                       {"seconds", summary_to_json(summarize(seconds))}});
  return 0;
}
