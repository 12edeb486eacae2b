// What an output holds, in a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sprue/array.h"

namespace sprue::cli {

struct ArraySummary {
  double minimum = 0, maximum = 0, mean = 0;  // of the finite elements; 0 if there are none
  int64_t finite = 0;
  int64_t nan = 0;
  int64_t infinite = 0;

  std::string text() const;  // "min -1.5, max 2, mean 0.25, 3 NaN"
  nlohmann::ordered_json json() const;
};

// Complex numbers are summarised by their modulus.
ArraySummary summarize(const Array& array);

}  // namespace sprue::cli
