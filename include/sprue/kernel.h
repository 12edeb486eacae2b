// Custom kernels: one body of source text, run on the devices of this machine.
//
//   auto scale = sprue::metal_kernel({
//       .name = "scale",
//       .input_names = {"x", "factor"},
//       .output_names = {"y"},
//       .source = "uint i = thread_position_in_grid.x; y[i] = T(x[i] * factor);"});
//   auto out = scale({.inputs = {x, 0.5f}, .output_shapes = {{8}}, .output_dtypes = {sprue::float32},
//                     .grid = {8, 1, 1}, .threadgroup = {8, 1, 1},
//                     .template_arguments = {{"T", sprue::float32}}});
//   const float* y = out[0].data<float>();
//
// The semantics are those of MLX's custom kernels: the signature is generated around the body, the grid
// counts threads, edge threadgroups are smaller, outputs are fresh and uninitialised unless init_value
// is given. Not for graphs or autodiff: a call runs now, on the calling thread's stream.
//
// Thread-safety: a Kernel may be copied and called from any thread. Cost: a call whose specialisation
// is known builds no string and hashes no source. Errors: sprue::Error, before anything runs; a failed
// compile (compile_failed) leaves earlier results intact and carries the compiler's log.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sprue/array.h"
#include "sprue/error.h"

namespace sprue {

enum class MathMode : uint8_t {
  safe,     // no contraction, denormals and NaN kept: the same bits on every device
  relaxed,  // contraction into fused multiply-adds allowed
  fast,     // also reassociation and reciprocals; defines __FAST_MATH__
};

// The optimiser's effort. Not a matter of meaning, as the math mode is: under MathMode::safe both give
// the same bits.
enum class Optimization : uint8_t {
  standard,  // "default"
  fast,      // "fast": longer compiles, wider vectors where the processor has them
};

enum class CompilePolicy : uint8_t {
  jit,          // compile what isn't there
  precompiled,  // never run a compiler: a missing specialisation is an error
};

using TemplateValue = std::variant<int, bool, Dtype>;

struct TemplateArgument {
  std::string name;
  TemplateValue value;  // a Dtype binds a type name, an int or bool a constant
};

struct Size3 {  // threads along x, y, z
  int64_t x = 1, y = 1, z = 1;
  bool operator==(const Size3&) const = default;
};

using Arrays = SmallVector<Array, 8>;

// What a kernel is: the same for all its calls.
struct KernelOptions {
  std::string name;                       // any text; a label for errors and entry points
  std::vector<std::string> input_names;   // parameter names, in the order of KernelCall::inputs
  std::vector<std::string> output_names;  // at least one
  std::string source;                     // the body
  std::string header = "";                // text in front of the function: helpers, constants
  bool ensure_row_contiguous = true;      // copy strided inputs before the launch
  bool atomic_outputs = false;            // Metal only: outputs become device atomic<T>*
  std::vector<std::string> mutable_inputs = {};  // names of inputs that the body writes in place
  int shared_memory = 0;  // CUDA only: bytes of `extern __shared__` memory a block
  MathMode math = MathMode::safe;
  Optimization optimization = Optimization::standard;  // no part of what the kernel is
  std::string source_file = "";  // of the body, in diagnostics; empty: "NAME.metal" or "NAME.cu"
  std::string header_file = "";  // of the header; empty: "NAME.header.metal" or "NAME.header.cu"
  // Folders in which `#include "x.h"` of the two texts is looked for, in order. What they hold is read when
  // the kernel is made, and is part of what it is.
  std::vector<std::string> include_dirs = {};
};

// One call. Sizes are in threads; at most 1,024 threads in a threadgroup.
struct KernelCall {
  Arrays inputs;                                          // one for each input name
  SmallVector<Shape, 2> output_shapes;                    // one for each output name
  SmallVector<Dtype, 8> output_dtypes;                    // likewise
  Size3 grid;                                             // threads in all; whole blocks in CUDA
  Size3 threadgroup;                                      // clamped to the grid, axis by axis
  std::vector<TemplateArgument> template_arguments = {};  // in order; part of the specialisation
  std::optional<double> init_value = {};  // every element of every output, before the launch
  bool verbose = false;                   // print the generated text on standard output
  CompilePolicy policy = CompilePolicy::jit;
};

class KernelState;  // kernel/kernel_state.h

class Kernel {
 public:
  explicit Kernel(std::shared_ptr<KernelState> state) : state_(std::move(state)) {}
  // Outputs in the order of output_names.
  [[nodiscard]] Arrays operator()(const KernelCall& call) const;
  const std::string& name() const;
  KernelState& state() const { return *state_; }

 private:
  std::shared_ptr<KernelState> state_;
};

// A kernel written as MLX Metal source, compiled when a specialisation is first called.
[[nodiscard]] Kernel metal_kernel(const KernelOptions& options);

// A kernel written as MLX CUDA source: every input is a pointer, scalars too, shapes and strides are
// arrays by value, and template arguments are constants of the body. As on a GPU, and other than in Metal,
// whole blocks run: where the grid isn't a multiple of the threadgroup, threads beyond it run as well.
[[nodiscard]] Kernel cuda_kernel(const KernelOptions& options);

}  // namespace sprue
