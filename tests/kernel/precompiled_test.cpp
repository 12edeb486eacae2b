// Castings end to end: made from calls, written, opened, run without a compiler; refused where they
// don't fit.
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "casting/casting.h"
#include "dialect/generator.h"
#include "support.h"

namespace sprue {
namespace {

const Target kBaseline{TargetKind::cpu, "x86-64-v3", ""};
const Target kUnknown{TargetKind::cpu, "x86-64-v9", ""};  // no processor of today

KernelDefinition definition_of(const KernelOptions& options) {
  return value_or_throw(make_definition(options, "test"));
}

std::vector<CastingEntry> entries_of(const KernelOptions& options,
                                     const std::vector<KernelCall>& calls,
                                     const std::vector<Target>& targets = {kBaseline},
                                     const std::vector<Optimization>& optimizations = {
                                         Optimization::standard}) {
  std::vector<Specialization> specializations;
  for (const KernelCall& call : calls) specializations.push_back(specialization_of(call));
  return value_or_throw(
      cast_kernel(definition_of(options), specializations, targets, optimizations));
}

// The options that open what was cast from these; `source` as given there, or left out.
PrecompiledOptions opening(const KernelOptions& options, const std::string& path,
                           bool with_source) {
  return {.name = options.name,
          .input_names = options.input_names,
          .output_names = options.output_names,
          .casting_path = path,
          .source = with_source ? options.source : "",
          .header = with_source ? options.header : "",
          .ensure_row_contiguous = options.ensure_row_contiguous,
          .atomic_outputs = options.atomic_outputs,
          .mutable_inputs = options.mutable_inputs,
          .math = options.math,
          .optimization = options.optimization};
}

class Precompiled : public testing::Test {
 protected:
  Precompiled() { std::filesystem::create_directories(folder_); }
  ~Precompiled() override { std::filesystem::remove_all(folder_); }

  std::string write(std::vector<CastingEntry> entries) {
    return write_bytes(value_or_throw(write_casting(std::move(entries))));
  }
  std::string write_bytes(std::string_view bytes, const std::string& name = "k.casting") {
    const std::string path = folder_ / (std::to_string(files_++) + name);
    value_or_throw(write_file_atomically(path, bytes));
    return path;
  }

