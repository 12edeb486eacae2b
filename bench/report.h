// What the benchmark programs share: a result as one JSON object on standard output.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "measure/machine/machine.h"
#include "measure/paired.h"
#include "measure/summary_json.h"

namespace sprue::bench {

inline void print_result(const char* name, nlohmann::ordered_json fields) {
  nlohmann::ordered_json result = {{"benchmark", name}, {"machine", this_machine().json()}};
  result.update(fields);
  fmt::print("{}\n", result.dump(2));
}

}  // namespace sprue::bench
