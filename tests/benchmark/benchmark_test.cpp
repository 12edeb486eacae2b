#include "benchmark/benchmark.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/counters.h"
#include "base/process.h"
#include "benchmark/presets.h"

namespace sprue {
namespace {

namespace fs = std::filesystem;

class Benchmark : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sprue-bench-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    file_ = write("twice.toml", kernel("2 * x[i]"));
    options_.most_trials = 31;
    options_.arms.names = {"jit", "cast"};  // compiled quickly
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string kernel(const std::string& expression, const std::string& more = "") {
    return R"(name = "twice"
inputs = ["x"]
outputs = ["y"]
source = "uint i = thread_position_in_grid.x; y[i] = )" +
           expression + R"(;"
bytes = "8 * N"
)" + more + R"(
[[call]]
sizes = { N = 512 }
grid = ["N", 1, 1]
threadgroup = [64, 1, 1]
[call.inputs]
x = { shape = ["N"], dtype = "float32", fill = "normal" }
[call.outputs]
y = { shape = ["N"], dtype = "float32" }
)";
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::vector<std::string> names(const BenchRow& row) {
    std::vector<std::string> names;
    for (const ArmIdentity& arm : row.arms) names.push_back(arm.name);
    return names;
  }
  static bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  }

  fs::path folder_;
  std::string file_;
  BenchmarkOptions options_;
};

TEST_F(Benchmark, MeasuresEveryArmThatThereIs) {
  options_.arms = BenchmarkOptions().arms;
  const auto report = run_benchmark({.path = file_}, options_);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows.size(), 1u);
  const BenchRow& row = report->rows[0];
  const std::vector<std::string> with = {"c++", "jit", "jit-fast", "cast", "cast-fast"};
  const std::vector<std::string> without = {"jit", "jit-fast", "cast", "cast-fast"};
  EXPECT_EQ(names(row), row.left_out.empty() ? with : without);
  EXPECT_EQ(row.trials, 31);
  for (const ArmTimes& times : row.times) EXPECT_EQ(times.seconds.size(), 31u);
  EXPECT_EQ(row.pairs.size(), row.arms.size() * (row.arms.size() - 1) / 2);
  EXPECT_EQ(row.bytes, 8.0 * 512);
  EXPECT_EQ(row.input_digests.size(), 1u);
  for (const ArmIdentity& arm : row.arms) {
    EXPECT_EQ(arm.digest.size(), 32u) << arm.name;
    EXPECT_EQ(arm.form, "loop") << arm.name;
    EXPECT_GT(arm.code_bytes, 0) << arm.name;
    EXPECT_FALSE(arm.compiler.empty()) << arm.name;
  }
  ASSERT_TRUE(report->roofline && report->noise);
  EXPECT_GT(report->roofline->launch_seconds, 0);
  EXPECT_FALSE(row.bound.by.empty());
  EXPECT_EQ(report->stack["machine"]["kernel"].is_string(), true);
}

// Arms of one text in safe math are promised equal bits, however they were built.
TEST_F(Benchmark, OneTextMustGiveEqualBits) {
  options_.arms = BenchmarkOptions().arms;
  const auto report = run_benchmark({.path = file_}, options_);
  ASSERT_TRUE(report) << report.error().message();
  for (const ArmParity& parity : report->rows[0].parity) {
    EXPECT_EQ(parity.bar, 0) << parity.arm;
    EXPECT_TRUE(parity.identical) << parity.arm << ": " << parity.mismatch;
  }
}

TEST_F(Benchmark, EqualBinariesAreAControl) {
  options_.arms.names = {"cast", "cast-fast"};
  const auto report = run_benchmark({.path = file_}, options_);
  ASSERT_TRUE(report) << report.error().message();
  const BenchRow& row = report->rows[0];
  EXPECT_EQ(row.same_binary(row.pairs[0]), row.arms[0].digest == row.arms[1].digest);
}

