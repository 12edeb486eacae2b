// A BenchReport as JSON, there and back: what --json prints, bench/results holds, and --read takes.
//
//   const nlohmann::ordered_json json = report_json(report);
//   SPRUE_ASSIGN(BenchReport again, report_from_json(json, "results.json"));
//
// Reading takes times, not judgements: pairs, conclusions and flags of rows are made anew from the
// trials. What may be left out: everything but the calls, their arms and each arm's median, so that a
// published table can be typed in:
//   {"kernel": "int4_gemv", "calls": [{"call": "K=20480", "sizes": {"K": 20480}, "operations": 200,
//     "arms": [{"name": "jit", "route": "jit", "optimization": "default",
//               "seconds": {"median": 1.65e-3}}, ...]}],
//    "claims": [{"arm": "cast-fast", "reference": "jit", "call": "K=20480", "ratio": 0.925}]}
// Numbers that weren't measured (NaN) are left out. All times in seconds, of one operation.
// Errors of reading: invalid_argument, naming `origin` and the place. Pure functions.
#pragma once

#include "base/result.h"
#include "measure/report.h"

namespace sprue {

nlohmann::ordered_json report_json(const BenchReport& report);
Result<BenchReport> report_from_json(const nlohmann::ordered_json& json, const std::string& origin);

// Text of a file that report_json made, or one like it.
Result<BenchReport> parse_report(std::string_view text, const std::string& origin);

}  // namespace sprue
