#include "program/target.h"

#include <gtest/gtest.h>

#include "program/source.h"

namespace sprue {
namespace {

TEST(TargetFromName, KnowsTheLevels) {
  EXPECT_EQ(*Target::from_name("cpu"), (Target{TargetKind::cpu, "x86-64-v3", ""}));
  EXPECT_EQ(*Target::from_name("cpu:x86-64-v3"), (Target{TargetKind::cpu, "x86-64-v3", ""}));
  EXPECT_EQ(*Target::from_name("cpu:x86-64-v4"), (Target{TargetKind::cpu, "x86-64-v4", ""}));
  for (std::string_view name : {"cpu:x86-64-v3", "cpu:x86-64-v4"})
    EXPECT_EQ(Target::from_name(name)->name(), name);
}

TEST(TargetFromName, KnowsArchitecturesOfCuda) {
  EXPECT_EQ(*Target::from_name("cuda:sm_90a"), (Target{TargetKind::cuda, "sm_90a", ""}));
  for (std::string_view name : {"cuda:sm_80", "cuda:sm_90a", "cuda:sm_120f", "cuda:compute_90"})
    EXPECT_EQ(Target::from_name(name)->name(), name);
}

TEST(TargetFromName, RefusesOthersByName) {
  for (std::string_view name :
       {"", "CPU", "cpu:", "cpu:x86-64-v2", "cpu:x86-64-v3 ", "cuda", "cpu\n", "cuda:", "cuda:90",
        "cuda:sm_", "cuda:sm_9", "cuda:sm_9000", "cuda:sm_90b", "cuda:sm_90aa", "cuda:sm_90 ",
        "cuda:sm_90a,compute_90", "cuda:sm_90\n", "sm_90a"})
    EXPECT_FALSE(Target::from_name(name)) << name;
  EXPECT_STREQ(
      Target::from_name("cpu:v9").error().what(),
      "[target] expected a target, got 'cpu:v9'; known: cpu, cpu:x86-64-v3, cpu:x86-64-v4, "
      "cuda:sm_90a and other architectures of CUDA, cuda:compute_90 and others for PTX");
}

TEST(CompileRequestOptions, NameAllThatChangesTheBinary) {
  CompileRequest request;
  EXPECT_EQ(request.options(), "target=x86-64-v3 features= math=safe opt=default");
  request.target = {TargetKind::cpu, "znver5", "+avx,-avx512bf16"};
  request.math = MathMode::fast;
  EXPECT_EQ(request.options(), "target=znver5 features=+avx,-avx512bf16 math=fast opt=default");
  request.optimization = Optimization::fast;
  EXPECT_EQ(request.options(), "target=znver5 features=+avx,-avx512bf16 math=fast opt=fast");
}

TEST(OptimizationNames, ThereAndBack) {
  for (Optimization optimization : {Optimization::standard, Optimization::fast}) {
    Optimization read{};
    EXPECT_TRUE(optimization_from_name(optimization_name(optimization), read));
    EXPECT_EQ(read, optimization);
  }
  Optimization untouched = Optimization::fast;
  EXPECT_FALSE(optimization_from_name("standard", untouched));
  EXPECT_EQ(untouched, Optimization::fast);
  EXPECT_EQ(optimization_name(static_cast<Optimization>(9)), "unknown");
}

}  // namespace
}  // namespace sprue