TEST_F(Benchmark, ASweepHasARowForEachCombination) {
  options_.arms.names = {"jit"};
  options_.sweep = {{"N", {64, 128, 256}}};
  const uint64_t compiles = counters().compiles;
  const auto report = run_benchmark({.path = file_}, options_);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows.size(), 3u);
  EXPECT_EQ(report->rows[1].call, "N=128");
  EXPECT_EQ(report->rows[1].sizes[0].second, 128);
  EXPECT_EQ(*report->rows[2].bytes, 8.0 * 256);
  // One specialisation for all, and the kernel that does nothing.
  EXPECT_LE(counters().compiles - compiles, 2u);
}

TEST_F(Benchmark, WhatIsWrongIsFoundBeforeAnythingIsCompiled) {
  const uint64_t compiles = counters().compiles;
  options_.sweep = {{"M", {1}}};
  auto report = run_benchmark({.path = file_}, options_);
  ASSERT_FALSE(report);
  EXPECT_TRUE(mentions(report.error().message(), "N")) << report.error().message();
  options_.sweep = {{"N", {64, -1}}};
  EXPECT_FALSE(run_benchmark({.path = file_}, options_));
  options_.sweep = {{"N", {}}};
  EXPECT_FALSE(run_benchmark({.path = file_}, options_));
  options_.sweep = {};
  options_.call = "absent";
  EXPECT_FALSE(run_benchmark({.path = file_}, options_));
  EXPECT_FALSE(run_benchmark({.path = (folder_ / "absent.toml").string()}, {}));
  EXPECT_EQ(counters().compiles, compiles);
}

TEST_F(Benchmark, AnArmThatWasAskedForMustBeThere) {
  options_.arms = {.names = {"native", "jit"}, .required = true};
  const auto report = run_benchmark({.path = file_}, options_);
  ASSERT_FALSE(report);
  EXPECT_TRUE(mentions(report.error().message(), "native"));
}

TEST_F(Benchmark, AKernelThatWaitsHasNoOfflineArm) {
  options_.arms.names = {"c++", "jit"};
  const std::string file = write("sum.toml", kernel("simd_sum(x[i])"));
  const auto report = run_benchmark({.path = file}, options_);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows[0].left_out.size(), 1u);
  EXPECT_TRUE(mentions(report->rows[0].left_out[0], "c++")) << report->rows[0].left_out[0];
  EXPECT_EQ(report->rows[0].arms[0].form, "coroutine");
  EXPECT_GT(report->rows[0].arms[0].frame_bytes, 0);
}

TEST_F(Benchmark, ThreadgroupStorageHasNoOfflineArm) {
  options_.arms.names = {"c++", "jit"};
  const std::string file = write("tile.toml", R"(name = "tile"
inputs = ["x"]
outputs = ["y"]
source = """threadgroup float tile[64]; uint i = thread_position_in_grid.x; uint j = i % 64;
tile[j] = x[i]; y[i] = tile[j];"""
[[call]]
grid = [128, 1, 1]
threadgroup = [64, 1, 1]
[call.inputs]
x = { shape = [128], dtype = "float32", fill = "normal" }
[call.outputs]
y = { shape = [128], dtype = "float32" }
)");
  const auto report = run_benchmark({.path = file}, options_);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows[0].left_out.size(), 1u);
}

