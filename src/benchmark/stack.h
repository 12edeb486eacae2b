// All that a figure depends on beside the kernel: what it was measured on, and with which versions.
#pragma once

#include "measure/report.h"

namespace sprue {

// Sprue's version, the machine and its system, the compilers of the arms, the libraries; the inputs'
// digests stand in the report's rows.
nlohmann::ordered_json stack_identity(const BenchReport& report);

}  // namespace sprue
