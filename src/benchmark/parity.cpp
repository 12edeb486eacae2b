#include "benchmark/parity.h"

#include <algorithm>
#include <cmath>

#include "benchmark/deviation.h"
#include "kernel_file/expectation.h"

namespace sprue {

namespace {

double default_bar(const Arrays& arrays) {
  double bar = 0;
  for (const Array& array : arrays) {
    const Dtype dtype = array.dtype();
    const bool narrow = dtype == Dtype::float16 || dtype == Dtype::bfloat16;
    // Other orders of summation; integers must be equal.
    const bool real = dtype_is_floating(dtype) || dtype == Dtype::complex64;
    bar = std::max(bar, narrow ? 2e-2 : real ? 1e-4 : 0.0);
  }
  return bar;
}

Result<Arrays> written_arrays(const BuiltArm& arm, const std::vector<size_t>& mutable_inputs,
                              const std::function<Result<KernelCall>()>& make_inputs) {
  SPRUE_ASSIGN(const KernelCall shared, make_inputs());
  SPRUE_ASSIGN(Arrays written, arm.run(arm.call(shared)));
  for (const size_t i : mutable_inputs) written.push_back(shared.inputs[i]);
  return written;
}

// The first array that is beyond the bar, in words.
Result<std::string> describe(const Arrays& got, const Arrays& expected, double bar) {
  for (size_t i = 0; i < got.size(); ++i) {
    if (relative_deviation(got[i], expected[i]) <= bar) continue;
    SPRUE_ASSIGN(const auto mismatch,
                 compare(got[i], expected[i], 0, bar * largest_magnitude(expected[i])));
    if (mismatch) return fmt::format("output {}: {}", i + 1, mismatch->text());
  }
  return std::string();
}

size_t reference_of(const std::vector<BuiltArm>& arms, size_t arm) {
  if (!arms[arm].exact_group.empty())
    for (size_t i = 0; i < arm; ++i)
      if (arms[i].exact_group == arms[arm].exact_group) return i;
  return 0;
}

}  // namespace

Result<std::vector<ArmParity>> compare_outputs(
    const std::vector<BuiltArm>& arms, const std::vector<size_t>& mutable_inputs,
    const std::function<Result<KernelCall>()>& make_inputs, std::optional<double> bar) {
  std::vector<ArmParity> parities;
  std::vector<Arrays> written;
  for (size_t i = 0; i < arms.size(); ++i) {
    SPRUE_ASSIGN(Arrays arrays, written_arrays(arms[i], mutable_inputs, make_inputs));
    written.push_back(std::move(arrays));
    if (i == 0) continue;
    const size_t reference = reference_of(arms, i);
    const Arrays &got = written[i], &expected = written[reference];
    ArmParity parity{.arm = arms[i].identity.name, .reference = arms[reference].identity.name};
    const bool exact =
        !arms[i].exact_group.empty() && arms[i].exact_group == arms[reference].exact_group;
    parity.bar = exact ? 0 : bar.value_or(default_bar(expected));
    parity.identical = true;
    for (size_t j = 0; j < got.size(); ++j) {
      if (!(got[j].shape() == expected[j].shape()) || got[j].dtype() != expected[j].dtype())
        return fail(ErrorCode::invalid_argument, "bench",
                    "expected outputs of one shape and dtype to compare, got {} {} from {} and {} "
                    "{} from {}",
                    dtype_name(got[j].dtype()), to_string(got[j].shape()), parity.arm,
                    dtype_name(expected[j].dtype()), to_string(expected[j].shape()),
                    parity.reference);
      if (digest(got[j]) == digest(expected[j])) continue;
      parity.identical = false;
      parity.deviation = std::max(parity.deviation, relative_deviation(got[j], expected[j]));
    }
    if (!parity.holds()) {
      SPRUE_ASSIGN(parity.mismatch, describe(got, expected, parity.bar));
    }
    parities.push_back(std::move(parity));
  }
  return parities;
}

}  // namespace sprue