TEST_F(Benchmark, MutableInputsAreComparedToo) {
  const std::string text = R"(name = "add"
inputs = ["x"]
outputs = ["y"]
mutable_inputs = ["x"]
source = "uint i = thread_position_in_grid.x; y[i] = 0; x[i] = x[i] + ADDED;"
[[call]]
grid = [32, 1, 1]
threadgroup = [32, 1, 1]
template = { ADDED = 1 }
[call.inputs]
x = { shape = [32], dtype = "float32", fill = "zeros" }
[call.outputs]
y = { shape = [32], dtype = "float32" }
)";
  const std::string one = write("one.toml", text);
  std::string changed = text;
  changed.replace(changed.find("ADDED;"), 5, "2 * 1");
  const std::string two = write("two.toml", changed);
  const auto report = compare_versions({.path = two}, {.path = one}, options_);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows[0].parity.size(), 1u);
  EXPECT_FALSE(report->rows[0].parity[0].holds());
  EXPECT_TRUE(mentions(report->rows[0].parity[0].mismatch, "output 2"))
      << report->rows[0].parity[0].mismatch;
}

TEST_F(Benchmark, TwoTextsMeetOnTheSameInputs) {
  // Another order of inputs, other names for nothing else: the arrays are matched by name.
  const std::string two_inputs = R"(name = "mix"
inputs = [INPUTS]
outputs = ["y"]
source = "uint i = thread_position_in_grid.x; y[i] = a[i] - b[i];"
[[call]]
grid = [32, 1, 1]
threadgroup = [32, 1, 1]
[call.inputs]
a = { shape = [32], dtype = "float32", fill = "normal" }
b = { shape = [32], dtype = "float32", fill = "normal" }
[call.outputs]
y = { shape = [32], dtype = "float32" }
)";
  const auto with_inputs = [&](const std::string& inputs) {
    std::string text = two_inputs;
    return text.replace(text.find("INPUTS"), 6, inputs);
  };
  const std::string a = write("a.toml", with_inputs(R"("a", "b")"));
  const std::string b = write("b.toml", with_inputs(R"("b", "a")"));
  const auto report = compare_versions({.path = a}, {.path = b}, options_);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(names(report->rows[0]), (std::vector<std::string>{"old", "new"}));
  EXPECT_EQ(report->rows[0].arms[0].source, b);
  EXPECT_EQ(report->rows[0].arms[1].source, a);
  EXPECT_TRUE(report->rows[0].parity[0].identical);
}

TEST_F(Benchmark, TextsThatDifferInTheirResultsSaySo) {
  const std::string other = write("thrice.toml", kernel("3 * x[i]"));
  const auto report = compare_versions({.path = other}, {.path = file_}, options_);
  ASSERT_TRUE(report) << report.error().message();
  const ArmParity& parity = report->rows[0].parity[0];
  EXPECT_FALSE(parity.holds());
  EXPECT_NEAR(parity.deviation, 0.5, 1e-6);  // |3x - 2x| / |2x|
  EXPECT_TRUE(mentions(parity.mismatch, "512 of 512")) << parity.mismatch;
}

TEST_F(Benchmark, VersionsThatDontMeetAreRefused) {
  std::string renamed = kernel("2 * z[i]");
  for (size_t at; (at = renamed.find("x =")) != renamed.npos;) renamed.replace(at, 1, "z");
  renamed.replace(renamed.find("[\"x\"]"), 5, "[\"z\"]");
  const auto inputs =
      compare_versions({.path = file_}, {.path = write("z.toml", renamed)}, options_);
  ASSERT_FALSE(inputs);
  EXPECT_TRUE(mentions(inputs.error().message(), "'z'")) << inputs.error().message();
  std::string other_call = kernel("2 * x[i]");
  other_call.replace(other_call.find("sizes"), 0, "name = \"big\"\n");
  const auto calls =
      compare_versions({.path = file_}, {.path = write("big.toml", other_call)}, options_);
  ASSERT_FALSE(calls);
  EXPECT_TRUE(mentions(calls.error().message(), "big")) << calls.error().message();
}

