// Kernels whose texts include headers of the user's own.
#include <filesystem>
#include <fstream>

#include "base/sys.h"
#include "casting/casting.h"
#include "compile/nvrtc/nvrtc_library.h"
#include "dialect/generator.h"
#include "kernel/compile_kernel.h"
#include "support.h"

namespace sprue {
namespace {

namespace fs = std::filesystem;

class Include : public testing::Test {
 protected:
  const WithSettings settings_{true, kernel_settings().verify_keys};

  Include() : folder_(fs::path(testing::TempDir()) / "kernel_include") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
    write("scale.h",
          "#pragma once\n#include \"sub/by.h\"\n"
          "template <typename T>\ninline T scaled(const device T* p, uint i) { return p[i] * "
          "T(by.xx.y); }\n");
    write("sub/by.h", "#pragma once\nconstant float2 by = float2(3, 3);\n");
  }
  ~Include() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  KernelOptions options() const {
    KernelOptions options{.name = "included", .input_names = {"x"}, .output_names = {"y"}};
    options.header = "#include \"scale.h\"\n";
    options.source = "uint i = thread_position_in_grid.x; y[i] = scaled(x, i);";
    options.include_dirs = {folder_.string()};
    return options;
  }

  static KernelCall call() {
    KernelCall call{.inputs = {array_of<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {9})}};
    call.output_shapes = {{9}};
    call.output_dtypes = {float32};
    call.grid = call.threadgroup = {9, 1, 1};
    return call;
  }
  static float last(const Kernel& kernel) { return kernel(call())[0].data<float>()[8]; }

  fs::path folder_;
};

TEST_F(Include, FindsHeadersAndTheirHeaders) { EXPECT_EQ(last(metal_kernel(options())), 27.0f); }

TEST_F(Include, AChangedHeaderIsAnotherKernel) {
  EXPECT_EQ(last(metal_kernel(options())), 27.0f);
  write("sub/by.h", "#pragma once\nconstant float2 by = float2(5, 5);\n");
  EXPECT_EQ(last(metal_kernel(options())), 45.0f);
  const CounterDelta delta;
  EXPECT_EQ(last(metal_kernel(options())), 45.0f);
  EXPECT_EQ(delta(&Counters::compiles), 0u);
}

TEST_F(Include, ErrorsShowTheHeadersOwnPlace) {
  write("sub/by.h", "#pragma once\n\nconstant float2 by = nothing;\n");
  try {
    (void)last(metal_kernel(options()));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::compile_failed);
    EXPECT_EQ(error.details().user_file, (folder_ / "sub/by.h").string());
    EXPECT_EQ(error.details().line, 3);
    EXPECT_NE(error.details().compile_log.find("constant float2 by = nothing;"), std::string::npos)
        << error.details().compile_log;
  }
}

TEST_F(Include, HeadersAreHeldToMetalsRules) {
  write("sub/by.h",
        "inline float by(device float* p) { return *p; }\n"
        "inline float f() { thread float t = 1; return by(&t); }\nconstant float2 by2 = 1;\n");
  KernelOptions strict = options();
  strict.header = "#include \"sub/by.h\"\n";
  strict.source = "y[0] = f();";
  EXPECT_THROW((void)last(metal_kernel(strict)), Error);
}

TEST_F(Include, WithoutFoldersNothingIsFound) {
  KernelOptions without = options();
  without.include_dirs.clear();
  try {
    (void)last(metal_kernel(without));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("scale.h"), std::string::npos) << error.message();
    EXPECT_EQ(error.details().line, 1);
  }
}

TEST_F(Include, CompilesForCuda) {
  if (const auto library = nvrtc_library(); !library) GTEST_SKIP() << library.error().message();
  const KernelDefinition definition = value_or_throw(make_definition(options(), "test"));
  const Specialization specialization = specialization_of(call());
  const GeneratedSource source = value_or_throw(generate_cuda(definition, specialization));
  const auto binary = compile_kernel(definition, specialization, source,
                                     {TargetKind::cuda, "sm_90a", ""}, Optimization::standard);
  EXPECT_TRUE(binary) << binary.error().what() << binary.error().details().compile_log;
}

TEST_F(Include, CastingsCompareHeadersToo) {
  const std::string path = (folder_ / "k.casting").string();
  const KernelDefinition definition = value_or_throw(make_definition(options(), "test"));
  const Specialization specialization = specialization_of(call());
  const Target target{TargetKind::cpu, "x86-64-v3", ""};
  const Optimization optimization = Optimization::standard;
  const auto entries = value_or_throw(
      cast_kernel(definition, {&specialization, 1}, {&target, 1}, {&optimization, 1}));
  value_or_throw(write_file_atomically(path, value_or_throw(write_casting(entries))));
  const KernelOptions jit = options();
  const PrecompiledOptions precompiled{.name = jit.name,
                                       .input_names = jit.input_names,
                                       .output_names = jit.output_names,
                                       .casting_path = path,
                                       .source = jit.source,
                                       .header = jit.header,
                                       .include_dirs = jit.include_dirs};
  EXPECT_EQ(last(precompiled_metal_kernel(precompiled)), 27.0f);
  write("sub/by.h", "#pragma once\nconstant float2 by = float2(5, 5);\n");
  EXPECT_THROW((void)precompiled_metal_kernel(precompiled), Error);
}

}  // namespace
}  // namespace sprue
