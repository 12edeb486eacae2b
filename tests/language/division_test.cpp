// Integer division by zero, and of the least number by -1: Metal leaves the value open, but a kernel must go
// on. On the processor x / 0 is x and x % 0 is 0. Not in the matrix, for on CUDA the values are others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "language/number.h"
#include "sprue/kernel.h"

namespace sprue::language {
namespace {

constexpr Dtype kIntegers[] = {uint8, uint16, uint32, uint64, int8, int16, int32, int64};
constexpr int64_t kThreads = 36;

bool is_signed(Dtype type) { return type >= int8; }

// Every pair of these.
std::vector<Real> specials(Dtype type) {
  const int bits = static_cast<int>(8 * dtype_size(type));
  if (!is_signed(type)) return {0, 1, 2, 7, std::ldexp(1.0L, bits) - 1, std::ldexp(1.0L, bits - 1)};
  const Real top = std::ldexp(1.0L, bits - 1);
  return {0, 1, -1, 7, top - 1, -top};
}

Real quotient(Real a, Real b, Dtype type) {
  const Real least = is_signed(type) ? -std::ldexp(1.0L, 8 * int(dtype_size(type)) - 1) : 0;
  if (b == 0 || (is_signed(type) && a == least && b == -1)) return a;
  const auto wide = static_cast<__int128>(a) / static_cast<__int128>(b);
  return static_cast<Real>(wide);
}

Real remainder(Real a, Real b) {
  return b == 0 ? 0 : static_cast<Real>(static_cast<__int128>(a) % static_cast<__int128>(b));
}

struct Division {
  std::string name;
  std::string body;  // stores q and r of a and b
  MathMode math = MathMode::safe;
  Optimization optimization = Optimization::standard;
};

void PrintTo(const Division& division, std::ostream* out) { *out << division.name; }

const std::string kRead = "uint i = thread_position_in_grid.x; I x = a[i], y = b[i];\n";
const std::string kBarrier = "threadgroup_barrier(mem_flags::mem_threadgroup);\n";

std::vector<Division> divisions() {
  return {
      {"operators", kRead + "q[i] = x / y; r[i] = x % y;"},
      {"in_vector_loops", kRead + "q[i] = x / y; r[i] = x % y;", MathMode::fast,
       Optimization::fast},
      {"assigned", kRead + "I z = x; z /= y; q[i] = z; x %= y; r[i] = x;"},
      {"in_a_function", kRead + "q[i] = quotient(x, y); r[i] = rest(x, y);"},
      {"behind_a_barrier", kRead + kBarrier + "x = x / y;" + kBarrier +
                               "q[i] = x; x = a[i]; I m = x % y;" + kBarrier + "r[i] = m;"},
      {"of_shared_values", "threadgroup I s[kThreads]; " + kRead + "s[i] = y;\n" + kBarrier +
                               "q[i] = x / s[i]; r[i] = x % s[i];"},
      {"of_vectors", kRead + "metal::vec<I, 4> v(x), w(y); w.x = 1; v = v / w; q[i] = v.z;\n"
                             "metal::vec<I, 3> c(x), d(y); c %= d; r[i] = c.y;"},
      {"under_a_condition",
       kRead + "I z = x; if (i < kThreads) { z = x / y; } q[i] = z;\n"
               "r[i] = i < kThreads && x % y > 0 ? x % y : y == 0 ? I(0) : x % y;"},
      {"hoisted_out_of_a_loop",
       kRead + "I z = 0, m = 0; for (uint k = 0; k < 3; ++k) { z = x / y; m = x % y; }\n"
               "q[i] = z; r[i] = m;"},
  };
}

class DivisionByZero : public testing::TestWithParam<Division> {};

TEST_P(DivisionByZero, gives_the_dividend) {
  for (Dtype type : kIntegers) {
    SCOPED_TRACE(dtype_name(type));
    std::vector<Real> first, second;
    for (Real a : specials(type))
      for (Real b : specials(type)) {
        first.push_back(a);
        second.push_back(b);
      }
    ASSERT_EQ(first.size(), static_cast<size_t>(kThreads));
    KernelOptions options{.name = GetParam().name,
                          .input_names = {"a", "b"},
                          .output_names = {"q", "r"},
                          .source = GetParam().body};
    options.header =
        "template <typename T> T quotient(T a, T b) { return a / b; }\n"
        "template <typename T> T rest(T a, T b) { return a % b; }\n";
    options.math = GetParam().math;
    options.optimization = GetParam().optimization;
    KernelCall call{.inputs = {make_array(type, first), make_array(type, second)}};
    call.template_arguments = {{"I", type}, {"kThreads", static_cast<int>(kThreads)}};
    call.output_shapes = {{kThreads}, {kThreads}};
    call.output_dtypes = {type, type};
    call.grid = {kThreads, 1, 1};
    call.threadgroup = {kThreads, 1, 1};
    const Arrays outputs = metal_kernel(options)(call);
    for (int64_t i = 0; i < kThreads; ++i) {
      const Real a = first[static_cast<size_t>(i)], b = second[static_cast<size_t>(i)];
      // Narrow ones are divided as int: the least by -1 doesn't overflow there, and wraps when stored.
      EXPECT_EQ(value_at(outputs[0], i), quotient(a, b, type)) << a << " / " << b;
      EXPECT_EQ(value_at(outputs[1], i), remainder(a, b)) << a << " % " << b;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Language, DivisionByZero, testing::ValuesIn(divisions()),
                         [](const auto& one) { return one.param.name + "_cpu"; });

// The other store stays, whatever this one's value is.
TEST(DivisionByZeroConstants, leave_the_other_stores) {
  KernelOptions options{.name = "constants", .input_names = {"x"}, .output_names = {"y"}};
  options.source =
      "uint i = thread_position_in_grid.x;\n"
      "y[0] = int(x[0]) / 0; y[1] = 7 / N; y[2] = int(x[0]) % 0; y[3] = 9 % N;\n"
      "y[4] = int(x[1]) / -1; y[5] = int(x[1]) % -1; y[6] = 7 / 0 ? 5 : 6; y[7] = i + 8;\n"
      "int4 v = int4(x[0]) / int4(1, 0, -1, 2); y[8] = v.x; y[9] = v.y; y[10] = v.z; y[11] = v.w;";
  KernelCall call{.inputs = {make_array(int32, {6, -2147483648.0L})}};
  call.template_arguments = {{"N", 0}};
  call.output_shapes = {{12}};
  call.output_dtypes = {int32};
  call.init_value = 77;
  const Arrays outputs = metal_kernel(options)(call);
  const Real expected[] = {6, 0, 0, 0, -2147483648.0L, 0, 0, 8, 6, 6, -6, 3};
  for (int64_t i = 0; i < 12; ++i) {
    if (i == 1 || i == 3 || i == 6) {  // constants only: some value
      EXPECT_NE(value_at(outputs[0], i), 77) << i;
      continue;
    }
    EXPECT_EQ(value_at(outputs[0], i), expected[i]) << i;
  }
}

TEST(DivisionByZeroConstants, in_the_cuda_dialect) {
  KernelOptions options{.name = "cuda_division", .input_names = {"x"}, .output_names = {"y"}};
  options.source =
      "__shared__ int s[4]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
      "y[threadIdx.x] = 7 / s[threadIdx.x] + 100 * (7 % s[threadIdx.x]) + INT_MIN % x[3];";
  KernelCall call{.inputs = {make_array(int32, {0, 2, 7, -1})}};
  call.output_shapes = {{4}};
  call.output_dtypes = {int32};
  call.grid = call.threadgroup = {4, 1, 1};
  const Arrays outputs = cuda_kernel(options)(call);
  const Real expected[] = {7, 103, 1, -7};
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(value_at(outputs[0], i), expected[i]) << i;
}

}  // namespace
}  // namespace sprue::language
