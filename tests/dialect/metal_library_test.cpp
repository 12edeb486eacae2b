// Complete Metal files. Their kernels' text has its own tests (generator_test.cpp); here it is whether the
// file is whole: goldens that were checked by eye against MLX's generator, and a syntax check by clang,
// which knows nothing of our lowering, over a small stub of Metal's library (tests/data/emit/stub).
// To write the goldens anew, run `SPRUE_WRITE_GOLDEN=1 dialect_test`.
#include "dialect/metal_library.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/embedded_text.h"
#include "dialect/specialize.h"

namespace sprue {
namespace {

using test::define;
using test::specialize;

constexpr InputTraits kVector{float32, false, false};

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

struct Case {
  std::string name;
  KernelDefinition definition;
  std::vector<Specialization> specializations;
};

KernelDefinition define_with_header(bool atomic_outputs) {
  KernelOptions options{
      .name = "histogram", .input_names = {"x", "step"}, .output_names = {"bins"}};
  options.header =
      "constant float kScale = 0.5f;\n"
      "template <typename T>\ninline uint bin_of(T value) { return uint(float(value) * kScale); }";
  options.source =
      "uint i = thread_position_in_grid.x;\n"
      "atomic_fetch_add_explicit(&bins[bin_of(x[i])], uint32_t(step), memory_order_relaxed);";
  options.atomic_outputs = atomic_outputs;
  options.source_file = "bodies/histogram.metal";
  options.header_file = "bodies/helpers.h";
  return value_or_throw(make_definition(options, "metal_kernel"));
}

// One case for each thing that a file can hold: every kind of argument, slots, a header once over two
// specialisations, atomics, the helpers of the preamble.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(
      {"arguments",
       define({"a", "b", "c", "d"}, {"out1", "out2"},
              "uint i = thread_position_in_grid.x;\nT half_of = T(d) / T(2);\n"
              "out1[i] = e ? a[i] + float(b[2]) + float(c[1]) + float(half_of) : float(f);\n"
              "out2[i] = int(half_of) - f;",
              "arg_test"),
       {specialize({kVector, {int32, false, true}, {bfloat16, false, true}, {float32, true, true}},
                   {float32, int32}, {{"e", true}, {"f", -3}, {"T", float16}})}});
  all.push_back(
      {"slots",
       define({"x"}, {"o1", "o2", "o3"},
              "uint i = thread_position_in_grid.x;\n"
              "o1[i] = x[elem_to_loc(i, x_shape, x_strides, x_ndim)]; o2[i] = x_shape[0]; "
              "o3[i] = x_ndim > 1;",
              "slots"),
       {specialize({kVector}, {float32, int8, bool_})}});
  all.push_back({"header_and_atomics",
                 define_with_header(true),
                 {specialize({kVector, {int32, true, true}}, {uint32}),
                  specialize({{bfloat16, false, false}, {int32, true, true}}, {uint32})}});
  all.push_back(
      {"helpers",
       define({"x", "w", "z"}, {"y"},
              "threadgroup float shared[32];\n"
              "uint i = thread_position_in_grid.x;\n"
              "shared[thread_index_in_simdgroup] = float(simd_sum(x[i]));\n"
              "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
              "T v = T(metal::exp(x[i])) + T(metal::precise::tanh(x[i])) + T(log1p(x[i]));\n"
              "if (simd_shuffle_down(w[i], 1) == Limits<int64_t>::max) v = T(ceildiv(N, 2));\n"
              "complex64_t product = z[i] * complex64_t(0.0f, 1.0f);\n"
              "y[i] = metal::max(v, T(product.real)) + T(shared[0]);",
              "helpers"),
       {specialize({{bfloat16, false, false}, {int64, false, false}, {complex64, false, false}},
                   {bfloat16}, {{"T", bfloat16}, {"N", 7}}),
        specialize({{float16, false, false}, {int64, false, false}, {complex64, false, false}},
                   {float16}, {{"T", float16}, {"N", 7}}),
        specialize({kVector, {int64, false, false}, {complex64, false, false}}, {float32},
                   {{"T", float32}, {"N", 7}})}});
  return all;
}

std::string emit(const Case& c) {
  const auto library = generate_metal_library(c.definition, c.specializations, c.definition.name);
  return library ? library->text : library.error().what();
}

std::string preamble() { return std::string(preamble_texts()[0].text); }

