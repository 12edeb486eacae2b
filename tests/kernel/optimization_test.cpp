// Optimization is effort, not meaning: under safe math `fast` gives the bits of `default`, in loops and
// in kernels that wait, and the two never share a binary.
#include <cmath>

#include "support.h"

namespace sprue {
namespace {

class OptimizationTest : public testing::Test {
 private:
  const WithSettings settings_{true, kernel_settings().verify_keys};
};

// Wide and narrow magnitudes of both signs, and what arithmetic must not lose.
Array hard_numbers(Dtype dtype, int64_t count) {
  std::vector<double> values;
  uint32_t state = 12345;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const double unit = static_cast<double>(state) / 4294967296.0 - 0.5;
    values.push_back(i % 5 == 0 ? unit * 1e-3 : i % 7 == 0 ? unit * 60 : unit * 4);
  }
  if (dtype_is_floating(dtype)) {
    values[3] = INFINITY, values[77] = -INFINITY, values[91] = NAN, values[100] = -0.0;
    if (dtype == float32) values[101] = 1e-41, values[102] = -1e-44;  // denormal
  }
  return make_array(dtype, values, {count});
}

// Bits of each output; a NaN is a NaN, whatever its sign, which no device promises.
std::vector<std::string> digests(KernelOptions options, const KernelCall& call,
                                 Optimization optimization, MathMode math) {
  options.optimization = optimization;
  options.math = math;
  std::vector<std::string> all;
  for (const Array& output : metal_kernel(options)(call)) {
    std::vector<double> values = numbers(output);
    for (double& value : values)
      if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    all.push_back(digest(make_array(float64, values, output.shape())));
  }
  return all;
}

void expect_same_bits(const std::string& body, Dtype dtype, int64_t threadgroup,
                      const std::string& header = "") {
  constexpr int64_t kCount = 1003;  // no multiple of any vector
  KernelOptions options = one_to_one(fresh_name("bits"), body);
  options.input_names = {"x", "w"};
  options.header = header;
  const KernelCall call = {.inputs = {hard_numbers(dtype, kCount), hard_numbers(dtype, kCount)},
                           .output_shapes = {{kCount}},
                           .output_dtypes = {dtype},
                           .grid = {kCount, 1, 1},
                           .threadgroup = {threadgroup, 1, 1},
                           .template_arguments = {{"T", dtype}}};
  EXPECT_EQ(digests(options, call, Optimization::fast, MathMode::safe),
            digests(options, call, Optimization::standard, MathMode::safe))
      << dtype_name(dtype) << ": " << body;
}

TEST_F(OptimizationTest, SafeLoopsKeepTheirBits) {
  const std::string index = "uint i = thread_position_in_grid.x; ";
  for (Dtype dtype : {float32, float16, bfloat16})
    for (const char* body :
         {"y[i] = x[i] * w[i] + x[(i + 1) % 1003];",
          "y[i] = T(metal::exp(float(x[i])) * float(w[i]) - metal::tanh(float(w[i])));",
          "y[i] = T(metal::pow(metal::abs(float(x[i])), 1.7f) + metal::sin(float(w[i])));",
          "float a = 0; for (uint k = 0; k < 300; ++k) a += float(x[(i + k) % 1003]) * "
          "float(w[k]); "
          "y[i] = T(a / 3);",
          "float parts[4]; for (uint k = 0; k < 4; ++k) parts[k] = float(x[i]) * float(w[k]); "
          "y[i] = T((parts[0] + parts[1]) + (parts[2] + parts[3]));",
          "if (i % 3 == 0) { y[i] = x[i]; return; } y[i] = "
          "T(metal::sqrt(metal::abs(float(x[i]))));"})
      expect_same_bits(index + body, dtype, 128);
  for (Dtype dtype : {int32, uint8, int64})
    expect_same_bits(index + "y[i] = x[i] * w[i] + (x[(i * 7) % 1003] >> 1);", dtype, 96);
}

TEST_F(OptimizationTest, SafeCollectivesAndBarriersKeepTheirBits) {
  const std::string index =
      "uint i = thread_position_in_grid.x; uint t = thread_position_in_threadgroup.x; ";
  for (Dtype dtype : {float32, float16, bfloat16})
    for (const char* body :
         {"y[i] = T(simd_sum(float(x[i]) * float(w[i])));",
          "threadgroup float s[128]; s[t] = float(x[i]); "
          "threadgroup_barrier(mem_flags::mem_threadgroup); float a = 0; "
          "for (uint k = 0; k < threads_per_threadgroup.x; ++k) a += s[k] * float(w[k]); "
          "y[i] = T(a);",
          "float m = simd_max(float(x[i])); float e = metal::exp(float(w[i]) - m); "
          "y[i] = T(e / simd_sum(e));"})
      expect_same_bits(index + body, dtype, 128);
}

// Without these two the tests above could pass with `fast` ignored, or everything sharing one state.
TEST_F(OptimizationTest, FastIsAnotherBinaryOfTheSameKernel) {
  KernelOptions options = one_to_one(
      fresh_name("effort"), "uint i = thread_position_in_grid.x; y[i] = metal::exp(x[i]);");
  const KernelCall call = {.inputs = {arange(1000)},
                           .output_shapes = {{1000}},
                           .output_dtypes = {float32},
                           .grid = {1000, 1, 1},
                           .threadgroup = {100, 1, 1}};
  const CounterDelta delta;
  const Kernel standard = metal_kernel(options);
  (void)standard(call);
  options.optimization = Optimization::fast;
  const Kernel fast = metal_kernel(options);
  (void)fast(call);
  (void)metal_kernel(options)(call);
  EXPECT_EQ(delta(&Counters::definitions), 2u);
  EXPECT_EQ(delta(&Counters::compiles), 2u);
  EXPECT_EQ(delta(&Counters::hits), 1u);
  EXPECT_EQ(standard.state().definition().digest(), fast.state().definition().digest());
  const auto of = [](const Kernel& kernel) {
    return kernel.state().table().entries().at(0)->ready()->binary;
  };
  EXPECT_NE(of(standard).digest, of(fast).digest);
  EXPECT_NE(of(standard).options.find("opt=default"), std::string::npos);
  EXPECT_NE(of(fast).options.find("opt=fast"), std::string::npos);
}

// Twice the same bytes, from 8 threads as from one: nothing of `fast` is the process's.
TEST_F(OptimizationTest, SettingsStayWithTheirCompileConcurrency) {
  const std::string body = "uint i = thread_position_in_grid.x; y[i] = metal::tanh(x[i]) * 3;";
  const KernelCall call = {.inputs = {arange(64)},
                           .output_shapes = {{64}},
                           .output_dtypes = {float32},
                           .grid = {64, 1, 1},
                           .threadgroup = {64, 1, 1}};
  std::vector<std::string> binaries(8);
  on_threads(8, [&](int i) {
    KernelOptions options = one_to_one("stays", body + "//" + std::string(size_t(i + 1), 'x'));
    options.optimization = i % 2 ? Optimization::fast : Optimization::standard;
    const Kernel kernel = metal_kernel(options);
    (void)kernel(call);
    binaries[static_cast<size_t>(i)] =
        kernel.state().table().entries().at(0)->ready()->binary.digest.hex();
  });
  for (size_t i = 2; i < 8; ++i) EXPECT_EQ(binaries[i], binaries[i % 2]) << i;
  EXPECT_NE(binaries[0], binaries[1]);
}

TEST_F(OptimizationTest, AnUnknownNumberIsRefused) {
  KernelOptions options = one_to_one(fresh_name("unknown"), "y[0] = 1;");
  options.optimization = static_cast<Optimization>(7);
  expect_error(ErrorCode::invalid_argument, {"[metal_kernel]", "optimisation", "7"},
               [&] { (void)metal_kernel(options); });
}

}  // namespace
}  // namespace sprue
