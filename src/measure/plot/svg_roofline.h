// What a machine allows and what kernels reached: operations a second against operations per byte.
//
//   std::string svg = svg_roofline("Roofline",
//       {.memories = {{"L2", 1.2e11}, {"memory", 2e10}}, .operations = 2e11},
//       {{.arm = "jit", .row = "default", .series = 1, .intensity = 0.25, .operations = 4e9}});
//
// Both axes are logarithmic. A slope is a level of memory, the level line the arithmetic. Points that
// would touch share a label with their arms and, where there are several, their rows; how many labels had no
// room is said below. Every point has a hint with its number. Points and roofs that aren't positive and finite are left out. Empty when no point remains. Pure.
#pragma once

#include <string>
#include <vector>

namespace sprue {

struct Roofs {
  struct Memory {
    std::string name;
    double bandwidth;  // bytes a second
  };
  std::vector<Memory> memories;
  double operations = 0;  // a second
};

struct RooflinePoint {
  std::string arm, row;
  size_t series = 0;
  double intensity = 0;   // operations per byte
  double operations = 0;  // a second
};

std::string svg_roofline(const std::string& title, const Roofs& roofs,
                         const std::vector<RooflinePoint>& points);

}  // namespace sprue