// The goldens hold a line in place of the preamble, which is a file of its own.
TEST(MetalLibrary, IsAsTheGoldenFiles) {
  for (const Case& c : cases()) {
    std::string text = emit(c);
    const size_t at = text.find(preamble());
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, preamble().size(), "<preamble>\n");
    const std::string path = std::string(SPRUE_TEST_DATA) + "/emit/" + c.name + ".metal";
    if (std::getenv("SPRUE_WRITE_GOLDEN")) std::ofstream(path) << text;
    EXPECT_EQ(text, read(path)) << c.name;
  }
}

TEST(MetalLibrary, HoldsTheTextThatVerbosePrints) {
  for (const Case& c : cases()) {
    const std::string text = emit(c);
    const std::string first =
        value_or_throw(generate_metal(c.definition, c.specializations[0])).text;
    EXPECT_EQ(count(text, first), 1u) << c.name;
    for (const Specialization& s : c.specializations) {
      const MetalText parts = value_or_throw(generate_metal_text(c.definition, s));
      EXPECT_EQ(parts.text(), value_or_throw(generate_metal(c.definition, s)).text);
      EXPECT_EQ(count(text, parts.kernel), 1u) << c.name;
    }
    if (!c.definition.header.empty()) {
      EXPECT_EQ(count(text, c.definition.header), 1u) << c.name;
    }
  }
}

// Where verbose shows a line, the file's #line directives say the same number.
TEST(MetalLibrary, NumbersLinesAsVerboseShowsThem) {
  const Case c = cases()[2];
  const std::string text = emit(c);
  const std::string second =
      value_or_throw(generate_metal(c.definition, c.specializations[1])).text;
  const std::string head = "[[kernel]] void custom_kernel_histogram_bfloat16_t_int32_ts_uint32_t(";
  const auto line =
      std::count(second.begin(), second.begin() + static_cast<ptrdiff_t>(second.find(head)), '\n') +
      1;
  EXPECT_EQ(count(text, "#line " + std::to_string(line) + " \"<generated>\"\n" + head), 1u) << text;
}

TEST(MetalLibrary, OneTextUnderOneLabelIsKeptOnce) {
  KernelOptions options{
      .name = "k", .input_names = {"x"}, .output_names = {"y"}, .source = "y[0] = 1;"};
  options.mutable_inputs = {"x"};  // never in constant space: few elements or many, one text
  const KernelDefinition definition = value_or_throw(make_definition(options, "test"));
  const auto library =
      generate_metal_library(definition,
                             std::vector{specialize({{float32, false, true}}, {float32}),
                                         specialize({kVector}, {float32})},
                             "k");
  ASSERT_TRUE(library);
  EXPECT_EQ(count(library->text, "[[kernel]] void"), 1u);
  EXPECT_NE(library->text.find("1 specialisation,"), std::string::npos);
}

// MLX's label leaves out a template argument's name, and whether 1 is a number or true.
TEST(MetalLibrary, TwoTextsUnderOneLabelAreAnError) {
  const KernelDefinition definition = define({}, {"y"}, "y[0] = 1;");
  const std::vector<std::pair<Specialization, Specialization>> pairs = {
      {specialize({}, {float32}, {{"N", 1}, {"M", 2}}),
       specialize({}, {float32}, {{"M", 1}, {"N", 2}})},
      {specialize({}, {float32}, {{"B", true}}), specialize({}, {float32}, {{"B", 1}})}};
  for (const auto& [a, b] : pairs) {
    const auto both = generate_metal_library(definition, std::vector{a, b}, "k");
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().code(), ErrorCode::invalid_argument);
    EXPECT_NE(both.error().message().find("--call"), std::string::npos) << both.error().message();
    EXPECT_NE(both.error().message().find("custom_kernel_k__"), std::string::npos);
    for (const auto& one : {a, b})
      EXPECT_TRUE(generate_metal_library(definition, std::vector{one}, "k"));
  }
}

TEST(MetalLibrary, WhatMetalCantExpressIsTheGeneratorsError) {
  const auto library = generate_metal_library(
      define({"x"}, {"y"}, ""), std::vector{specialize({{float64, false, false}}, {float32})}, "k");
  ASSERT_FALSE(library);
  EXPECT_NE(library.error().message().find("float64"), std::string::npos);
}

