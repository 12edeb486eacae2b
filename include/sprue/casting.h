// Precompiled kernels: the same calls, without a compiler.
//
//   auto scale = sprue::precompiled_metal_kernel({.name = "scale",
//                                                 .input_names = {"x", "factor"},
//                                                 .output_names = {"y"},
//                                                 .casting_path = "scale.casting"});
//   auto out = scale({...});   // as with metal_kernel; never compiles
//
// A casting is made by `sprue cast` or save_casting. With `source` given, its digest must be that of the
// casting's entries (allow_stale: a mismatch is tolerated). Without a source, entries match on name,
// input and output names, flags and math mode; two different sources under one name are an error.
// Not for Apple's .metallib files: those are recognised and refused.
// Thread-safety and errors as in kernel.h; a missing specialisation is not_found and names the nearest
// one. Cost: opening maps the file and checks it once; a first call loads its code.
#pragma once

#include <string>
#include <vector>

#include "sprue/kernel.h"

namespace sprue {

struct PrecompiledOptions {
  std::string name;
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;
  std::string casting_path;
  std::string source = "";  // empty: not compared
  std::string header = "";
  std::vector<std::string> include_dirs = {};  // as in KernelOptions; compared with the source
  bool ensure_row_contiguous = true;
  bool atomic_outputs = false;
  std::vector<std::string> mutable_inputs = {};
  int shared_memory = 0;  // compared with the source only, as part of it
  MathMode math = MathMode::safe;
  Optimization optimization = Optimization::standard;
  bool allow_stale = false;  // take entries of another source with the same name, names and flags
};

[[nodiscard]] Kernel precompiled_metal_kernel(const PrecompiledOptions& options);
// The same of castings made from CUDA source. Not for cubins and PTX of other compilers.
[[nodiscard]] Kernel precompiled_cuda_kernel(const PrecompiledOptions& options);

}  // namespace sprue
