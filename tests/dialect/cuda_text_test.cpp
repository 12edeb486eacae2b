// CUDA kernels' names, signatures and texts, without any compiler.
#include <gtest/gtest.h>

#include "dialect/cuda/cuda_lowering.h"
#include "dialect/cuda/cuda_signature.h"
#include "dialect/cuda/generate_cuda_cpu.h"
#include "dialect/generator.h"
#include "dialect/mangle.h"
#include "dialect/specialize.h"

namespace sprue {
namespace {

KernelDefinition define_cuda(const std::string& source, int shared_memory = 0,
                             const std::string& header = "") {
  return value_or_throw(make_definition({.name = "arg_test",
                                         .input_names = {"a", "b", "d"},
                                         .output_names = {"out1", "out2"},
                                         .source = source,
                                         .header = header,
                                         .mutable_inputs = {"b"},
                                         .shared_memory = shared_memory},
                                        "cuda_kernel", Dialect::cuda));
}
const Specialization kArguments =
    test::specialize({{float32, false, false}, {int32, false, true}, {float64, true, true}},
                     {bfloat16, complex64}, {{"e", true}, {"f", -3}, {"T", float16}});

// MLX's text, but for the #line directives around the body.
TEST(CudaText, is_that_of_mlx) {
  const auto source =
      generate_mlx_cuda(define_cuda("out1[0] = a_shape[0] + a_ndim + d_shape;"), kArguments);
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(source->text, R"(#include "mlx/backend/cuda/device/utils.cuh"

#include <cooperative_groups.h>

namespace mlx::core::cu {

namespace cg = cooperative_groups;

__global__ void custom_kernel_arg_test_t__x2d3_float16_t(
    const float* a,
    const __grid_constant__ Shape a_shape,
    const __grid_constant__ int a_ndim,
    int32_t* b,
    const double* d,
    __nv_bfloat16* out1,
    complex64_t* out2) {
  constexpr bool e = true;
  constexpr int f = -3;
  using T = __half;
#line 1 "arg_test.cu"
out1[0] = a_shape[0] + a_ndim + d_shape;
#line 23 "<generated>"
}

}  // namespace mlx::core::cu
)");
}

TEST(CudaText, smallest_int_and_false) {
  EXPECT_EQ(cuda_template_lines(
                test::specialize({}, {}, {{"n", INT32_MIN}, {"b", false}, {"U", bfloat16}})),
            "  constexpr int n = (-2147483647 - 1);\n  constexpr bool b = false;\n"
            "  using U = __nv_bfloat16;\n");
}

TEST(CudaText, is_no_metal_text) {
  const auto source = generate_metal(define_cuda(""), kArguments);
  ASSERT_FALSE(source);
  EXPECT_NE(source.error().message().find("expected a Metal kernel"), std::string::npos);
}

TEST(CudaText, dialect_and_shared_memory_are_part_of_the_digest) {
  KernelDefinition metal = define_cuda("x"), small = define_cuda("x", 4), none = define_cuda("x");
  metal.dialect = Dialect::metal;
  EXPECT_NE(metal.digest(), none.digest());
  EXPECT_NE(small.digest(), none.digest());
}

// Lines and columns of what isn't replaced stay.
std::string lowered(const std::string& text, int shared_memory = 64) {
  const TokenList tokens = lex(text);
  const Code code(tokens);
  auto result = lower_cuda(code, text, shared_memory);
  if (!result) return result.error().expected + " | " + result.error().got;
  EXPECT_EQ(result->text.size(), text.size());
  return result->text;
}
TEST(CudaLowering, dynamic_shared_memory) {
  EXPECT_EQ(lowered("extern __shared__ float s[];"), "extern SPRUE_DYN  float s[];");
  EXPECT_EQ(lowered("__shared__ extern float s[];"), "SPRUE_DYN  extern float s[];");
  EXPECT_EQ(lowered("alignas(16) extern __shared__ char s[];"),
            "alignas(16) extern SPRUE_DYN  char s[];");
  EXPECT_EQ(lowered("extern __shared__ alignas(8) T s[];"), "extern SPRUE_DYN  SPRUE_A(8) T s[];");
  EXPECT_EQ(lowered("#define SHARED extern __shared__\nf();"),
            "#define SHARED extern SPRUE_DYN \nf();");
}
TEST(CudaLowering, the_rest_stays) {
  for (const char* text :
       {"__shared__ float s[4], t[2][8];", "__shared__ struct { float a; int n; } s;",
        "__shared__ vec<4, 2> s[N + 1];", "// extern __shared__\n\"asm __shared__ x = 1\"",
        "extern int n; __shared__ int s;", "#define __shared__ static"})
    EXPECT_EQ(lowered(text), text);
}
TEST(CudaLowering, errors) {
  EXPECT_EQ(lowered("__shared__ int n = 0;"),
            "a __shared__ variable without initialiser | '=' behind it");
  EXPECT_EQ(lowered("__shared__ int n{};"),
            "a __shared__ variable without initialiser | '{' behind it");
  EXPECT_EQ(lowered("int x; asm volatile(\"\");"), "code that a CPU has | 'asm'");
  EXPECT_EQ(lowered("extern __shared__ float s[];", 0),
            "shared_memory of at least 1 byte for an extern __shared__ array | 0");
}

TEST(CudaSignature, at_most_31_parameters) {
  KernelOptions options{.name = "k", .output_names = {"y"}, .source = ""};
  for (int i = 0; i < 31; ++i) options.input_names.push_back(fmt::format("x{}", i));
  const auto definition = value_or_throw(make_definition(options, "cuda_kernel", Dialect::cuda));
  Specialization specialization;
  specialization.inputs.assign(31, {float32, false, false});
  specialization.outputs = {float32};
  const auto signature = make_cuda_signature(definition, specialization);
  ASSERT_FALSE(signature);
  EXPECT_NE(
      signature.error().message().find("[cuda_kernel] expected at most 31 parameters, got 32"),
      std::string::npos);
}

}  // namespace
}  // namespace sprue
