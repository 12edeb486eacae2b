// The texts that a compile goes through: what they hold, that they are the same each time, and that they
// tell nothing of this machine.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/counters.h"
#include "compile/compiler.h"
#include "compile/request.h"

namespace sprue {
namespace {

const std::string kExp = "uint i = thread_position_in_grid.x; y[i] = metal::exp(x[i]);";
const std::string kSum = "y[thread_position_in_grid.x] = simd_sum(x[0]);";

std::string emit(const CompileRequest& request, EmitKind kind) {
  return value_or_throw(clang_compiler().emit(request, kind));
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Emit, LlvmIrIsOptimisedAndWhole) {
  const std::string text = emit(request_for(kExp), EmitKind::llvm);
  for (const char* part : {"define", "@sprue_run_groups(", "@sprue_kernel_info", "<8 x float>",
                           "\"target-cpu\"=\"x86-64-v3\""})
    EXPECT_TRUE(contains(text, part)) << part;
  EXPECT_FALSE(contains(text, "__sprue_independent")) << "the passes haven't run";
  EXPECT_TRUE(contains(emit(request_for(kSum), EmitKind::llvm), "@sprue_run_thread("));
}

TEST(Emit, AssemblyIsOfTheTarget) {
  const std::string text = emit(request_for(kExp), EmitKind::assembly);
  for (const char* part : {"\nsprue_run_groups:", ".globl\tsprue_kernel_info", "%ymm"})
    EXPECT_TRUE(contains(text, part)) << part;
  EXPECT_FALSE(contains(text, "%zmm"));
  // An assembler's text, and no object.
  EXPECT_EQ(text.find('\0'), std::string::npos);
}

TEST(Emit, FastPrefersTheWidestVectorsAndRunsSeveralAtOnce) {
  const auto count = [](const std::string& text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  };
  CompileRequest request = request_for(kExp, "x86-64-v4");
  const std::string standard = emit(request, EmitKind::assembly);
  request.optimization = Optimization::fast;
  const std::string fast = emit(request, EmitKind::assembly);
  EXPECT_GT(count(fast, "%zmm"), 2 * count(standard, "%zmm"));
  request = request_for(kExp);
  const std::string narrow = emit(request, EmitKind::assembly);
  request.optimization = Optimization::fast;
  EXPECT_GT(count(emit(request, EmitKind::assembly), "%ymm"), 2 * count(narrow, "%ymm"));
}

TEST(Emit, GivesTheSameTextAndNoPathOfThisMachine) {
  for (const std::string& body : {kExp, kSum})
    for (EmitKind kind : {EmitKind::llvm, EmitKind::assembly}) {
      const std::string text = emit(request_for(body), kind);
      EXPECT_EQ(text, emit(request_for(body), kind));
      for (const std::string& path :
           {std::filesystem::current_path().string(), std::string(SPRUE_SOURCE_DIR),
            std::string("/sprue/include"), std::string("/usr/"), std::string("/tmp/")})
        EXPECT_FALSE(contains(text, path)) << path;
    }
}

// Emitting leaves the compiler as it was.
TEST(Emit, ChangesNoCompile) {
  const Binary before = value_or_throw(clang_compiler().compile(request_for(kExp)));
  (void)emit(request_for(kExp), EmitKind::llvm);
  (void)emit(request_for(kExp), EmitKind::assembly);
  EXPECT_EQ(value_or_throw(clang_compiler().compile(request_for(kExp))).digest, before.digest);
}

TEST(Emit, CountsAndFailsAsACompile) {
  const uint64_t compiles = counters().compiles, failed = counters().failed_compiles;
  const auto text = clang_compiler().emit(request_for("\ny[0] = nothing;"), EmitKind::llvm);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::compile_failed);
  EXPECT_EQ(text.error().details().line, 2);
  EXPECT_EQ(counters().compiles - compiles, 1u);
  EXPECT_EQ(counters().failed_compiles - failed, 1u);
}

}  // namespace
}  // namespace sprue
