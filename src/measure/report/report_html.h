// A report as one HTML file, for whoever must decide which build to ship.
//
//   SPRUE_CHECK(write_file_atomically("bench.html", report_html(report)));
//
// The page stands alone: no script, nothing fetched, style and pictures inside. What would make a reader
// distrust the figures (noise, differing outputs, flags) comes first, then the summary, then each row with
// its table and pictures; machine and method are folded at the end. Light, dark and print; no distinction
// by colour alone; every picture says its numbers in words. Takes any BenchReport: what wasn't measured
// shows as a dash, and names may hold any bytes. Not for reading back: that is report_json.h.
// Pure; some 100 kB a row.
#pragma once

#include <string>

#include "measure/report.h"

namespace sprue {

std::string report_html(const BenchReport& report);

}  // namespace sprue
