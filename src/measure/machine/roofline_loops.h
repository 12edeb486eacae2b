// The loops behind the roofline, in the widest vectors of the processor that runs them. Internal to
// measure/.
#pragma once

#include <cstdint>

namespace sprue {

inline constexpr int kRoofRounds = 20000;

// Reads `count` floats, a multiple of 1024.
void read_all_floats(const float* values, int64_t count);

// So many rounds of independent fused multiply-adds; returns the float operations of all of them (two
// for each multiply-add).
double multiply_add_rounds(int rounds);

}  // namespace sprue