class GitRevision : public Benchmark {
 protected:
  void SetUp() override {
    Benchmark::SetUp();
    if (!git({"init", "-q"})) GTEST_SKIP() << "no git";
    fs::create_directories(folder_ / "kernels");
    write_version("2 * x[i]");
    ASSERT_TRUE(git({"add", "."}) && git({"commit", "-q", "-m", "first"}));
    write_version("x[i] + x[i]");
  }
  bool git(std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-c", "user.name=a", "-c", "user.email=a@b", "-c",
                                 "commit.gpgsign=false"});
    const auto result = run_process(words, {.folder = folder_.string()});
    return result && result->exit_code == 0;
  }
  void write_version(const std::string& expression) {
    std::string text = kernel("");
    const size_t begin = text.find("source ="), end = text.find('\n', begin);
    text.replace(begin, end - begin, "source_file = \"../twice.metal\"");
    write("kernels/twice.toml", text);
    write("twice.metal", "uint i = thread_position_in_grid.x; y[i] = " + expression + ";");
  }
};

TEST_F(GitRevision, TheFileAndItsSourceAreThoseOfThen) {
  const std::string path = (folder_ / "kernels/twice.toml").string();
  const auto then = at_git_revision(path, "HEAD");
  ASSERT_TRUE(then) << then.error().message();
  EXPECT_EQ(then->shown, "HEAD:kernels/twice.toml");
  const auto report = compare_versions({.path = path}, *then, options_);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->rows[0].arms[0].source, "HEAD:kernels/twice.toml");
  EXPECT_TRUE(report->rows[0].parity[0].identical);
  const auto file = read_kernel_file(then->path, then->read);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_TRUE(mentions(file->options.source, "2 * x[i]"));
}

TEST_F(GitRevision, WhatIsntThereIsNamed) {
  const std::string path = (folder_ / "kernels/twice.toml").string();
  for (const char* revision : {"no-such-branch", "--output=x", "", "HEAD:twice.metal"})
    EXPECT_FALSE(at_git_revision(path, revision)) << revision;
  const std::string later = write("later.toml", kernel("2 * x[i]"));
  const auto source = at_git_revision(later, "HEAD");
  ASSERT_TRUE(source) << source.error().message();
  const auto file = read_kernel_file(source->path, source->read);
  ASSERT_FALSE(file);
  EXPECT_TRUE(mentions(file.error().message(), "later.toml")) << file.error().message();
  EXPECT_FALSE(at_git_revision((folder_ / "absent.toml").string(), "HEAD"));
}

TEST(Presets, AreThereAndFitTheirOperation) {
  for (const std::string& name : preset_names()) {
    const auto preset = find_preset(name);
    ASSERT_TRUE(preset);
    ReadOptions read = preset->source.read;
    for (const SweepAxis& axis : preset->sweep)
      read.sizes.emplace_back(axis.name, axis.values.back());
    const auto file = read_kernel_file(preset->source.path, read);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_TRUE(file->calls[0].bytes && file->calls[0].ops) << name;
  }
  const auto absent = find_preset("gold");
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message().find("int4-gemv"), std::string::npos);
}

// Small sizes of the preset: all arms, native too, agree with each other.
TEST(Presets, Int4GemvMeasuresTheSameProductInEveryArm) {
  const auto preset = find_preset("int4-gemv");
  ASSERT_TRUE(preset);
  BenchmarkOptions options;
  options.most_trials = 31;
  options.sweep = {{"N", {12}}, {"K", {256, 512}}};
  const auto report = run_benchmark(preset->source, options);
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->rows.size(), 2u);
  EXPECT_EQ(report->rows[0].arms[0].name, "native");
  // Packed weights, two 16-bit numbers a group, x and y.
  EXPECT_EQ(*report->rows[1].bytes, 12 * 512 / 2 + 12 * 8 * 4 + 512 * 2 + 12 * 2);
  EXPECT_EQ(*report->rows[1].ops, 2 * 12 * 512);
  for (const BenchRow& row : report->rows)
    for (const ArmParity& parity : row.parity)
      EXPECT_TRUE(parity.holds()) << parity.arm << " " << parity.mismatch;
}

}  // namespace
}  // namespace sprue
