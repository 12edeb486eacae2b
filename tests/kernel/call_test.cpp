// A call as a whole: what it prints, what it leaves alone, what a forked child can do.
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

namespace sprue {
namespace {

TEST(Call, VerbosePrintsTheMetalTextUnderTheUsersName) {
  const std::string name = fresh_name("talking kernel");
  const Kernel kernel =
      metal_kernel(one_to_one(name, "y[0] = T(x[1]) + N; // the user's own comment"));
  EXPECT_EQ(kernel.name(), name);
  KernelCall call = one_element_call(arange(8), float32, {{"T", float16}, {"N", 3}});
  const auto printed_by = [&] {
    testing::internal::CaptureStdout();
    const Arrays out = kernel(call);
    std::fflush(stdout);
    EXPECT_EQ(number(out[0]), 4);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(printed_by(), "");
  call.verbose = true;
  for (int round = 0; round < 2; ++round) {  // on a miss and on a hit alike
    const std::string printed = printed_by();
    EXPECT_EQ(printed.find("Generated source code for `" + name + "`:\n```\n"), 0u) << printed;
    for (const char* part :
         {"[[kernel]] void custom_kernel_talking", "device float* x", "// the user's own comment",
          "template <typename T, int N>", "host_name"})
      EXPECT_NE(printed.find(part), std::string::npos) << part << " in " << printed;
  }
}

TEST(Call, LeavesItsArgumentsAsTheyAre) {
  const Kernel kernel =
      metal_kernel(one_to_one(fresh_name("modest"), "y[thread_position_in_grid.x] = x[0];"));
  const Array x = arange(24).reshaped({4, 6}).transposed();
  KernelCall call = {.inputs = {x},
                     .output_shapes = {{3}},
                     .output_dtypes = {float32},
                     .grid = {3, 1, 1},
                     .threadgroup = {100, 1, 1}};
  (void)kernel(call);
  EXPECT_EQ(call.inputs[0].address(), x.address());
  EXPECT_EQ(call.inputs[0].strides(), (Strides{1, 6}));
  EXPECT_EQ(call.threadgroup, (Size3{100, 1, 1}));
}

// A kernel outlives the factory's options, and results outlive the kernel.
TEST(Call, ResultsOutliveTheKernel) {
  Arrays out;
  {
    const Kernel kernel = metal_kernel(one_to_one(fresh_name("gone"), "y[0] = x[3] * 2;"));
    out = kernel(one_element_call(arange(8), float32));
  }
  EXPECT_EQ(number(out[0]), 6);
}

TEST(Call, WorksInAForkedChild) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer refuses threads in a child of a process with threads";
#endif
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("forked"), R"(
threadgroup_barrier(mem_flags::mem_none);
y[thread_position_in_grid.x] = N * 3;
)"));
  const auto run = [&](int n) {
    const Arrays out = kernel({.inputs = {1},
                               .output_shapes = {{5000}},
                               .output_dtypes = {int32},
                               .grid = {5000, 1, 1},
                               .threadgroup = {64, 1, 1},
                               .template_arguments = {{"N", n}}});
    return numbers(out[0]) == std::vector<double>(5000, n * 3);
  };
  ASSERT_TRUE(run(1));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);  // a child that hangs is killed, and fails the test by its status
    _exit(run(1) && run(2) ? 0 : 1);  // what was compiled before, and what wasn't
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(run(2));
}

}  // namespace
}  // namespace sprue
