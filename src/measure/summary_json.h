// A summary as reports hold it. Seconds or ratios, as the values were.
#pragma once

#include <nlohmann/json.hpp>

#include "measure/statistics.h"

namespace sprue {

inline nlohmann::ordered_json summary_to_json(const Summary& summary) {
  return {{"median", summary.median},
          {"lower_quartile", summary.lower_quartile},
          {"upper_quartile", summary.upper_quartile},
          {"minimum", summary.minimum},
          {"maximum", summary.maximum}};
}

}  // namespace sprue
