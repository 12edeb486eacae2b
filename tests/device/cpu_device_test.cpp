// The CPU as a device, below the call path: what it loads, refuses, fills and runs.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "base/counters.h"
#include "base/embedded_text.h"
#include "base/sys.h"
#include "compile/compiler.h"
#include "device/cpu/cpu_pipeline.h"
#include "device/device.h"
#include "dialect/generator.h"
#include "program/cpu_abi.h"

namespace sprue {
namespace {

// y[i] = x[i] + 1 over float32, compiled for the baseline.
Binary compile_increment(const std::string& before = "") {
  const KernelDefinition definition = value_or_throw(
      make_definition({.name = "increment",
                       .input_names = {"x"},
                       .output_names = {"y"},
                       .source = before + "uint i = thread_position_in_grid.x; y[i] = x[i] + 1;"},
                      "test"));
  Specialization specialization;
  specialization.inputs = {{float32, false, false}};
  specialization.outputs = {float32};
  const GeneratedSource source = value_or_throw(generate_cpu(definition, specialization));
  CompileRequest request;
  request.text = source.text;
  request.file_name = "<generated>";
  request.kernel_name = definition.name;
  request.entry_name = source.entry_name;
  request.signature = source.signature;
  for (const EmbeddedText& text : prelude_texts())
    request.headers.emplace(std::string(text.name), std::string(text.text));
  request.user_files.emplace(definition.source_file, definition.source);
  return value_or_throw(clang_compiler().compile(request));
}

const Binary& increment() {
  static const auto* binary = new Binary(compile_increment());
  return *binary;
}

void expect_refused(const Binary& binary, const std::string& part) {
  const uint64_t loads = counters().loads;
  const auto pipeline = cpu_device().load(binary);
  ASSERT_FALSE(pipeline) << "loaded, where an error with '" << part << "' was expected";
  EXPECT_EQ(pipeline.error().code(), ErrorCode::load_failed);
  EXPECT_NE(pipeline.error().message().find(part), std::string::npos) << pipeline.error().message();
  EXPECT_EQ(counters().loads, loads);
}

Status run_increment(const std::shared_ptr<const Pipeline>& pipeline, const Array& x, Array& y) {
  const Argument arguments[] = {{x.address(), 0}, {y.address(), 0}};
  const std::string name = "increment";
  Launch launch;
  launch.pipeline = pipeline;
  launch.arguments = arguments;
  launch.argument_count = 2;
  launch.grid = {x.size(), 1, 1};
  launch.threadgroup = {16, 1, 1};
  launch.kernel_name = &name;
  return cpu_device().submit(launch);
}

TEST(CpuDevice, SaysWhatItIs) {
  EXPECT_EQ(cpu_device().id(), (DeviceId{DeviceKind::cpu, 0}));
  EXPECT_NE(cpu_device().description().find("thread"), std::string::npos);
  EXPECT_TRUE(cpu_device().accepts(cpu_device().jit_target()));
}

TEST(CpuDevice, AcceptsWhatRunsHereAndNamesWhatDoesNot) {
  EXPECT_TRUE(cpu_device().accepts({TargetKind::cpu, "x86-64-v3", ""}));
  EXPECT_EQ(cpu_device().accepts({TargetKind::cpu, "x86-64-v4", ""}).has_value(),
            static_cast<bool>(__builtin_cpu_supports("avx512vl")));
  const Status other = cpu_device().accepts({TargetKind::cuda, "sm_90a", ""});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message(), "[cpu] expected code for the CPU, got code for cuda:sm_90a");
  for (const char* architecture : {"x86-64-v9", "znver9", "", "armv9"}) {
    const Status status = cpu_device().accepts({TargetKind::cpu, architecture, ""});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), ErrorCode::load_failed);
    EXPECT_NE(status.error().message().find(architecture), std::string::npos);
  }
  Binary foreign = increment();
  foreign.target.architecture = "x86-64-v9";
  expect_refused(foreign, "x86-64-v9");
}

TEST(CpuDevice, RunsABinaryForAsLongAsItIsHeld) {
  for (const char* mode : {"", "threadgroup_barrier(mem_flags::mem_none);"}) {
    const Binary binary = compile_increment(mode);
    auto pipeline = value_or_throw(cpu_device().load(binary));
    const auto copy = pipeline;
    pipeline.reset();
    EXPECT_EQ(static_cast<const CpuPipeline&>(*copy).is_coroutine(), *mode != '\0');
    const Array x = Array::from<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {9});
    Array y = Array::zeros({9}, float32);
    ASSERT_TRUE(run_increment(copy, x, y));
    EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{2, 3, 4, 5, 6, 7, 8, 9, 10}));
  }
}

// Two loads are two copies of the code: letting one go leaves the other.
TEST(CpuDevice, EachLoadStandsAlone) {
  const Array x = Array::from<float>({1, 2, 3, 4, 5, 6, 7, 8}, {8});
  const auto kept = value_or_throw(cpu_device().load(increment()));
  for (int round = 0; round < 50; ++round) {
    const auto passing = value_or_throw(cpu_device().load(increment()));
    Array y = Array::zeros({8}, float32);
    ASSERT_TRUE(run_increment(passing, x, y));
    EXPECT_EQ(y.data<float>()[7], 9);
  }
  Array y = Array::zeros({8}, float32);
  ASSERT_TRUE(run_increment(kept, x, y));
  EXPECT_EQ(y.data<float>()[0], 2);
}

