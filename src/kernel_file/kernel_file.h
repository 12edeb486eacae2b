// Kernel files: a kernel, its calls and their arrays as TOML. One reader for run, cast and bench.
//
//   SPRUE_ASSIGN(KernelFile file, read_kernel_file("examples/exp/exp.toml"));
//   Kernel kernel = metal_kernel(file.options);
//   for (const CallSpec& spec : file.calls) {
//     SPRUE_ASSIGN(KernelCall call, make_call(file, spec));   // fills inputs, reads .npy files
//     Arrays outputs = kernel(call);
//   }
//
// An expression of sizes (expression.h) may stand where a size is needed, so that one text serves a
// sweep: ReadOptions{.sizes = {{"M", 1}}} reads the file as if it said M = 1.
//
// Reading checks everything that needs no array: unknown keys, types, names, sizes. Each error is
// one line that begins with the file and the line: `[kernel_file] exp.toml:12: expected X, got Y`.
// Not for data: arrays stand in .npy files beside it. Not for the rules of kernels (keywords as
// names, threadgroup limits): those are the kernel's own and are checked when it is made or called.
//
// The grammar, as TOML; * marks what must be there, relative paths are relative to the kernel file:
//   name* = text         inputs = [names]     outputs* = [names]     mutable_inputs = [names]
//   dialect = "metal" | "cuda"               shared_memory = 0         bytes, CUDA only
//   math = "safe" | "relaxed" | "fast"          native = name of an operation
//   source* = text | source_file* = path      header = text | header_file = path
//   include_dirs = [paths]                    where #include "x.h" of the two texts is looked for
//   ensure_row_contiguous = true              atomic_outputs = false
//   bytes = extent       ops = extent         what a call moves and computes, for the roofline
//   [[call]]*            name = text          init_value = number
//     sizes = { NAME = extent, ... }          each of the sizes before it
//     grid* = [1 to 3 extents]                threadgroup* = [1 to 3 extents]
//     template = { NAME = "dtype" | extent | true | false, ... }         in order of appearance
//     bytes = extent     ops = extent         instead of the file's
//     inputs.NAME* = { shape* = [extents], dtype*, fill*, seed }
//                  | { file* = "x.npy" } | { value* = number, extent or boolean, dtype }
//     outputs.NAME* = { shape*, dtype*, expect = "y.npy", rtol = 0, atol = 0 }
//     outputs.NAME = { expect*, rtol, atol }                             of a mutable input
//   extent = integer | "expression of the call's sizes", such as "ceildiv(M * N, 8)"
//   fill = "zeros" | "ones" | "normal" | "uniform" | "arange"            (fill.h)
//        | "affine_int4"                      on three inputs of a call: in the kernel's order the
//          weights (uint32, eight 4-bit values a word), their scales and their biases, both of one
//          floating dtype and shape and of the scales' seed; the biases have none of their own
// A size has a name of [A-Za-z0-9_] that is no dtype, so "float16" is a dtype in a template.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "kernel_file/expression.h"
#include "kernel_file/fill.h"
#include "program/definition.h"
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
  Sizes sizes;  // with the values of the overrides
  std::vector<TemplateArgument> template_arguments;
  Size3 grid;
  Size3 threadgroup;
  std::optional<double> init_value;
  std::optional<int64_t> bytes;     // read and written by the call; at least 0
  std::optional<int64_t> ops;       // arithmetic operations of the call; at least 0
  std::vector<InputSpec> inputs;    // in the order of options.input_names
  std::vector<OutputSpec> outputs;  // in the order of options.output_names
  // What mutable inputs must hold after the call: name, expect and tolerances are set.
  std::vector<OutputSpec> mutated;
};

struct KernelFile {
  KernelOptions options;
  Dialect dialect = Dialect::metal;
  std::string native;           // the shipped operation that is the native arm; empty: none
  std::vector<CallSpec> calls;  // at least one, names are distinct
  std::string path;
};

// How to read a kernel file; the default is as it stands, from the file system.
struct ReadOptions {
  // Values instead of those in the file, in every call that has the size; the sizes derived from it
  // follow. A name that no call has is an error.
  Sizes sizes;
  // Reads the kernel file, source_file and header_file, of at most `limit` bytes, in the caller's
  // thread: for files of another revision. Arrays are always read from the file system. Empty:
  // read_file.
  std::function<Result<std::string>(const std::string& path, uint64_t limit)> read_text;
};

// The kernel itself, checked as its door would.
[[nodiscard]] Result<KernelDefinition> definition_of(const KernelFile& file);
[[nodiscard]] Result<KernelFile> read_kernel_file(const std::string& path,
                                                  const ReadOptions& how = {});
// `path` is where the text stands: for messages and relative paths. Reads source_file and
// header_file.
[[nodiscard]] Result<KernelFile> parse_kernel_file(std::string_view text, const std::string& path,
                                                   const ReadOptions& how = {});
// The call that has this name, or an error that lists those there are.
[[nodiscard]] Result<const CallSpec*> find_call(const KernelFile& file, std::string_view name);
// The call with its inputs in memory: filled (the same bits on every machine) or read.
[[nodiscard]] Result<KernelCall> make_call(const KernelFile& file, const CallSpec& spec);

}  // namespace sprue
