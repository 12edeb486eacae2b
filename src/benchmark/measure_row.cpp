#include <algorithm>

#include "benchmark/bench_plan.h"
#include "benchmark/parity.h"
#include "measure/paired.h"

namespace sprue {

namespace {

// Copies of the inputs that operations take in turn, so that a matrix isn't read from a cache that it
// wouldn't be in. More copies than this bound would only cost memory.
constexpr int64_t kRotationBytes = int64_t{256} << 20;
constexpr int64_t kMostCopies = 16;

Result<std::vector<KernelCall>> rotated_calls(const PlannedRow& plan) {
  std::vector<KernelCall> calls;
  SPRUE_ASSIGN(KernelCall first, make_call(plan.file, plan.spec));
  int64_t bytes = 1;
  for (const Array& input : first.inputs) bytes += input.size_bytes();
  const int64_t copies = std::clamp<int64_t>(kRotationBytes / bytes, 1, kMostCopies);
  calls.push_back(std::move(first));
  while (static_cast<int64_t>(calls.size()) < copies) {
    SPRUE_ASSIGN(KernelCall call, make_call(plan.file, plan.spec));
    calls.push_back(std::move(call));
  }
  return calls;
}

int64_t working_set(const std::vector<KernelCall>& calls) {
  int64_t bytes = 0;
  for (const KernelCall& call : calls)
    for (const Array& input : call.inputs) bytes += input.size_bytes();
  return bytes;
}

std::vector<size_t> mutable_positions(const KernelOptions& options) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < options.input_names.size(); ++i)
    if (std::find(options.mutable_inputs.begin(), options.mutable_inputs.end(),
                  options.input_names[i]) != options.mutable_inputs.end())
      positions.push_back(i);
  return positions;
}

// The arm over its own calls, in turn. Throws the arm's error: run_paired passes it through.
Arm timed_arm(const BuiltArm& arm, const std::vector<KernelCall>& shared) {
  std::vector<KernelCall> calls;
  for (const KernelCall& call : shared) calls.push_back(arm.call(call));
  return {arm.identity.name,
          [&arm, calls = std::move(calls), next = size_t{0}](int operations) mutable {
            for (int i = 0; i < operations; ++i) {
              auto outputs = arm.run(calls[next++ % calls.size()]);
              if (!outputs) throw std::move(outputs).error();
            }
          },
          arm.identity.digest};
}

Result<PairedResult> time_arms(const PlannedRow& plan, const std::vector<BuiltArm>& arms,
                               const std::vector<KernelCall>& calls,
                               const BenchmarkOptions& options, double seconds) {
  std::vector<Arm> timed;
  for (const BuiltArm& arm : arms) timed.push_back(timed_arm(arm, calls));
  PairedOptions paired;
  paired.longest_total_seconds = seconds;
  std::erase_if(paired.looks, [&](int look) { return look > options.most_trials; });
  if (options.progress)
    paired.progress = [&](int done, int trials) {
      options.progress(fmt::format("{}: trial {} of {}", plan.label, done + 1, trials));
    };
  try {
    return run_paired(timed, paired);
  } catch (const Error& error) {
    return tl::unexpected(error);
  }
}

}  // namespace

Result<BenchRow> measure_row(const PlannedRow& plan, const std::vector<BuiltArm>& arms,
                             const BenchmarkOptions& options, double seconds) {
  BenchRow row;
  row.call = plan.label;
  row.sizes = plan.spec.sizes;
  if (plan.spec.bytes) row.bytes = static_cast<double>(*plan.spec.bytes);
  if (plan.spec.ops) row.ops = static_cast<double>(*plan.spec.ops);
  for (const BuiltArm& arm : arms) row.arms.push_back(arm.identity);
  if (options.progress) options.progress(fmt::format("{}: comparing outputs", plan.label));
  SPRUE_ASSIGN(row.parity,
               compare_outputs(
                   arms, mutable_positions(plan.file.options),
                   [&] { return make_call(plan.file, plan.spec); }, options.parity_bar));
  SPRUE_ASSIGN(const std::vector<KernelCall> calls, rotated_calls(plan));
  for (size_t i = 0; i < calls.front().inputs.size(); ++i)
    row.input_digests.emplace_back(plan.file.options.input_names[i],
                                   digest(calls.front().inputs[i]));
  row.input_copies = static_cast<int>(calls.size());
  row.working_set_bytes = working_set(calls);
  SPRUE_ASSIGN(PairedResult result, time_arms(plan, arms, calls, options, seconds));
  row.trials = result.trials;
  row.operations = result.operations;
  row.times = std::move(result.arms);
  row.pairs = std::move(result.pairs);
  return row;
}

}  // namespace sprue
