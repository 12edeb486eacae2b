// Three matrices of SmolLM2-135M-Instruct times real activations, by one Metal kernel: just-in-time,
// precompiled, and beside a native C++ loop.
//
//   smollm2_demo [WEIGHTS.gguf]      without weights: generated ones of the same shapes
//
// Build: `make build`; run: `make demo`. The outputs are compared with a float64 reference before
// anything is timed.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>

#include "base/sys.h"
#include "kernel/cast_kernel.h"
#include "measure/paired.h"
#include "models/gguf.h"
#include "ops/quantized_matvec/convert.h"
#include "ops/quantized_matvec/quantize.h"
#include "ops/quantized_matvec/quantized_matvec.h"
#include "ops/quantized_matvec/reference.h"
#include "sprue/sprue.h"

namespace {

using namespace sprue;

// Tokens whose embedding rows are the activations.
constexpr int kTokens[] = {1, 504, 2430, 314, 253, 1528, 28, 30};

struct Matrix {
  std::string name;
  std::string role;
  QuantizedMatrix weights;
};

struct Model {
  std::string origin;
  std::vector<Matrix> matrices;
  std::vector<Array> activations;  // float32 [576], one for each token
};

Result<QuantizedMatrix> load_matrix(const Gguf& file, const std::string& name) {
  SPRUE_ASSIGN(const GgufTensor* tensor, file.tensor(name));
  const int64_t rows = tensor->shape[0], columns = tensor->shape[1];
  if (tensor->type == GgmlType::q4_1) return convert_q4_1(file.bytes(*tensor), rows, columns);
  if (tensor->type == GgmlType::q8_0) return convert_q8_0(file.bytes(*tensor), rows, columns);
  // Formats that affine integers don't hold exactly are quantised again, to 8 bits.
  SPRUE_ASSIGN(const Array values, file.dequantize(*tensor));
  return quantize(values, 8, 32, float32);
}

Result<std::vector<Array>> load_activations(const Gguf& file) {
  SPRUE_ASSIGN(const GgufTensor* tensor, file.tensor("token_embd.weight"));
  SPRUE_ASSIGN(const Array table, file.dequantize(*tensor));
  std::vector<Array> rows;
  for (int token : kTokens)
    rows.push_back(table.as_strided({table.shape()[1]}, {1}, token * table.shape()[1]));
  return rows;
}

void print_types(const Gguf& file) {
  std::map<std::string, int> counts;
  for (const GgufTensor& tensor : file.tensors())
    ++counts[std::string(ggml_type_traits(tensor.type).name)];
  std::string text;
  for (const auto& [type, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, type);
  fmt::print("tensors by type: {}\n", text);
}

Result<Model> load_model(const std::string& path) {
  SPRUE_ASSIGN(const auto file, Gguf::open(path));
  print_types(*file);
  Model model{.origin = "SmolLM2-135M-Instruct"};
  const std::pair<const char*, const char*> wanted[] = {
      {"blk.0.attn_q.weight", "attention projection"},
      {"blk.0.ffn_up.weight", "FFN matrix"},
      {"token_embd.weight", "output head (tied embedding)"}};
  for (const auto& [name, role] : wanted) {
    SPRUE_ASSIGN(const GgufTensor* tensor, file->tensor(name));
    SPRUE_ASSIGN(QuantizedMatrix weights, load_matrix(*file, name));
    fmt::print("  {}: {} {} -> {} bits, groups of {}\n", name, ggml_type_traits(tensor->type).name,
               to_string(tensor->shape), weights.bits, weights.group_size);
    model.matrices.push_back({name, role, std::move(weights)});
  }
  SPRUE_ASSIGN(model.activations, load_activations(*file));
  return model;
}

Array random_array(const Shape& shape, float scale, uint32_t seed) {
  std::mt19937 generator(seed);
  Array array = Array::empty(shape, float32);
  for (int64_t i = 0; i < array.size(); ++i)
    array.data<float>()[i] = scale * (static_cast<float>(generator()) / 4294967296.0f - 0.5f);
  return array;
}

// The shapes of the real model, generated content.
Result<Model> generate_model() {
  Model model{.origin = "generated weights of the shapes of SmolLM2-135M"};
  const std::tuple<const char*, int64_t, int> shapes[] = {
      {"attention projection", 576, 4}, {"FFN matrix", 1536, 4}, {"output head", 49152, 8}};
  uint32_t seed = 1;
  for (const auto& [role, rows, bits] : shapes) {
    SPRUE_ASSIGN(QuantizedMatrix weights,
                 quantize(random_array({rows, 576}, 0.1f, seed++), bits, 32, float16));
    model.matrices.push_back({"generated", role, std::move(weights)});
  }
  for (size_t i = 0; i < std::size(kTokens); ++i)
    model.activations.push_back(random_array({576}, 1.0f, seed++));
  return model;
}

// A casting of the calls that the demo makes, written to a temporary file and opened.
Result<Kernel> cast_and_open(const Kernel& jit, const std::vector<KernelCall>& calls) {
  std::vector<Specialization> specializations;
  for (const KernelCall& call : calls) specializations.push_back(specialization_of(call));
  SPRUE_ASSIGN(const Target target, Target::from_name("cpu"));
  SPRUE_ASSIGN(auto entries, cast_kernel(jit.state().definition(), specializations, {&target, 1}));
  SPRUE_ASSIGN(const std::string bytes, write_casting(std::move(entries)));
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("sprue-demo-{}.casting", getpid());
  SPRUE_CHECK(write_file_atomically(path.string(), bytes));
  fmt::print("casting: {} bytes for {} specialisations\n", bytes.size(), specializations.size());
  const KernelOptions options = quantized_matvec_options();
  Kernel kernel = precompiled_metal_kernel({.name = options.name,
                                            .input_names = options.input_names,
                                            .output_names = options.output_names,
                                            .casting_path = path.string(),
                                            .source = options.source,
                                            .header = options.header});
  std::filesystem::remove(path);
  return kernel;
}

double largest_deviation(const Array& y, const std::vector<double>& reference) {
  double deviation = 0;
  for (int64_t i = 0; i < y.size(); ++i)
    deviation =
        std::max(deviation, std::abs(y.data<float>()[i] - reference[static_cast<size_t>(i)]));
  return deviation;
}

// "native won, ahead of jit by more than the spread."
std::string what_won(const PairedResult& result) {
  size_t first = 0, second = 1;
  auto median_of = [&](size_t arm) { return result.arms[arm].summary.median; };
  for (size_t arm = 1; arm < result.arms.size(); ++arm) {
    if (median_of(arm) < median_of(first))
      second = std::exchange(first, arm);
    else if (second == first || median_of(arm) < median_of(second))
      second = arm;
  }
  const auto pair =
      std::find_if(result.pairs.begin(), result.pairs.end(), [&](const PairResult& p) {
        return std::minmax(p.arm, p.reference) == std::minmax(first, second);
      });
  const bool shown = pair->verdict == Verdict::faster || pair->verdict == Verdict::slower;
  return fmt::format("{} {} {}; the difference {} the spread.", result.arms[first].name,
                     shown ? "won, ahead of" : "was ahead of", result.arms[second].name,
                     shown ? "exceeds" : "does not exceed");
}

struct Builds {
  Kernel jit;
  Kernel cast;
};

Status show_matrix(const Builds& builds, const Matrix& matrix,
                   const std::vector<Array>& activations) {
  double native = 0, jit = 0, cast = 0, magnitude = 0;
  for (const Array& x : activations) {
    SPRUE_ASSIGN(const ReferenceResult exact, quantized_matvec_reference(matrix.weights, x));
    const std::vector<double>& reference = exact.y;
    for (double value : reference) magnitude = std::max(magnitude, std::abs(value));
    SPRUE_ASSIGN(const Array y, quantized_matvec(matrix.weights, x));
    const KernelCall call = quantized_matvec_call(matrix.weights, x);
    native = std::max(native, largest_deviation(y, reference));
    jit = std::max(jit, largest_deviation(builds.jit(call)[0], reference));
    cast = std::max(cast, largest_deviation(builds.cast(call)[0], reference));
  }
  fmt::print("\n{} ({} x {}, {} bits)\n", matrix.role, matrix.weights.rows(),
             matrix.weights.columns(), matrix.weights.bits);
  fmt::print(
      "  largest deviation from float64 (values up to {:.3g}): native {:.2g}, jit {:.2g}, cast "
      "{:.2g}\n",
      magnitude, native, jit, cast);
  if (std::max({native, jit, cast}) > 1e-4 * magnitude)
    return fail(ErrorCode::internal, "demo",
                "expected deviations below 1e-4 of the largest value, got more");

  std::vector<KernelCall> calls;
  for (const Array& x : activations) calls.push_back(quantized_matvec_call(matrix.weights, x));
  auto looping = [&calls](auto&& once) {
    return [&calls, once, next = size_t{0}](int operations) mutable {
      for (int i = 0; i < operations; ++i) once(next++ % calls.size());
    };
  };
  const PairedResult result = run_paired(
      {{"native",
        looping([&](size_t i) { (void)*quantized_matvec(matrix.weights, activations[i]); })},
       {"jit", looping([&](size_t i) { (void)builds.jit(calls[i]); })},
       {"cast", looping([&](size_t i) { (void)builds.cast(calls[i]); })}});
  fmt::print("  {:<8} {:>12}   {}\n", "arm", "median", "quartiles");
  for (const ArmTimes& arm : result.arms)
    fmt::print("  {:<8} {:>9.1f} µs   {:.1f} – {:.1f} µs\n", arm.name, arm.summary.median * 1e6,
               arm.summary.lower_quartile * 1e6, arm.summary.upper_quartile * 1e6);
  for (const PairResult& pair : result.pairs) fmt::print("  {}\n", pair.sentence);
  fmt::print("  {}\n", what_won(result));
  return {};
}

Status run(int argc, char** argv) {
  SPRUE_ASSIGN(const Model model, argc > 1 ? load_model(argv[1]) : generate_model());
  fmt::print("weights: {}\n", model.origin);
  std::vector<KernelCall> calls;
  for (const Matrix& matrix : model.matrices)
    calls.push_back(quantized_matvec_call(matrix.weights, model.activations.front()));
  const Kernel jit = metal_kernel(quantized_matvec_options());
  SPRUE_ASSIGN(Kernel cast, cast_and_open(jit, calls));
  const Builds builds{jit, cast};
  for (const Matrix& matrix : model.matrices)
    SPRUE_CHECK(show_matrix(builds, matrix, model.activations));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (auto done = run(argc, argv); !done) throw done.error();
  } catch (const sprue::Error& error) {
    fmt::print(stderr, "{}\n{}", error.what(), error.details().compile_log);
    return 2;
  }
  return 0;
}
