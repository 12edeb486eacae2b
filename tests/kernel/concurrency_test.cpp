// Kernels called from many threads at once. The suites' names end in Concurrency: the thread sanitizer
// runs them.
#include <latch>

#include "support.h"

namespace sprue {
namespace {

constexpr int kThreads = 16;

KernelCall numbered_call(int n) { return one_element_call(arange(8), int32, {{"N", n}}); }

class TableConcurrency : public testing::Test {
 private:
  const WithSettings settings_{true, kernel_settings().verify_keys};
};

TEST_F(TableConcurrency, ManyThreadsOnOneKernelCompileOnce) {
  const Kernel kernel = metal_kernel(
      one_to_one(fresh_name("shared"), "uint i = thread_position_in_grid.x; y[i] = x[i] * 3;"));
  const CounterDelta delta;
  on_threads(kThreads, [&](int thread) {
    std::vector<double> values, expected;
    for (int i = 0; i < 64; ++i) {
      values.push_back(thread * 100 + i);
      expected.push_back((thread * 100 + i) * 3);
    }
    for (int round = 0; round < 20; ++round) {
      const Arrays out = kernel({.inputs = {make_array(float32, values, {64})},
                                 .output_shapes = {{64}},
                                 .output_dtypes = {float32},
                                 .grid = {64, 1, 1},
                                 .threadgroup = {16, 1, 1}});
      EXPECT_EQ(numbers(out[0]), expected);
    }
  });
  EXPECT_EQ(delta(&Counters::compiles), 1u);
  EXPECT_EQ(delta(&Counters::loads), 1u);
  EXPECT_EQ(delta(&Counters::misses), 1u);
  EXPECT_EQ(delta(&Counters::hits), kThreads * 20u - 1);
}

TEST_F(TableConcurrency, ManyThreadsOnManyKernels) {
  const std::string name = fresh_name("many");
  const CounterDelta delta;
  on_threads(kThreads, [&](int thread) {
    // One name for all: the bodies tell them apart.
    const Kernel kernel =
        metal_kernel(one_to_one(name, "y[0] = N * 100 + " + std::to_string(thread) + ";"));
    for (int round = 0; round < 5; ++round)
      EXPECT_EQ(number(kernel(numbered_call(7))[0]), 700 + thread);
  });
  EXPECT_EQ(delta(&Counters::definitions), kThreads);
  EXPECT_EQ(delta(&Counters::compiles), kThreads);
}

TEST_F(TableConcurrency, OneTextFromManyThreadsIsOneDefinition) {
  const KernelOptions options = one_to_one(fresh_name("common"), "y[0] = N + 1;");
  const CounterDelta delta;
  on_threads(kThreads, [&](int) {
    for (int i = 0; i < 50; ++i) {
      const Kernel kernel = metal_kernel(options);
      if (i % 10 == 0) {
        EXPECT_EQ(number(kernel(numbered_call(4))[0]), 5);
      }
    }
  });
  EXPECT_EQ(delta(&Counters::definitions), 1u);
  EXPECT_EQ(delta(&Counters::compiles), 1u);
}

TEST_F(TableConcurrency, SpecialisationsOfOneKernelFromManyThreads) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("specialised"), "y[0] = N * 2;"));
  const CounterDelta delta;
  on_threads(kThreads, [&](int thread) {
    for (int round = 0; round < 4; ++round) {
      const int n = (thread + round) % 4;
      EXPECT_EQ(number(kernel(numbered_call(n))[0]), n * 2);
    }
  });
  EXPECT_EQ(delta(&Counters::misses), 4u);
  EXPECT_EQ(delta(&Counters::compiles), 4u);
}

TEST_F(TableConcurrency, AFailureReachesEveryWaiterAndIsForgotten) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("broken"), "y[0] = missing;"));
  std::atomic<int> failures{0};
  on_threads(kThreads, [&](int) {
    try {
      (void)kernel(numbered_call(1));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::compile_failed);
      EXPECT_NE(error.details().compile_log.find("missing"), std::string::npos);
      EXPECT_EQ(error.details().line, 1);
      ++failures;
    }
  });
  EXPECT_EQ(failures, kThreads);
  const CounterDelta delta;
  EXPECT_THROW((void)kernel(numbered_call(1)), Error);
  EXPECT_EQ(delta(&Counters::compiles), 1u);
  EXPECT_EQ(delta(&Counters::launches), 0u);
}

// All threads are on their way before the first attempt ends, so that most of them wait for it.
TEST_F(TableConcurrency, TheCallAfterAFailureTriesAgain) {
  const auto state = std::make_shared<ReloadingState>(
      metal_kernel(one_to_one(fresh_name("again"), "y[0] = 6;")), numbered_call(0));
  const Kernel kernel(state);
  std::latch under_way(kThreads);
  std::atomic<bool> fails{true};
  state->before_make = [&]() -> Status {
    if (!fails) return {};
    under_way.wait();
    return fail(ErrorCode::compile_failed, "test", "the first attempt");
  };
  std::atomic<int> failures{0};
  on_threads(kThreads, [&](int) {
    under_way.count_down();
    try {
      (void)kernel(numbered_call(0));
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("the first attempt"), std::string::npos);
      ++failures;
    }
  });
  EXPECT_EQ(failures, kThreads);
  EXPECT_EQ(state->table().size(), 0u);
  fails = false;
  EXPECT_EQ(number(kernel(numbered_call(0))[0]), 6);
  EXPECT_EQ(number(kernel(numbered_call(0))[0]), 6);
}