// A descriptor's number is used again at once: the loader must not answer with code of the file before.
TEST(CpuDevice, ADifferentBinaryAtTheSameDescriptorIsTheDifferentOne) {
  const Array x = Array::from<float>({1, 2, 3, 4, 5, 6, 7, 8}, {8});
  const Binary other =
      compile_increment("y[thread_position_in_grid.x] = 0; if (x[0] > 0) { y += 0; x += 1; }");
  for (int round = 0; round < 10; ++round) {
    Array y = Array::zeros({8}, float32);
    ASSERT_TRUE(run_increment(value_or_throw(cpu_device().load(increment())), x, y));
    EXPECT_EQ(y.data<float>()[0], 2);
    const Array longer = Array::from<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {9});
    const Array window = longer.as_strided({8}, {1});
    ASSERT_TRUE(run_increment(value_or_throw(cpu_device().load(other)), window, y));
    EXPECT_EQ(y.data<float>()[0], 3);
  }
}

TEST(CpuDevice, BinariesThatAreNoKernelsAreRefused) {
  Binary binary = increment();
  binary.bytes = "this is no shared object";
  expect_refused(binary, increment().entry_name);
  binary.bytes.clear();
  expect_refused(binary, increment().entry_name);
  binary.bytes = increment().bytes.substr(0, 40);
  expect_refused(binary, increment().entry_name);
  // A shared object of the system: it loads, and exports none of ours.
  Dl_info library{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &library), 0);
  binary.bytes = value_or_throw(read_file(library.dli_fname));
  expect_refused(binary, "sprue_kernel_info");
}

// The kernel's info as it lies in the binary's bytes.
size_t place_of_info(const std::string& bytes) {
  SprueKernelInfo info{};
  info.abi_version = SPRUE_CPU_ABI_VERSION;
  info.mode = kSprueLoopMode;
  info.parameter_count = 2;
  const std::string_view pattern(reinterpret_cast<const char*>(&info), sizeof info);
  const size_t at = bytes.find(pattern);
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(bytes.find(pattern, at + 1), std::string::npos);
  return at;
}

TEST(CpuDevice, AnotherInterfaceVersionIsRefused) {
  Binary binary = increment();
  const uint32_t stale = SPRUE_CPU_ABI_VERSION + 98;
  std::memcpy(&binary.bytes[place_of_info(binary.bytes) + offsetof(SprueKernelInfo, abi_version)],
              &stale, sizeof stale);
  expect_refused(binary, std::to_string(stale));
}

TEST(CpuDevice, AWrongParameterCountIsRefused) {
  Binary binary = increment();
  for (uint32_t count : {0u, 1u, 3u, 1000u}) {
    std::memcpy(
        &binary
             .bytes[place_of_info(increment().bytes) + offsetof(SprueKernelInfo, parameter_count)],
        &count, sizeof count);
    expect_refused(binary, "expected 2 parameters");
  }
  binary = increment();
  binary.signature.parameters.pop_back();
  expect_refused(binary, "expected 1 parameters");
  binary.signature = increment().signature;
  binary.signature.parameters.push_back(binary.signature.parameters.back());
  expect_refused(binary, "expected 3 parameters");
}

TEST(CpuDevice, AModeWithoutItsFunctionIsRefused) {
  Binary binary = increment();
  const uint32_t mode = kSprueCoroutineMode;
  std::memcpy(&binary.bytes[place_of_info(binary.bytes) + offsetof(SprueKernelInfo, mode)], &mode,
              sizeof mode);
  expect_refused(binary, "entry function");
}

TEST(CpuDevice, CountsItsLaunchesAndLoads) {
  const uint64_t loads = counters().loads, launches = counters().launches;
  const auto pipeline = value_or_throw(cpu_device().load(increment()));
  const Array x = Array::zeros({16}, float32);
  Array y = Array::zeros({16}, float32);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run_increment(pipeline, x, y));
  EXPECT_EQ(counters().loads - loads, 1u);
  EXPECT_EQ(counters().launches - launches, 3u);
}

TEST(CpuDevice, PoisonIsNanOrTheLargestInteger) {
  Array floats = Array::zeros({3}, float32), integers = Array::zeros({3}, uint16);
  ASSERT_TRUE(cpu_device().poison(floats));
  ASSERT_TRUE(cpu_device().poison(integers));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(floats.data<float>()[i], floats.data<float>()[i]);
    EXPECT_EQ(integers.data<uint16_t>()[i], 65535);
  }
}

// Two binaries come and go at the same descriptors: each load must be the one that was asked for.
TEST(CpuDeviceConcurrency, LoadsAndRunsOnManyThreads) {
  const Binary binaries[] = {increment(),
                             compile_increment("y[thread_position_in_grid.x] = 0; x += 1;")};
  const Array x = Array::from<float>({0, 1, 2, 3, 4, 5, 6, 7, 8}, {9});
  const Array window = x.as_strided({8}, {1});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 100; ++round) {
        const int which = (thread + round) % 2;
        const auto pipeline = cpu_device().load(binaries[which]);
        Array y = Array::zeros({8}, float32);
        if (!pipeline || !run_increment(*pipeline, window, y)) continue;
        right += y.data<float>()[5] == static_cast<float>(6 + which);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8 * 100);
}

}  // namespace
}  // namespace sprue