TEST(MetalLibrary, CommandHasTheFlagsOfTheMathMode) {
  const std::pair<MathMode, std::string> flags[] = {
      {MathMode::safe, "-fno-fast-math"},
      {MathMode::relaxed, "-fmetal-math-mode=relaxed"},
      {MathMode::fast, "-ffast-math"}};
  for (const auto& [math, flag] : flags) {
    KernelDefinition definition = define({}, {"y"}, "y[0] = 1;");
    definition.math = math;
    const auto library =
        generate_metal_library(definition, std::vector{specialize({}, {float32})}, "scale");
    ASSERT_TRUE(library);
    EXPECT_EQ(library->command,
              "xcrun -sdk macosx metal -std=metal3.1 " + flag + " -o scale.metallib scale.metal");
    EXPECT_EQ(count(library->text, "//   " + library->command + "\n"), 1u);
    EXPECT_EQ(count(library->text, "Not run by Sprue's authors on Apple hardware"), 1u);
  }
}

// A kernel's name is any text: it must stay one word of the command and one line of the comment.
TEST(MetalLibrary, CommandQuotesOddNames) {
  const KernelDefinition definition = define({}, {"y"}, "y[0] = 1;");
  const std::pair<std::string, std::string> stems[] = {
      {"my kernel", "'my kernel.metal'"}, {"it's", "'it'\\''s.metal'"},
      {"$(id)", "'$(id).metal'"},         {"-o", "./-o.metal"},
      {"a\nb\\", "'a?b\\.metal'"},
  };
  for (const auto& [stem, word] : stems) {
    const auto library =
        generate_metal_library(definition, std::vector{specialize({}, {float32})}, stem);
    ASSERT_TRUE(library);
    EXPECT_TRUE(library->command.ends_with(" " + word)) << library->command;
    EXPECT_EQ(count(library->text, library->command + "\n"), 1u);
  }
}

// ---- The syntax check

class MetalSyntax : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    if (std::system("clang++-19 --version >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "clang++-19 isn't here: Metal texts are not checked for syntax";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The compiler's log if the text is no valid C++14 over the stub; else empty.
  std::string complaint(const std::string& text) {
    // Metal takes attributes behind `template`, where C++ has none.
    static const std::regex kAttributes(R"(template (\[\[[^\]]*\]\] )+decltype)");
    const std::string path = folder_ / "kernel.metal", log = folder_ / "log";
    std::ofstream(path) << std::regex_replace(text, kAttributes, "template decltype");
    const std::string command =
        "clang++-19 -x c++ -std=c++14 -fsyntax-only -nostdinc -Wall -Werror -Wno-unused "
        "-Wno-unknown-attributes -Wno-ignored-attributes -isystem '" SPRUE_TEST_DATA
        "/emit/stub' '" +
        path + "' 2>'" + log + "'";
    if (std::system(command.c_str()) == 0) return "";
    return read(log) + "(no success)";
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("sprue-syntax-" + std::to_string(getpid()));
};

TEST_F(MetalSyntax, OfEveryCaseIsRight) {
  for (const Case& c : cases()) EXPECT_EQ(complaint(emit(c)), "") << emit(c);
}

TEST_F(MetalSyntax, OfEveryDtypeAndAttributeIsRight) {
  std::string body;
  for (int i = 0; i < kAttributeCount; ++i)
    body += "(void)" + std::string(attribute_traits(static_cast<Attribute>(i)).name) + ";\n";
  const KernelDefinition definition = define({"x", "s", "c"}, {"y"}, body + "y[0] = x[0];");
  for (Dtype dtype : {bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16,
                      bfloat16, float32, complex64}) {
    const Case c{"",
                 definition,
                 {specialize({{dtype, false, false}, {dtype, true, true}, {dtype, false, true}},
                             {dtype}, {{"T", dtype}})}};
    EXPECT_EQ(complaint(emit(c)), "") << dtype_name(dtype);
  }
}

// The check can fail: for a kernel, for its signature, for the preamble.
TEST_F(MetalSyntax, OfABrokenTextIsSeen) {
  const Case c = cases()[0];
  const std::string text = emit(c);
  for (const auto& [part, instead] :
       std::vector<std::pair<std::string, std::string>>{{"out2[i] =", "out3[i] ="},
                                                        {"[[buffer(0)]],", "[[buffer(0)]]"},
                                                        {"typedef half float16_t;", ""},
                                                        {"-3, float16_t>", "-3>"}}) {
    std::string broken = text;
    const size_t at = broken.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    broken.replace(at, part.size(), instead);
    EXPECT_NE(complaint(broken), "") << part;
  }
}

}  // namespace
}  // namespace sprue
