// A BenchReport for the terminal: tables, every pair in words, what to doubt. See also report_html.h.
//
//   fmt::print("{}", report_text(report));
//
// Pure functions. Not for machines: that is report_json.h.
#pragma once

#include <string>

#include "measure/report.h"

namespace sprue {

// The report's head: what was measured, where, and whether the machine was quiet.
std::string report_head_text(const BenchReport& report);
std::string report_row_text(const BenchReport& report, const BenchRow& row);
// What goes beyond a row: conclusions, runs, flags.
std::string report_end_text(const BenchReport& report);

std::string report_text(const BenchReport& report);  // all of it

}  // namespace sprue
