// Many expressions over vectors in one kernel: each for two, three and four components, or for one of
// the three in turn where it only varies another.
//
//   VectorTable table{.name = "sums_of_half", .element = float16, .operands = {values, more}};
//   table.expressions = {{"a + b", float16, [](Real a, Real b, Real) { return a + b; }}};
//   rows.push_back(make_row(table));
//
// In an expression, `a`, `b` and `c` are vec<T, N>, `s` is the first component of b, T the element type
// and N the number of components. Its own type must be vec<type, N>: the kernel doesn't compile
// otherwise. `expected` is of one component. Not for what looks at a vector as a whole: write a Row.
#pragma once

#include <string>
#include <vector>

#include "language/matrix.h"

namespace sprue::language {

struct VectorExpression {
  std::string text;
  Dtype type;
  // Of components a, b, c; for an expression with `s`, b is the first component.
  std::function<Real(Real, Real, Real)> expected;
  double ulps = 0;
  bool first_of_b = false;
  bool one_count = false;
};

struct VectorTable {
  std::string name;
  Dtype element;
  std::vector<std::vector<Real>> operands;  // of a, b, c; four values a thread
  std::vector<VectorExpression> expressions;
  std::string header = "";
};

Row make_row(const VectorTable& table);

// "float", "char": the names that Metal gives element types; "float3".
const char* element_name(Dtype dtype);
std::string vector_name(Dtype dtype, int count);

}  // namespace sprue::language