// The entry alone: fifteen callers that arrive while the first one makes share its outcome.
TEST_F(TableConcurrency, AnEntryIsMadeOnceForAllWhoWait) {
  SpecializationEntry entry{SpecializationKey{}};
  std::latch under_way(kThreads);
  std::atomic<int> makes{0};
  std::vector<std::shared_ptr<const ReadySpecialization>> got(kThreads);
  on_threads(kThreads, [&](int thread) {
    under_way.count_down();
    auto outcome = entry.get_or_make([&]() -> Result<std::shared_ptr<const ReadySpecialization>> {
      under_way.wait();
      ++makes;
      return std::make_shared<const ReadySpecialization>();
    });
    ASSERT_TRUE(outcome);
    got[static_cast<size_t>(thread)] = *outcome;
  });
  EXPECT_EQ(makes, 1);
  for (const auto& ready : got) EXPECT_EQ(ready, got[0]);
  EXPECT_EQ(entry.ready(), got[0]);
}

// More specialisations than the table holds, so that entries leave it, and their code is unmapped,
// while other threads run theirs.
TEST_F(TableConcurrency, EntriesLeaveWhileOthersLaunch) {
  const Kernel compiled = metal_kernel(one_to_one(
      fresh_name("leaving"), "uint i = thread_position_in_grid.x; y[i] = int(x[i % 8]) + int(i);"));
  KernelCall call = numbered_call(0);
  call.output_shapes = {{512}};
  call.grid = {512, 1, 1};
  call.threadgroup = {64, 1, 1};
  const auto state = std::make_shared<ReloadingState>(compiled, call);
  const Kernel kernel(state);
  const CounterDelta delta;
  on_threads(8, [&](int thread) {
    KernelCall mine = call;
    for (int i = 0; i < 80; ++i) {
      mine.template_arguments[0].value = thread * 1000 + i;
      const Array y = kernel(mine)[0];
      for (int k = 0; k < 512; ++k) ASSERT_EQ(y.data<int32_t>()[k], k % 8 + k);
    }
  });
  EXPECT_EQ(delta(&Counters::misses), 640u);
  EXPECT_EQ(delta(&Counters::evictions), 640 - kTableCapacity);
  EXPECT_LE(state->table().size(), kTableCapacity);
}

TEST_F(TableConcurrency, KernelsComeAndGo) {
  const std::string name = fresh_name("passing");
  const KernelCall call = one_element_call(arange(8), int32);
  on_threads(8, [&](int thread) {
    for (int i = 0; i < 300; ++i) {
      // Few texts are called, many are only made: the registry drops definitions meanwhile.
      const int text = (thread + i) % 4;
      const Kernel kernel = metal_kernel(one_to_one(name, "y[0] = " + std::to_string(text) + ";"));
      const Kernel copy = kernel;
      if (i % 30 == 0) {
        EXPECT_EQ(number(copy(call)[0]), text);
      }
      (void)metal_kernel(one_to_one(name, "//" + std::to_string(thread * 1000 + i)));
    }
  });
}

// Barriers and collectives on many threads at once: each has an executor of its own.
TEST(LaunchConcurrency, CoroutinesOfManyCallers) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("reducing"), R"(
threadgroup float shared[64];
uint local = thread_position_in_threadgroup.x;
shared[local] = simd_sum(x[thread_position_in_grid.x]);
threadgroup_barrier(mem_flags::mem_threadgroup);
if (local == 0) y[threadgroup_position_in_grid.x] = shared[0] + shared[32];
)"));
  on_threads(kThreads, [&](int thread) {
    const Array x = make_array(float32, std::vector<double>(64 * 20, thread), {64 * 20});
    for (int round = 0; round < 5; ++round) {
      const Arrays out = kernel({.inputs = {x},
                                 .output_shapes = {{20}},
                                 .output_dtypes = {float32},
                                 .grid = {64 * 20, 1, 1},
                                 .threadgroup = {64, 1, 1}});
      EXPECT_EQ(numbers(out[0]), std::vector<double>(20, thread * 64));
    }
  });
}

TEST(LaunchConcurrency, AtomicsOfManyWorkersAddUp) {
  const Kernel kernel =
      metal_kernel({.name = fresh_name("adding"),
                    .input_names = {"x"},
                    .output_names = {"sum"},
                    .source = "atomic_fetch_add_explicit(&sum[0], 1, memory_order_relaxed);",
                    .atomic_outputs = true});
  on_threads(4, [&](int) {
    const Arrays out = kernel({.inputs = {1},
                               .output_shapes = {{1}},
                               .output_dtypes = {int32},
                               .grid = {20000, 1, 1},
                               .threadgroup = {64, 1, 1},
                               .init_value = 0});
    EXPECT_EQ(number(out[0]), 20000);
  });
}

}  // namespace
}  // namespace sprue
