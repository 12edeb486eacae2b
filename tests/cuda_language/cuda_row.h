// CUDA rows on the CPU: the machinery of language/matrix.h with CUDA's door.
//
//   std::vector<MatrixCase> rows() {
//     return on_cuda({{.name = "negate", .body = "y[threadIdx.x] = -x[0];", ...}});
//   }
//   SPRUE_CUDA_MATRIX(Negation, rows)
//
// Expected values come from plain C++ in long double or from integer logic, never from the library.
#pragma once

#include <fmt/format.h>

#include <map>

#include "language/matrix.h"

namespace sprue::language {

// `shared_memory`: bytes of KernelOptions.
inline Device cuda_device(int shared_memory = 0) {
  return {"cpu",
          [shared_memory](KernelOptions options, const KernelCall& call) -> std::optional<Arrays> {
            options.shared_memory = shared_memory;
            return cuda_kernel(options)(call);
          },
          [] { return std::string(); }};
}

inline std::vector<MatrixCase> on_cuda(const std::vector<Row>& rows, int shared_memory = 0) {
  std::vector<MatrixCase> cases;
  for (const Row& row : rows) cases.push_back({cuda_device(shared_memory), row});
  return cases;
}

#define SPRUE_CUDA_MATRIX(suite, cases)                                        \
  class suite : public testing::TestWithParam<sprue::language::MatrixCase> {}; \
  TEST_P(suite, matches) { sprue::language::check(GetParam()); }               \
  INSTANTIATE_TEST_SUITE_P(CudaLanguage, suite, testing::ValuesIn(cases()),    \
                           sprue::language::case_name);

// One kernel over expressions of the elements a, b, c of its inputs: row k of y is expression k.
struct Formula {
  std::string text;
  std::function<Real(Real, Real, Real)> expected;
  double ulps = 0;
};

inline Row formulas(const std::string& name, Dtype dtype, const std::vector<Array>& inputs,
                    const std::vector<Formula>& list, const std::string& element = "auto") {
  Row row{.name = name};
  const int64_t count = inputs[0].size();
  row.grid = {count, 1, 1};
  row.threadgroup = {std::min<int64_t>(count, 128), 1, 1};
  row.body = fmt::format(
      "const int i = blockIdx.x * blockDim.x + threadIdx.x, n = {};\nif (i >= n) return;\n", count);
  for (size_t k = 0; k < inputs.size(); ++k) {
    row.inputs.push_back({fmt::format("in{}", k), inputs[k]});
    row.body += fmt::format("const {} {} = in{}[i];\n", element, "abc"[k], k);
  }
  // One output for each limit.
  std::map<double, std::vector<Formula>> groups;
  for (const Formula& formula : list) groups[formula.ulps].push_back(formula);
  for (const auto& [ulps, held] : groups) {
    const std::string y = fmt::format("y{}", static_cast<int>(ulps * 10));
    for (size_t k = 0; k < held.size(); ++k)
      row.body +=
          fmt::format("{}[{} + i] = {};\n", y, static_cast<int64_t>(k) * count, held[k].text);
    Output output{y, dtype, {static_cast<int64_t>(held.size()), count}};
    output.ulps = ulps;
    output.expected = [held, inputs, count](int64_t index) {
      Real at[3] = {0, 0, 0};
      for (size_t k = 0; k < inputs.size(); ++k) at[k] = value_at(inputs[k], index % count);
      return held[static_cast<size_t>(index / count)].expected(at[0], at[1], at[2]);
    };
    output.element_text = [held, count](int64_t index) {
      return held[static_cast<size_t>(index / count)].text;
    };
    row.outputs.push_back(output);
  }
  return row;
}

}  // namespace sprue::language
