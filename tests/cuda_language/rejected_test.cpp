// What the CPU lacks is refused by name, at the user's line; so are options that aren't CUDA's.
#include <cstdio>

#include "base/sys.h"
#include "cuda_language/cuda_row.h"
#include "kernel/cast_kernel.h"
#include "sprue/casting.h"

namespace sprue::language {
namespace {

std::vector<RejectedCase> rejected() {
  const std::vector<Rejected> texts = {
      {.name = "double_exp",
       .body = "float v = x[0];\ny[0] = exp(v * 0.5);",
       .line = 2,
       .mentions = "exp(double)"},
      {.name = "double_pow",
       .body = "y[0] = pow(x[0], 2.5);",
       .line = 1,
       .mentions = "pow(double)"},
      {.name = "error_function", .body = "\ny[0] = erff(x[0]);", .line = 2, .mentions = "erff"},
      {.name = "inline_ptx",
       .body = "int lane;\nasm(\"mov.u32 %0, %laneid;\" : \"=r\"(lane));",
       .line = 2,
       .mentions = "inline PTX"},
      {.name = "printing", .body = "printf(\"%f\", x[0]);", .line = 1, .mentions = "printf"},
      {.name = "sleeping", .body = "__nanosleep(100);", .line = 1, .mentions = "__nanosleep"},
      {.name = "asserting", .body = "\n\nassert(x[0] > 0);", .line = 3, .mentions = "assert"},
      {.name = "grid_sync",
       .body = "cg::this_grid().sync();",
       .line = 1,
       .mentions = "barrier of a whole grid"},
      {.name = "coalesced",
       .body = "auto g = cg::coalesced_threads();",
       .line = 1,
       .mentions = "coalesced_threads"},
      {.name = "texture", .body = "cudaTextureObject_t t = 0;", .line = 1, .mentions = "textures"},
      {.name = "old_shuffle",
       .body = "y[0] = __shfl_down(x[0], 1);",
       .line = 1,
       .mentions = "__shfl_down_sync"},
      {.name = "tensor_cores",
       .body = "nvcuda::wmma::fragment<int> f;",
       .line = 1,
       .mentions = "nvcuda"},
      {.name = "unknown_include",
       .body = "y[0] = 1;",
       .header = "\n#include <cub/cub.cuh>",
       .line = 2,
       .in_header = true,
       .mentions = "cub/cub.cuh"},
      {.name = "matrix_include",
       .body = "y[0] = 1;",
       .header = "#include <mma.h>",
       .line = 1,
       .in_header = true,
       .mentions = "mma.h"},
      {.name = "metal_include",
       .body = "y[0] = 1;",
       .header = "#include <metal_stdlib>",
       .line = 1,
       .in_header = true,
       .mentions = "metal_stdlib"},
      {.name = "mixed_half",
       .body = "__half h = x[0];\ny[0] = float(h * x[0]);",
       .line = 2,
       .mentions = "ambiguous"},
      {.name = "shared_initialiser",
       .body = "\n__shared__ int n = 0;",
       .line = 2,
       .mentions = "without initialiser"},
      {.name = "no_dynamic_memory",
       .body = "\nextern __shared__ float s[];\ns[0] = 1;",
       .line = 2,
       .mentions = "shared_memory"},
      {.name = "metal_position",
       .body = "y[thread_position_in_grid.x] = 1;",
       .line = 1,
       .mentions = "thread_position_in_grid"},
      {.name = "unbalanced",
       .body = "if (x[0] > 0) {\ny[0] = 1;",
       .line = 1,
       .mentions = "'}' to close '{'"},
      {.name = "undeclared_slot", .body = "y[0] = z_shape[0];", .line = 1, .mentions = "z_shape"},
      {.name = "changing_global",
       .body = "y[0] = calls += 1;",
       .header = "__device__ int calls;",
       .line = 0,
       .mentions = "calls"},
      {.name = "recursive",
       .body = "y[0] = down(int(x[0]));",
       .header = "__device__ int down(int n) { return n > 0 ? down(n - 1) + 1 : 0; }",
       .line = 0,
       .mentions = "down"},
      {.name = "too_much_shared",
       .body = "__shared__ char s[240000];\ns[int(x[0])] = 1; __syncthreads(); y[0] = s[0];",
       .line = 0,
       .mentions = "232448"},
  };
  std::vector<RejectedCase> cases;
  for (const Rejected& text : texts) cases.push_back({cuda_device(), text});
  return cases;
}
class CudaRejected : public testing::TestWithParam<RejectedCase> {};
TEST_P(CudaRejected, by_name_and_line) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(CudaLanguage, CudaRejected, testing::ValuesIn(rejected()), rejected_name);

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}
KernelOptions options() {
  return {.name = "k", .input_names = {"x"}, .output_names = {"y"}, .source = "y[0] = x[0];"};
}

TEST(CudaOptions, those_of_metal_are_refused) {
  KernelOptions atomic = options();
  atomic.atomic_outputs = true;
  EXPECT_NE(
      refusal([&] { (void)cuda_kernel(atomic); }).find("[cuda_kernel] expected no atomic_outputs"),
      std::string::npos);
}
TEST(CudaOptions, shared_memory_is_of_cuda_and_in_range) {
  KernelOptions shared = options();
  shared.shared_memory = 64;
  EXPECT_NE(
      refusal([&] { (void)metal_kernel(shared); }).find("[metal_kernel] expected no shared_memory"),
      std::string::npos);
  for (int bytes : {-1, 232449}) {
    shared.shared_memory = bytes;
    EXPECT_NE(refusal([&] { (void)cuda_kernel(shared); }).find("expected 0 to 232448 bytes"),
              std::string::npos)
        << bytes;
  }
}
TEST(CudaOptions, names_of_cuda_are_taken) {
  for (const char* name : {"threadIdx", "cg", "Shape", "__half"}) {
    KernelOptions taken = options();
    taken.input_names = {name};
    EXPECT_NE(refusal([&] { (void)cuda_kernel(taken); }).find("expected a free identifier"),
              std::string::npos)
        << name;
  }
}
TEST(CudaOptions, more_than_ten_dimensions_have_no_shape) {
  KernelOptions shaped = options();
  shaped.source = "y[0] = x_shape[0];";
  const Kernel kernel = cuda_kernel(shaped);
  const auto call = [&](int ndim) {
    Shape shape;
    for (int i = 0; i < ndim; ++i) shape.push_back(1);
    return refusal([&] {
      (void)kernel({.inputs = {Array::zeros(shape, float32)},
                    .output_shapes = {{1}},
                    .output_dtypes = {float32}});
    });
  };
  EXPECT_EQ(call(10), "no error");
  EXPECT_NE(call(11).find("expected at most 10 dimensions of 'x'"), std::string::npos);
}
TEST(CudaOptions, one_text_in_two_dialects_is_two_kernels) {
  const KernelCall call{.inputs = {make_array(float32, std::vector<Real>(8, 3))},
                        .output_shapes = {{1}},
                        .output_dtypes = {float32}};
  KernelOptions both = options();
  both.source = "y[0] = sizeof(0.1);";
  EXPECT_EQ(metal_kernel(both)(call)[0].data<float>()[0], 4);
  EXPECT_EQ(cuda_kernel(both)(call)[0].data<float>()[0], 8);
}

// From a casting as from the compiler; and not as a kernel of the other dialect.
TEST(CudaCasting, runs_and_keeps_its_dialect) {
  KernelOptions shared = options();
  shared.source =
      "extern __shared__ float s[]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); "
      "y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];";
  shared.shared_memory = 256;
  const KernelCall call{.inputs = {make_array(float32, uniform(64, 0, 1, 1))},
                        .output_shapes = {{64}},
                        .output_dtypes = {float32},
                        .grid = {64, 1, 1},
                        .threadgroup = {64, 1, 1}};
  const auto definition = value_or_throw(make_definition(shared, "cuda_kernel", Dialect::cuda));
  const Specialization specializations[] = {specialization_of(call)};
  const Target targets[] = {Target{}};
  const Optimization optimizations[] = {Optimization::standard};
  auto entries = value_or_throw(cast_kernel(definition, specializations, targets, optimizations));
  const std::string path = testing::TempDir() + "cuda_language_test.casting";
  value_or_throw(write_file_atomically(path, value_or_throw(write_casting(std::move(entries)))));

  PrecompiledOptions precompiled{
      .name = "k", .input_names = {"x"}, .output_names = {"y"}, .casting_path = path};
  for (const std::string& source : {std::string(), shared.source}) {
    precompiled.source = source;
    precompiled.shared_memory = source.empty() ? 0 : 256;
    const Arrays got = precompiled_cuda_kernel(precompiled)(call);
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_EQ(bits_at(got[0], i), bits_at(call.inputs[0], 63 - i)) << i;
  }
  precompiled.shared_memory = 128;
  EXPECT_NE(refusal([&] { (void)precompiled_cuda_kernel(precompiled); }).find("made from another"),
            std::string::npos);
  precompiled.shared_memory = 0;
  precompiled.source = "";
  EXPECT_NE(refusal([&] {
              (void)precompiled_metal_kernel(precompiled);
            }).find("dialect (cuda for metal)"),
            std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace sprue::language
