// How an output differs from what was expected, as JSON.
//
//   {"mismatched": 1, "total": 9, "first": {"index": [8], "got": 18, "expected": 17,
//    "absolute": 1.0, "relative": 0.058, "ulp": 524288.0}, "worst": {...},
//    "nan": {"got": 0, "expected": 0}, "infinite": {"got": 0, "expected": 0}}
//
// JSON has no number for NaN and infinity: they are the texts "nan", "inf" and "-inf". Complex
// values are texts such as "3+4i". `ulp` is null for integers and where the error isn't finite.
#pragma once

#include <nlohmann/json.hpp>

#include "kernel_file/expectation.h"

namespace sprue::cli {

nlohmann::ordered_json mismatch_json(const Mismatch& mismatch);

}  // namespace sprue::cli
