// Compiled code for one target: the bytes that a device loads, that a casting stores.
#pragma once

#include <string>

#include "base/hash.h"
#include "program/signature.h"
#include "program/target.h"

namespace sprue {

struct Binary {
  std::string bytes;  // CPU: a shared object without imports (program/cpu_abi.h)
  Target target;
  Signature signature;
  std::string entry_name;
  std::string options;   // of the compile, one line
  std::string compiler;  // identity of the compiler that made it: "clang 19.1.7"
  std::string log;       // warnings
  Digest digest;         // of bytes

  // Milliseconds of the compile by stage; zero for a loaded binary.
  struct Timing {
    double front_end = 0, optimize = 0, emit = 0, link = 0, total = 0;
  } timing;
};

}  // namespace sprue
