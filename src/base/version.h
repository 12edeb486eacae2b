// The release, for --version, castings and reports. CMakeLists.txt says the same.
#pragma once

namespace sprue {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace sprue
