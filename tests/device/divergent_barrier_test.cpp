// Barriers that not all threads of a group reach together: an error where Metal leaves it undefined, and
// never a hang; threads that have returned are missed by nobody.
#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "compile/request.h"
#include "device/device.h"

namespace sprue {
namespace {

const std::string kBarrier = "threadgroup_barrier(mem_flags::mem_threadgroup);";

// Runs the body in groups of 64 over 1024 threads; y has an element for each.
Status run(const std::string& body, Array y = Array::zeros({1024}, float32)) {
  const CompileRequest request = request_for(
      "uint i = thread_position_in_grid.x, t = thread_position_in_threadgroup.x;\n"
      "uint g = threadgroup_position_in_grid.x;\n" +
          body,
      "x86-64-v3", "waits");
  const auto pipeline =
      value_or_throw(cpu_device().load(value_or_throw(clang_compiler().compile(request))));
  const Array x = Array::zeros({8}, float32);
  const std::string name = "waits";
  const Argument arguments[] = {{x.address(), 0}, {y.address(), 0}};
  return cpu_device().submit({.pipeline = pipeline,
                              .arguments = arguments,
                              .argument_count = 2,
                              .grid = {1024, 1, 1},
                              .threadgroup = {64, 1, 1},
                              .kernel_name = &name});
}

void expect_divergence(const std::string& body, const std::vector<std::string>& parts) {
  const Status status = run(body);
  ASSERT_FALSE(status) << body;
  EXPECT_EQ(status.error().code(), ErrorCode::invalid_argument);
  EXPECT_NE(status.error().message().find("kernel 'waits'"), std::string::npos);
  for (const std::string& part : parts)
    EXPECT_NE(status.error().message().find(part), std::string::npos) << status.error().message();
}

TEST(DivergentBarrier, TwoBarriersOfTwoBranchesAreAnError) {
  expect_divergence("if (t < 40) { " + kBarrier + " } else { " + kBarrier + " } y[i] = 1;",
                    {"threads 0 and 40", "waits 0 and 1"});
  expect_divergence("if (t % 2) { " + kBarrier + " y[i] = 1; } " + kBarrier + " y[i] += 1;",
                    {"threads 0 and 1", "waits 1 and 0"});
  // In one group of sixteen, behind other waits.
  expect_divergence(kBarrier + " float s = simd_sum(x[0]); if (g == 9) { if (t == 63) { " +
                        kBarrier + " } } " + kBarrier + " y[i] = s;",
                    {"threadgroup (9, 0, 0)", "threads 0 and 63", "waits 3 and 2"});
}

TEST(DivergentBarrier, ALoopThatSomeThreadsLeaveIsAnError) {
  expect_divergence(
      "for (uint k = 0; k < 5 + (t == 7); ++k) { " + kBarrier + " } " + kBarrier + " y[i] = 1;",
      {"threads 0 and 7"});
}

TEST(DivergentBarrier, ThreadsThatHaveReturnedAreNotWaitedFor) {
  const Array y = Array::zeros({1024}, float32);
  const Status status = run("if (t % 3 == 0) { y[i] = 5; return; } if (g % 2) { " + kBarrier +
                                " y[i] = 6; } else { " + kBarrier + " y[i] = 7; } " + kBarrier,
                            y);
  ASSERT_TRUE(status) << status.error().message();
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(y.data<float>()[i], i % 64 % 3 == 0 ? 5 : i / 64 % 2 ? 6 : 7) << i;
}

// What one launch left behind is nothing to the next one on the same threads.
TEST(DivergentBarrier, TheNextLaunchIsUnharmed) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(run("if (t < 40) { " + kBarrier + " } else { " + kBarrier + " } y[i] = 1;"));
    const Array y = Array::zeros({1024}, float32);
    ASSERT_TRUE(run("threadgroup float s[64]; s[t] = i; " + kBarrier + " y[i] = s[63 - t];", y));
    for (int i = 0; i < 1024; ++i)
      ASSERT_EQ(y.data<float>()[i], static_cast<float>(i / 64 * 64 + 63 - i % 64));
  }
}

}  // namespace
}  // namespace sprue
