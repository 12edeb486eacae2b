// Kernel files: a kernel, its calls and their arrays as TOML. One reader for run, cast and bench.
//
//   SPRUE_ASSIGN(KernelFile file, read_kernel_file("examples/exp/exp.toml"));
//   Kernel kernel = metal_kernel(file.options);
//   for (const CallSpec& spec : file.calls) {
//     SPRUE_ASSIGN(KernelCall call, make_call(file, spec));   // fills inputs, reads .npy files
//     Arrays outputs = kernel(call);
//   }
//
// Reading checks everything that needs no array: unknown keys, types, names, sizes. Each error is
// one line that begins with the file and the line: `[kernel_file] exp.toml:12: expected X, got Y`.
// Not for data: arrays stand in .npy files beside it. Not for the rules of kernels (keywords as
// names, threadgroup limits): those are the kernel's own and are checked when it is made or called.
//
// The grammar, as TOML; * marks what must be there, relative paths are relative to the kernel file:
//   name* = text         inputs = [names]     outputs* = [names]     mutable_inputs = [names]
//   dialect = "metal"    math = "safe" | "relaxed" | "fast"          native = name of an operation
//   source* = text | source_file* = path      header = text | header_file = path
//   ensure_row_contiguous = true              atomic_outputs = false
//   [[call]]*            name = text          init_value = number
//     grid* = [1 to 3 integers]               threadgroup* = [1 to 3 integers]
//     template = { NAME = "dtype" | integer | true | false, ... }        in order of appearance
//     inputs.NAME* = { shape*, dtype*, fill* = zeros|ones|normal|uniform|arange, seed }
//                  | { file* = "x.npy" } | { value* = number or boolean, dtype }
//     outputs.NAME* = { shape*, dtype*, expect = "y.npy", rtol = 0, atol = 0 }
//     outputs.NAME = { expect*, rtol, atol }                             of a mutable input
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "kernel_file/fill.h"
#include "sprue/kernel.h"

namespace sprue {

struct FilledInput {
  Shape shape;
  Dtype dtype = Dtype::float32;
  Fill fill = Fill::zeros;
  uint64_t seed = 0;  // the input's position unless given
};

struct FileInput {
  std::string path;  // as this process opens it
};

struct InputSpec {
  std::string name;
  int line = 0;                                         // 1-based, in the kernel file
  std::variant<FilledInput, FileInput, Array> content;  // Array: a 0-d value
};

struct OutputSpec {
  std::string name;
  int line = 0;
  Shape shape;
  Dtype dtype = Dtype::float32;
  std::string expect;  // path of the expected content as this process opens it; empty: none
  double rtol = 0;     // of the expected magnitude
  double atol = 0;
};

struct CallSpec {
  std::string name;  // "default" if the file names none
  int line = 0;
  std::vector<TemplateArgument> template_arguments;
  Size3 grid;
  Size3 threadgroup;
  std::optional<double> init_value;
  std::vector<InputSpec> inputs;    // in the order of options.input_names
  std::vector<OutputSpec> outputs;  // in the order of options.output_names
  // What mutable inputs must hold after the call: name, expect and tolerances are set.
  std::vector<OutputSpec> mutated;
};

struct KernelFile {
  KernelOptions options;
  std::string native;           // the shipped operation that is the native arm; empty: none
  std::vector<CallSpec> calls;  // at least one, names are distinct
  std::string path;
};

[[nodiscard]] Result<KernelFile> read_kernel_file(const std::string& path);
// `path` is where the text stands: for messages and relative paths. Reads source_file and
// header_file.
[[nodiscard]] Result<KernelFile> parse_kernel_file(std::string_view text, const std::string& path);
// The call that has this name, or an error that lists those there are.
[[nodiscard]] Result<const CallSpec*> find_call(const KernelFile& file, std::string_view name);
// The call with its inputs in memory: filled (the same bits on every machine) or read.
[[nodiscard]] Result<KernelCall> make_call(const KernelFile& file, const CallSpec& spec);

}  // namespace sprue
