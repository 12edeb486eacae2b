#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>

#include "benchmark/bench_plan.h"
#include "kernel_file/open_kernel.h"
#include "measure/machine/noise.h"
#include "measure/machine/roofline.h"
#include "measure/machine/stack.h"
#include "measure/statistics.h"
#include "measure/sweep.h"

namespace sprue {

namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

// What a call costs that does nothing: no kernel's time can be below it. 0 without a compiler.
double measure_launch_seconds() {
  KernelFile nothing;
  nothing.options = {
      .name = "nothing", .input_names = {}, .output_names = {"y"}, .source = "y[0] = 0.0f;"};
  const auto kernel = jit_kernel(nothing);
  if (!kernel) return 0;
  KernelCall call;
  call.output_shapes.push_back({1});
  call.output_dtypes.push_back(Dtype::float32);
  if (!call_kernel(*kernel, call)) return 0;
  constexpr int kCalls = 200, kPasses = 15;
  std::vector<double> seconds;
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i)
      if (!call_kernel(*kernel, call)) return 0;
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / kCalls);
  }
  return median(seconds);
}

std::set<std::string> kernel_compilers(const BenchReport& report) {
  std::set<std::string> compilers;
  for (const BenchRow& row : report.rows)
    for (const ArmIdentity& arm : row.arms)
      if (!arm.compiler.empty()) compilers.insert(arm.compiler);
  return compilers;
}

void tell(const BenchmarkOptions& options, const std::string& what) {
  if (options.progress) options.progress(what);
}

using BuildArms = std::function<Result<ArmList>(const PlannedRow&, const KernelCall&)>;

Result<BenchReport> measure(const std::vector<PlannedRow>& plans, const BenchmarkOptions& options,
                            const BuildArms& build) {
  BenchReport report;
  report.kernel = plans.front().file.options.name;
  report.device = "cpu";
  report.started = utc_now();
  const auto begin = std::chrono::steady_clock::now();
  NoiseWatch watch;
  tell(options, "measuring the machine's ceilings");
  report.roofline = measure_roofline();
  report.roofline->launch_seconds = measure_launch_seconds();
  for (const PlannedRow& plan : plans) {
    tell(options, fmt::format("{}: building", plan.label));
    SPRUE_ASSIGN(const KernelCall call, make_call(plan.file, plan.spec));
    SPRUE_ASSIGN(ArmList list, build(plan, call));
    // What is left of the time is shared among the rows that are left.
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    const double share =
        (options.seconds - spent.count()) / static_cast<double>(plans.size() - report.rows.size());
    SPRUE_ASSIGN(BenchRow row, measure_row(plan, list.arms, options, std::max(share, 0.0)));
    row.left_out = std::move(list.left_out);
    row.bound = find_bound(*report.roofline, row.working_set_bytes, row.bytes, row.ops);
    report.rows.push_back(std::move(row));
  }
  report.noise = watch.finish();
  report.stack = stack_identity(kernel_compilers(report));
  review(report);
  return report;
}

// The other version's call on the shared call's arrays, matched by the inputs' names.
Result<std::function<KernelCall(const KernelCall&)>> adapter(const PlannedRow& shared,
                                                             const KernelFile& file,
                                                             const CallSpec& spec) {
  const std::vector<std::string>& names = shared.file.options.input_names;
  std::vector<size_t> positions;
  for (const std::string& name : file.options.input_names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return fail(
          ErrorCode::invalid_argument, "bench",
          "expected the inputs of {} ({}) in {}, got '{}', which only the other has; versions are "
          "compared on the same inputs",
          shared.file.path, fmt::join(names, ", "), file.path, name);
    positions.push_back(static_cast<size_t>(found - names.begin()));
  }
  if (file.options.output_names != shared.file.options.output_names)
    return fail(ErrorCode::invalid_argument, "bench", "expected outputs {} in {}, got {}",
                fmt::join(shared.file.options.output_names, ", "), file.path,
                fmt::join(file.options.output_names, ", "));
  KernelCall own;  // all but the inputs
  own.grid = spec.grid;
  own.threadgroup = spec.threadgroup;
  own.template_arguments = spec.template_arguments;
  own.init_value = spec.init_value;
  for (const OutputSpec& output : spec.outputs) {
    own.output_shapes.push_back(output.shape);
    own.output_dtypes.push_back(output.dtype);
  }
  return [own, positions](const KernelCall& call) {
    KernelCall adapted = own;
    for (const size_t i : positions) adapted.inputs.push_back(call.inputs[i]);
    return adapted;
  };
}

}  // namespace

Result<BenchReport> run_benchmark(const KernelFileSource& source, const BenchmarkOptions& options) {
  SPRUE_ASSIGN(const auto plans, plan_rows(source, options));
  return measure(plans, options, [&](const PlannedRow& plan, const KernelCall& call) {
    return build_arms(plan.file, call, options.arms);
  });
}

Result<BenchReport> compare_versions(const KernelFileSource& changed,
                                     const KernelFileSource& reference,
                                     const BenchmarkOptions& options) {
  SPRUE_ASSIGN(const auto plans, plan_rows(changed, options));
  SPRUE_ASSIGN(const auto others, plan_rows(reference, options));
  std::map<std::string, const PlannedRow*> by_label;
  for (const PlannedRow& other : others) by_label[other.label] = &other;
  for (const PlannedRow& plan : plans) {
    if (!by_label.count(plan.label))
      return fail(ErrorCode::not_found, "bench", "expected the call {} in {}, got calls {}",
                  plan.label, reference.path, [&] {
                    std::vector<std::string> labels;
                    for (const PlannedRow& other : others) labels.push_back(other.label);
                    return fmt::format("{}", fmt::join(labels, ", "));
                  }());
    const PlannedRow& other = *by_label[plan.label];
    SPRUE_CHECK(adapter(plan, other.file, other.spec));
  }
  return measure(
      plans, options, [&](const PlannedRow& plan, const KernelCall& call) -> Result<ArmList> {
        const PlannedRow& other = *by_label[plan.label];
        SPRUE_ASSIGN(const auto adapt, adapter(plan, other.file, other.spec));
        ArmList list;
        // The reference first: a pair states the later arm against the earlier one.
        SPRUE_ASSIGN(BuiltArm old_arm,
                     build_jit_arm(other.file, adapt(call), "old", Optimization::standard));
        SPRUE_ASSIGN(BuiltArm new_arm,
                     build_jit_arm(plan.file, call, "new", Optimization::standard));
        old_arm.adapt = adapt;
        old_arm.identity.source = reference.shown.empty() ? reference.path : reference.shown;
        new_arm.identity.source = changed.shown.empty() ? changed.path : changed.shown;
        list.arms.push_back(std::move(old_arm));
        list.arms.push_back(std::move(new_arm));
        return list;
      });
}

}  // namespace sprue