 private:
  const WithSettings settings_{true, kernel_settings().verify_keys};
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("sprue-precompiled-" + std::to_string(getpid()));
  int files_ = 0;
};

KernelOptions times_n() {
  return one_to_one("times_n", "uint i = thread_position_in_grid.x; y[i] = x[i] * T(N);");
}

KernelCall times_n_call(Dtype dtype, int n, int64_t count = 16) {
  return {.inputs = {arange(count, dtype)},
          .output_shapes = {{count}},
          .output_dtypes = {dtype},
          .grid = {count, 1, 1},
          .threadgroup = {8, 1, 1},
          .template_arguments = {{"T", dtype}, {"N", n}}};
}

TEST_F(Precompiled, RunsWhatWasCastWithoutCompiling) {
  const std::vector<KernelCall> calls = {times_n_call(float32, 2), times_n_call(float16, 2),
                                         times_n_call(float32, -3), times_n_call(float32, 2, 5),
                                         times_n_call(float32, 2, 40)};  // the key of the first
  const std::vector<CastingEntry> entries = entries_of(times_n(), calls);
  EXPECT_EQ(entries.size(), 4u);
  const std::string path = write(entries);
  const CounterDelta delta;
  for (bool with_source : {false, true}) {
    const Kernel kernel = precompiled_metal_kernel(opening(times_n(), path, with_source));
    for (int round = 0; round < 2; ++round)
      for (const KernelCall& call : calls) {
        const int n = std::get<int>(call.template_arguments[1].value);
        std::vector<double> expected;
        for (int64_t i = 0; i < call.inputs[0].size(); ++i)
          expected.push_back(static_cast<double>(i * n));
        EXPECT_EQ(numbers(kernel(call)[0]), expected);
      }
  }
  EXPECT_EQ(delta(&Counters::compiles), 0u);
  EXPECT_EQ(delta(&Counters::generated_texts), 0u);
  EXPECT_EQ(delta(&Counters::misses), 8u);
  EXPECT_EQ(delta(&Counters::loads), 8u);
}

TEST_F(Precompiled, CastingTwiceGivesTheSameBytes) {
  const std::vector<KernelCall> calls = {times_n_call(float32, 2), times_n_call(bfloat16, 7)};
  const std::string first = value_or_throw(write_casting(entries_of(times_n(), calls)));
  EXPECT_EQ(value_or_throw(write_casting(entries_of(times_n(), {calls[1], calls[0], calls[1]}))),
            first);
}

// Functions, a reduction and half arithmetic: safe math gives the same bits just-in-time for this
// processor and ahead of time for the baseline.
TEST_F(Precompiled, SafeMathGivesTheBitsOfTheJustInTimeKernel) {
  const KernelOptions options = {
      .name = "bits", .input_names = {"x", "h"}, .output_names = {"y", "sum", "g"}, .source = R"(
uint i = thread_position_in_grid.x;
float v = x[i];
float parts[6] = {metal::exp(v), metal::log(metal::abs(v)), metal::sin(v), metal::tanh(v),
                  metal::pow(metal::abs(v), 1.7f), metal::rsqrt(metal::abs(v) + 0.1f)};
for (uint k = 0; k < 6; ++k) y[i * 6 + k] = parts[k] * v + parts[(k + 1) % 6];
sum[i] = simd_sum(v * parts[3]);
g[i] = h[i] * h[(i * 7) % 1000] + h[(i + 1) % 1000];
)"};
  std::vector<double> values, halves;
  uint32_t state = 1;
  for (int i = 0; i < 1000; ++i) {
    state = state * 1664525u + 1013904223u;
    values.push_back((static_cast<double>(state) / 4294967296.0 - 0.5) * 40);
    halves.push_back(values.back() / 8);
  }
  const KernelCall call = {
      .inputs = {make_array(float32, values, {1000}), make_array(float16, halves, {1000})},
      .output_shapes = {{6000}, {1000}, {1000}},
      .output_dtypes = {float32, float32, float16},
      .grid = {1000, 1, 1},
      .threadgroup = {96, 1, 1}};
  const Arrays jit = metal_kernel(options)(call);
  const std::string path = write(entries_of(options, {call}));
  const Arrays cast = precompiled_metal_kernel(opening(options, path, true))(call);
  for (size_t i = 0; i < jit.size(); ++i) EXPECT_EQ(digest(cast[i]), digest(jit[i])) << i;
  EXPECT_NEAR(jit[0].data<float>()[0],
              std::exp(values[0]) * values[0] + std::log(std::abs(values[0])),
              1e-4 * std::abs(jit[0].data<float>()[0]));
}

TEST_F(Precompiled, BarriersAndMutableInputsComeAlong) {
  KernelOptions options = {.name = "in_place",
                           .input_names = {"state"},
                           .output_names = {"total"},
                           .source = R"(
threadgroup float shared[64];
uint local = thread_position_in_threadgroup.x;
shared[local] = state[local];
threadgroup_barrier(mem_flags::mem_threadgroup);
state[local] = shared[63 - local];
if (local == 0) { float sum = 0; for (uint k = 0; k < 64; ++k) sum += shared[k]; total[0] = sum; }
)",
                           .mutable_inputs = {"state"}};
  const Array state = arange(64);
  const KernelCall call = {.inputs = {state},
                           .output_shapes = {{1}},
                           .output_dtypes = {float32},
                           .grid = {64, 1, 1},
                           .threadgroup = {64, 1, 1}};
  const Kernel kernel =
      precompiled_metal_kernel(opening(options, write(entries_of(options, {call})), false));
  EXPECT_EQ(number(kernel(call)[0]), 64 * 63 / 2);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(state.data<float>()[i], static_cast<float>(63 - i));
}

TEST_F(Precompiled, TwoSourcesUnderOneNameNeedTheSource) {
  const KernelOptions plus = one_to_one("twins", "y[0] = x[1] + 10;");
  const KernelOptions times = one_to_one("twins", "y[0] = x[1] * 5;");
  const KernelCall call = one_element_call(arange(8), float32);
  std::vector<CastingEntry> entries = entries_of(plus, {call});
  for (CastingEntry& entry : entries_of(times, {call})) entries.push_back(std::move(entry));
  const std::string path = write(entries);
  expect_error(ErrorCode::invalid_argument, {"'twins'", "give the source"},
               [&] { (void)precompiled_metal_kernel(opening(plus, path, false)); });
  EXPECT_EQ(number(precompiled_metal_kernel(opening(plus, path, true))(call)[0]), 11);
  EXPECT_EQ(number(precompiled_metal_kernel(opening(times, path, true))(call)[0]), 5);
}

TEST_F(Precompiled, AnotherSourceIsRefusedUnlessStaleIsAllowed) {
  const KernelOptions old_text = one_to_one("edited", "y[0] = x[1] + 10;");
  KernelOptions new_text = one_to_one("edited", "y[0] = x[1] + 20;");
  const KernelCall call = one_element_call(arange(8), float32);
  const std::string path = write(entries_of(old_text, {call}));
  expect_error(ErrorCode::not_found, {"'edited'", "source", "cast it again"},
               [&] { (void)precompiled_metal_kernel(opening(new_text, path, true)); });
  PrecompiledOptions stale = opening(new_text, path, true);
  stale.allow_stale = true;
  EXPECT_EQ(number(precompiled_metal_kernel(stale)(call)[0]), 11);
  // A header is part of the source.
  new_text = old_text;
  new_text.header = "constant int kUnused = 1;";
  expect_error(ErrorCode::not_found, {"source"},
               [&] { (void)precompiled_metal_kernel(opening(new_text, path, true)); });
}

TEST_F(Precompiled, NamesFlagsAndMathMustMatch) {
  const KernelOptions options = times_n();
  const std::string path = write(entries_of(options, {times_n_call(float32, 2)}));
  const auto refused = [&](const std::function<void(PrecompiledOptions&)>& change) {
    PrecompiledOptions changed = opening(options, path, false);
    change(changed);
    const Error error = expect_error(ErrorCode::not_found, {changed.name},
                                     [&] { (void)precompiled_metal_kernel(changed); });
    if (changed.name != options.name) return;
    // The part that differs, and none that doesn't.
    EXPECT_NE(error.message().find("differs in "), std::string::npos) << error.message();
    EXPECT_EQ(error.message().find("), "), std::string::npos) << error.message();
  };
  refused([](auto& changed) { changed.name = "other"; });
  refused([](auto& changed) { changed.input_names = {"z"}; });
  refused([](auto& changed) { changed.input_names = {"x", "z"}; });
  refused([](auto& changed) { changed.output_names = {"z"}; });
  refused([](auto& changed) { changed.ensure_row_contiguous = false; });
  refused([](auto& changed) { changed.atomic_outputs = true; });
  refused([](auto& changed) { changed.mutable_inputs = {"x"}; });
  refused([](auto& changed) { changed.math = MathMode::fast; });
  refused([](auto& changed) { changed.optimization = Optimization::fast; });
}

TEST_F(Precompiled, OneCastingHoldsBothOptimisations) {
  KernelOptions options = {
      .name = "effort",
      .input_names = {"x"},
      .output_names = {"y"},
      .source = "uint i = thread_position_in_grid.x; y[i] = metal::exp(x[i]);"};
  const KernelCall call = {.inputs = {arange(1000)},
                           .output_shapes = {{1000}},
                           .output_dtypes = {float32},
                           .grid = {1000, 1, 1},
                           .threadgroup = {100, 1, 1}};
  const std::string path =
      write(entries_of(options, {call}, {kBaseline}, {Optimization::standard, Optimization::fast}));
  std::vector<std::string> binaries, outputs;
  for (Optimization optimization : {Optimization::standard, Optimization::fast}) {
    options.optimization = optimization;
    const Kernel kernel = precompiled_metal_kernel(opening(options, path, true));
    outputs.push_back(digest(kernel(call)[0]));
    const auto ready = kernel.state().table().entries().at(0)->ready();
    binaries.push_back(ready->binary.digest.hex());
    EXPECT_NE(
        ready->binary.options.find(optimization == Optimization::fast ? "opt=fast" : "opt=default"),
        std::string::npos)
        << ready->binary.options;
  }
  EXPECT_NE(binaries[0], binaries[1]);
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST_F(Precompiled, AMissingOptimisationIsNamed) {
  KernelOptions options = times_n();
  const auto entries_at = [&](int n, Optimization optimization) {
    return entries_of(options, {times_n_call(float32, n)}, {kBaseline}, {optimization});
  };
  const std::string fast_only = write(entries_at(2, Optimization::fast));
  expect_error(ErrorCode::not_found, {"'times_n'", "opt (fast for default)"},
               [&] { (void)precompiled_metal_kernel(opening(options, fast_only, true)); });
  std::vector<CastingEntry> mixed = entries_at(2, Optimization::fast);
  mixed.push_back(entries_at(3, Optimization::standard)[0]);
  const std::string path = write(mixed);
  const Kernel standard = precompiled_metal_kernel(opening(options, path, true));
  EXPECT_EQ(numbers(standard(times_n_call(float32, 3))[0])[2], 6);
  expect_error(ErrorCode::not_found, {"at optimisation 'default'", "'fast' only", "N=2"},
               [&] { (void)standard(times_n_call(float32, 2)); });
  options.optimization = Optimization::fast;
  const Kernel fast = precompiled_metal_kernel(opening(options, path, true));
  EXPECT_EQ(numbers(fast(times_n_call(float32, 2))[0])[2], 4);
  expect_error(ErrorCode::not_found, {"at optimisation 'fast'", "'default' only", "N=3"},
               [&] { (void)fast(times_n_call(float32, 3)); });
  expect_error(ErrorCode::not_found, {"nearest is"}, [&] { (void)fast(times_n_call(float32, 4)); });
}

TEST_F(Precompiled, AMissingSpecialisationNamesTheNearest) {
  const Kernel kernel = precompiled_metal_kernel(opening(
      times_n(), write(entries_of(times_n(), {times_n_call(float32, 2), times_n_call(int32, 7)})),
      true));
  const CounterDelta delta;
  expect_error(ErrorCode::not_found, {"'times_n'", "N=3", "nearest is", "N=2", "differs in"},
               [&] { (void)kernel(times_n_call(float32, 3)); });
  expect_error(ErrorCode::not_found, {"nearest is", "x (int32 for int32 (fewer than 8 elements))"},
               [&] { (void)kernel(times_n_call(int32, 7, 4)); });
  expect_error(ErrorCode::not_found, {"nearest is", "float16"},
               [&] { (void)kernel(times_n_call(float16, 2)); });
  EXPECT_EQ(delta(&Counters::compiles) + delta(&Counters::launches), 0u);
  EXPECT_EQ(number(kernel(times_n_call(float32, 2))[0]), 0);
}

TEST_F(Precompiled, EntriesForOtherProcessorsAreRefusedOrPassedOver) {
  const KernelCall call = times_n_call(float32, 2);
  std::vector<CastingEntry> foreign = entries_of(times_n(), {call});
  foreign[0].record.target = kUnknown;
  const Kernel only_foreign = precompiled_metal_kernel(opening(times_n(), write(foreign), false));
  const CounterDelta delta;
  expect_error(ErrorCode::load_failed, {"x86-64-v9"}, [&] { (void)only_foreign(call); });
  EXPECT_EQ(delta(&Counters::launches), 0u);

  std::vector<CastingEntry> both = entries_of(times_n(), {call});
  both.push_back(foreign[0]);
  EXPECT_EQ(numbers(precompiled_metal_kernel(opening(times_n(), write(both), false))(call)[0])[5],
            10);
}

TEST_F(Precompiled, TheBestTargetIsTakenWithTheSameResult) {
  const KernelCall call = times_n_call(float16, 3);
  const Target wide{TargetKind::cpu, "x86-64-v4", ""};
  const std::vector<CastingEntry> entries = entries_of(times_n(), {call}, {kBaseline, wide});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_NE(entries[0].binary_bytes, entries[1].binary_bytes);
  const Kernel kernel = precompiled_metal_kernel(opening(times_n(), write(entries), false));
  EXPECT_EQ(numbers(kernel(call)[0]), numbers(metal_kernel(times_n())(call)[0]));
  const auto ready = kernel.state().table().entries().at(0)->ready();
  EXPECT_EQ(ready->binary.target, cpu_device().accepts(wide) ? wide : kBaseline);
}

TEST_F(Precompiled, FilesThatAreNoCastingsAreRefused) {
  const std::string good =
      value_or_throw(write_casting(entries_of(times_n(), {times_n_call(float32, 2)})));
  const auto refused = [&](const std::string& path, ErrorCode code, const std::string& part) {
    expect_error(code, {part},
                 [&] { (void)precompiled_metal_kernel(opening(times_n(), path, false)); });
  };
  refused("/nowhere/k.casting", ErrorCode::not_found, "/nowhere/k.casting");
  refused(write_bytes(""), ErrorCode::invalid_argument, "empty");
  refused(write_bytes("MTLB and so on", "k.metallib"), ErrorCode::invalid_argument, "Apple");
  refused(write_bytes(entries_of(times_n(), {times_n_call(float32, 2)})[0].binary_bytes, "k.so"),
          ErrorCode::invalid_argument, "ELF");
  refused(write_bytes(good.substr(0, good.size() / 2)), ErrorCode::corrupt, "cut short");
  refused(write_bytes(good + "x"), ErrorCode::corrupt, "appended");
  // A byte in each region of the file; the casting's own tests flip all of them.
  for (size_t at :
       {size_t{9}, size_t{13}, size_t{20}, size_t{70}, good.size() / 2, good.size() - 1}) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    const std::string path = write_bytes(flipped);
    EXPECT_THROW((void)precompiled_metal_kernel(opening(times_n(), path, false)), Error) << at;
  }
}

TEST_F(Precompiled, CompileErrorsOfACastAreTheUsers) {
  const KernelOptions options = one_to_one("broken_cast", "\ny[0] = missing;");
  const KernelCall call = one_element_call(arange(8), float32);
  const Error error = expect_error(ErrorCode::compile_failed, {"broken_cast", "missing"},
                                   [&] { (void)entries_of(options, {call}); });
  EXPECT_EQ(error.details().line, 2);
}

TEST_F(Precompiled, ThePolicyForbidsCompilingButNotWhatIsThere) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("strict"), "y[0] = x[1] + 1;"));
  KernelCall call = one_element_call(arange(8), float32);
  call.policy = CompilePolicy::precompiled;
  const CounterDelta delta;
  expect_error(ErrorCode::not_found, {kernel.name(), "precompiled"}, [&] { (void)kernel(call); });
  EXPECT_EQ(delta(&Counters::compiles), 0u);
  EXPECT_EQ(delta(&Counters::launches), 0u);
  call.policy = CompilePolicy::jit;
  EXPECT_EQ(number(kernel(call)[0]), 2);
  call.policy = CompilePolicy::precompiled;
  EXPECT_EQ(number(kernel(call)[0]), 2);
  EXPECT_EQ(delta(&Counters::compiles), 1u);
}

TEST_F(Precompiled, CallsAreCheckedAsEver) {
  const Kernel kernel = precompiled_metal_kernel(
      opening(times_n(), write(entries_of(times_n(), {times_n_call(float32, 2)})), false));
  KernelCall call = times_n_call(float32, 2);
  call.grid = {0, 1, 1};
  expect_error(ErrorCode::invalid_argument, {"[precompiled_metal_kernel]", "times_n", "grid"},
               [&] { (void)kernel(call); });
  call = times_n_call(float32, 2);
  call.inputs = {};
  expect_error(ErrorCode::invalid_argument, {"inputs", "times_n"}, [&] { (void)kernel(call); });
}

TEST_F(Precompiled, FirstCallsFromManyThreadsLoadOnceConcurrency) {
  const Kernel kernel = precompiled_metal_kernel(
      opening(times_n(), write(entries_of(times_n(), {times_n_call(float32, 2)})), false));
  const CounterDelta delta;
  on_threads(16, [&](int) { EXPECT_EQ(numbers(kernel(times_n_call(float32, 2))[0])[9], 18); });
  EXPECT_EQ(delta(&Counters::loads), 1u);
}

}  // namespace
}  // namespace sprue
