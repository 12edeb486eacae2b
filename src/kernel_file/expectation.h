// Comparing an output with what it should hold.
//
//   SPRUE_ASSIGN(auto mismatch, compare(got, expected, /*rtol=*/1e-3, /*atol=*/1e-3));
//   if (mismatch) fmt::print("{}\n", mismatch->text());
//   // 3 of 1024 elements differ; first [0, 7]: got 2.5, expected 2 (absolute 0.5, ...
//
// An element agrees if both are equal (0 and -0 are), both are NaN, or both are finite and
// |got - expected| <= atol + rtol * |expected|. The dtypes may differ (a float64 reference of a
// float16 output); values are compared in double, integers exactly, also with floating ones.
// complex64 compares by the modulus of the difference, and is NaN or infinite where a part is. A bool
// is its byte: 255 isn't true. Strided arrays are read in row-major order. Thread-safe; one pass over
// both arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel_file/kernel_file.h"

namespace sprue {

struct ElementMismatch {
  std::vector<int64_t> index;  // one position a dimension
  std::string got, expected;   // shortest decimal text of the values
  double absolute = 0;  // |got - expected|; NaN where either is, else infinite where either is
  double relative = 0;  // absolute / |expected|; infinite where that is 0, NaN where absolute is
  // `absolute` in units in the last place that got's dtype has at |expected|: next below 1 is half a
  // unit from 1. Nothing for integers and where `absolute` isn't finite.
  std::optional<double> ulp;
};

struct Mismatch {
  int64_t mismatched = 0;
  int64_t total = 0;
  ElementMismatch first;  // in row-major order
  ElementMismatch worst;  // the largest absolute error; a non-finite one is larger than any
  int64_t got_nan = 0, expected_nan = 0;
  int64_t got_infinite = 0, expected_infinite = 0;

  std::string text() const;  // one line
};

// Nothing if all elements agree. An error if the shapes differ.
Result<std::optional<Mismatch>> compare(const Array& got, const Array& expected, double rtol,
                                        double atol);
// The same with the array of `spec.expect` (a .npy file); nothing if the spec expects nothing.
Result<std::optional<Mismatch>> check_expectation(const OutputSpec& spec, const Array& got);

}  // namespace sprue
