// The semantics matrix: what a Metal body means, as rows of {kernel text, inputs, expected
// outputs}, the same for every device.
//
//   std::vector<Row> rows() {
//     return {{.name = "negate", .body = "y[thread_position_in_grid.x] = -x[0];",
//              .inputs = {{"x", make_array(float32, {3})}},
//              .outputs = {{"y", float32, {1}, [](int64_t) { return -3; }}}}};
//   }
//   SPRUE_MATRIX(Negation, rows)
//
// Expected values come from plain C++ in long double or from integer logic, never from the library.
// A row runs once on each device of `devices()`, or is compiled for it. Outputs start poisoned, so that
// an element that no thread wrote is seen. Not for errors: see Rejected. Rows are independent of each
// other.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "language/devices.h"
#include "language/number.h"
#include "sprue/kernel.h"

namespace sprue::language {

struct Input {
  std::string name;
  Array value;
};

struct Output {
  std::string name;
  Dtype dtype = float32;
  Shape shape;
  std::function<Real(int64_t)> expected;  // of element i, row-major; rounded to dtype by the check
  double ulps =
      0;  // of dtype, allowed around the unrounded value; 0: the very bits (any NaN for NaN)
  double absolute = 0;  // allowed on top of that, for sums that cancel
  std::function<std::string(int64_t)> element_text = {};  // for messages: what element i is
};

struct Row {
  std::string name;
  std::string body;
  std::string header = "";
  std::vector<TemplateArgument> template_arguments = {};
  std::vector<Input> inputs = {};
  std::vector<Output> outputs = {};
  Size3 grid = {1, 1, 1};
  Size3 threadgroup = {1, 1, 1};
  MathMode math = MathMode::safe;
  std::string kernel = "";  // name of the kernel, where rows share one; else the row's name
  bool atomic_outputs = false;
  bool ensure_row_contiguous = true;
  double init_value = 77;  // poison
};

// A text that has to be refused before anything runs, at the user's own line.
struct Rejected {
  std::string name;
  std::string body;
  std::string header = "";
  int line = 1;  // in the body, or in the header where in_header
  bool in_header = false;
  std::string mentions = "";  // in the message or the log
  Dtype output = float32;     // of y; x is a float32 array of 16
};

// One kernel over many expressions of arrays a, b, c: expression k of thread i is stored in slot
// [k, i] of the output of its type. `type` is the type that the expression itself must have.
struct Expression {
  std::string text;  // of the elements a, b, c
  Dtype type;
  std::function<Real(Real, Real, Real)> expected;  // before the last rounding to `type`
  double ulps = 0;
};
struct ExpressionTable {
  std::string name;
  std::vector<Input> inputs;  // at most three, of equal length
  std::vector<Expression> expressions;
  std::string header = "";
  MathMode math = MathMode::safe;
};
Row make_row(const ExpressionTable& table);

struct MatrixCase {
  Device device;
  Row row;
};
struct RejectedCase {
  Device device;
  Rejected rejected;
};
void PrintTo(const MatrixCase& matrix_case, std::ostream* out);
void PrintTo(const RejectedCase& rejected_case, std::ostream* out);
std::vector<MatrixCase> on_each_device(const std::vector<Row>& rows);
std::vector<RejectedCase> on_each_device(const std::vector<Rejected>& texts);
void check(const MatrixCase& matrix_case);
void check(const RejectedCase& rejected_case);
std::string case_name(const testing::TestParamInfo<MatrixCase>& info);
std::string rejected_name(const testing::TestParamInfo<RejectedCase>& info);

#define SPRUE_MATRIX(suite, rows)                                                      \
  class suite : public testing::TestWithParam<sprue::language::MatrixCase> {};         \
  TEST_P(suite, matches) { sprue::language::check(GetParam()); }                       \
  INSTANTIATE_TEST_SUITE_P(Language, suite,                                            \
                           testing::ValuesIn(sprue::language::on_each_device(rows())), \
                           sprue::language::case_name);

}  // namespace sprue::language
