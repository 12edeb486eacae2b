#include "dialect/generator.h"

#include <gtest/gtest.h>

#include <clocale>
#include <fstream>
#include <limits>
#include <sstream>

#include "dialect/specialize.h"

namespace sprue {
namespace {

using test::define;
using test::specialize;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(SPRUE_TEST_DATA) + "/generated/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string metal(const KernelDefinition& definition, const Specialization& specialization) {
  const auto source = generate_metal(definition, specialization);
  return source ? source->text : source.error().what();
}
std::string cpu(const KernelDefinition& definition, const Specialization& specialization) {
  const auto source = generate_cpu(definition, specialization);
  return source ? source->text : source.error().what();
}

std::string cuda(const KernelDefinition& definition, const Specialization& specialization) {
  const auto source = generate_cuda(definition, specialization);
  return source ? source->text : source.error().what();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// MLX's own test of custom kernel arguments: every kind of input and template argument at once.
TEST(Generator, WritesAllKindsOfArguments) {
  const KernelDefinition definition =
      define({"a", "b", "c", "d"}, {"out1", "out2"},
             "uint i = thread_position_in_grid.x;\nT half_of = d / T(2);\n"
             "out1[i] = e ? a[i] + b[2] + c[1] + half_of : f;\nout2[i] = int(half_of) - f;",
             "arg_test");
  const Specialization s = specialize({{float32, false, false},
                                       {int32, false, true},
                                       {bfloat16, false, true},
                                       {float32, true, true}},
                                      {float32, int32}, {{"e", true}, {"f", 3}, {"T", float16}});
  EXPECT_EQ(metal(definition, s), golden("arg_test.metal"));
  EXPECT_EQ(cpu(definition, s), golden("arg_test.cpp"));
  EXPECT_EQ(cuda(definition, s), golden("arg_test.cu"));
}

// Several outputs, slots and no attribute: MLX closes the parameter list after the first output.
TEST(Generator, ClosesTheParametersOnceWithSlotsAndNoAttribute) {
  const KernelDefinition definition =
      define({"x"}, {"o1", "o2", "o3"},
             "o1[0] = x[x_strides[0]]; o2[0] = x_shape[0]; o3[0] = x_ndim;", "three");
  const Specialization s = specialize({{float32, false, false}}, {float32, int8, bool_});
  EXPECT_EQ(metal(definition, s), golden("three_outputs.metal"));
  EXPECT_EQ(cpu(definition, s), golden("three_outputs.cpp"));
  EXPECT_EQ(cuda(definition, s), golden("three_outputs.cu"));
}

TEST(Generator, WritesHeadersMutableInputsAndAtomicOutputs) {
  KernelOptions options{
      .name = "mutable<atomic>", .input_names = {"state", "step"}, .output_names = {"count"}};
  options.source =
      "  threadgroup float s[4];\n  s[thread_index_in_threadgroup] = 1;\n"
      "  state[0] = scaled(state, s) + threadgroup_position_in_grid.x; step += 1;\n";
  options.header =
      "constant float kScale = 0.5f;\n"
      "inline float scaled(const device float* p, threadgroup float* s) { return p[0] * s[0] * "
      "kScale; }";
  options.atomic_outputs = true;
  options.mutable_inputs = {"state", "step"};
  options.source_file = "dir\\body.metal";
  options.header_file = "helpers/\"odd\".h";
  const KernelDefinition definition = *make_definition(options, "metal_kernel");
  const Specialization s = specialize({{float32, false, true}, {int32, true, true}}, {uint32});
  EXPECT_EQ(metal(definition, s), golden("mutable_atomic.metal"));
  EXPECT_EQ(cpu(definition, s), golden("mutable_atomic.cpp"));
  EXPECT_EQ(cuda(definition, s), golden("mutable_atomic.cu"));
}

TEST(Generator, NeedsNoInputs) {
  const KernelDefinition definition = define({}, {"y"}, "y[0] = 1;");
  const std::string text = metal(definition, specialize({}, {float32}));
  EXPECT_TRUE(contains(
      text, "[[kernel]] void custom_kernel_k_float(\n  device float* y [[buffer(0)]]) {\n"))
      << text;
  const std::string code = cpu(definition, specialize({}, {float32}));
  EXPECT_TRUE(contains(code, "SPRUE_KERNEL void custom_kernel_k_float(\n    float* y) {\n"))
      << code;
}

TEST(Generator, SpellsTemplateValues) {
  const KernelDefinition definition = define({}, {"y"}, "y[0] = N;");
  Specialization s =
      specialize({}, {float32}, {{"N", -3}, {"M", std::numeric_limits<int>::min()}, {"B", false}});
  EXPECT_TRUE(contains(metal(definition, s), "template <int N, int M, bool B>\n"));
  EXPECT_TRUE(contains(metal(definition, s), "<-3, (-2147483647 - 1), 0>;\n"));
  EXPECT_TRUE(contains(cpu(definition, s), "<-3, (-2147483647 - 1), false>(sprue_argument_0)"));
  EXPECT_TRUE(contains(cpu(definition, s), "custom_kernel_k___x2d3__x2d2147483648_0_float("));
  const std::pair<Dtype, std::string_view> spellings[] = {
      {bool_, "<bool>("},           {uint8, "<uint8_t>("},       {uint16, "<uint16_t>("},
      {uint32, "<uint32_t>("},      {uint64, "<uint64_t>("},     {int8, "<int8_t>("},
      {int16, "<int16_t>("},        {int32, "<int32_t>("},       {int64, "<int64_t>("},
      {float16, "<float16_t>("},    {bfloat16, "<bfloat16_t>("}, {float32, "<float>("},
      {complex64, "<complex64_t>("}};
  for (const auto& [dtype, spelling] : spellings) {
    s.template_arguments = {{"T", dtype}};
    EXPECT_TRUE(contains(cpu(definition, s), spelling)) << spelling;
    EXPECT_TRUE(contains(cpu(definition, s), "template <typename T>\n"));
  }
}

TEST(Generator, TakesTwelveTemplateArguments) {
  Specialization s = specialize({}, {float32});
  std::string list;
  for (int i = 0; i < 12; ++i) {
    s.template_arguments.push_back({"N" + std::to_string(i), i});
    list += (i ? ", " : "<") + std::to_string(i);
  }
  EXPECT_TRUE(contains(cpu(define({}, {"y"}, ""), s), list + ">("));
}

// MLX's name leaves the template names out; the text doesn't.
TEST(Generator, TellsSwappedTemplateNamesApartByText) {
  const KernelDefinition definition = define({}, {"y"}, "y[0] = N - M;");
  const auto a = generate_cpu(definition, specialize({}, {float32}, {{"N", 1}, {"M", 2}}));
  const auto b = generate_cpu(definition, specialize({}, {float32}, {{"M", 1}, {"N", 2}}));
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->entry_name, b->entry_name);
  EXPECT_NE(a->digest, b->digest);
}

TEST(Generator, FusesGroupsOnlyWhereNothingTellsThemApart) {
  auto fused = [](const std::string& body) {
    return contains(cpu(define({}, {"y"}, body), specialize({}, {float32})),
                    "for_each_thread<true>");
  };
  EXPECT_TRUE(fused("y[0] = 1;"));
  for (int i = 0; i < kAttributeCount; ++i) {
    const auto attribute = static_cast<Attribute>(i);
    const std::string name(attribute_traits(attribute).name);
    const bool of_grid = attribute == Attribute::thread_position_in_grid ||
                         attribute == Attribute::threads_per_grid ||
                         attribute == Attribute::grid_size || attribute == Attribute::grid_origin ||
                         attribute == Attribute::threads_per_simdgroup ||
                         attribute == Attribute::thread_execution_width;
    EXPECT_EQ(fused("y[0] = " + name + "[0];"), of_grid) << name;
    EXPECT_FALSE(fused("threadgroup float s[2]; y[0] = " + name + "[0];")) << name;
  }
}

TEST(Generator, PutsTheHeaderBeforeTheFunctionInBothForms) {
  KernelDefinition definition = define({}, {"y"}, "y[0] = f(1.0f);");
  definition.header = "float f(float x) { return x; }  // last line \\";
  for (const std::string& text :
       {metal(definition, specialize({}, {float32})), cpu(definition, specialize({}, {float32}))}) {
    // The continuation at the end of the header must not swallow the line behind it.
    EXPECT_TRUE(contains(text, "// last line \\\n\n#line ")) << text;
    EXPECT_LT(text.find("float f(float x)"), text.find("y[0] = f(1.0f)"));
  }
}

// Each #line of the generated text names the line that it stands on, and none is 0.
TEST(Generator, CountsItsOwnLines) {
  KernelDefinition definition = define({"x"}, {"y"}, "a;\r\nb;\n\n");
  definition.header = "// one\n// two\n";
  const Specialization s = specialize({{float32, false, false}}, {float32}, {{"T", float32}});
  for (const std::string& text : {metal(definition, s), cpu(definition, s)}) {
    std::istringstream lines(text);
    std::string line;
    int number = 0, directives = 0;
    while (std::getline(lines, line)) {
      ++number;
      if (line.rfind("#line ", 0) != 0) continue;
      ++directives;
      const std::string expected = contains(line, "<generated>") ? std::to_string(number + 1) : "1";
      EXPECT_EQ(line.substr(6, line.find(' ', 6) - 6), expected) << line;
    }
    EXPECT_EQ(directives, 4);
  }
}

TEST(Generator, ReportsFaultsAtTheUsersPlace) {
  KernelDefinition definition = define({}, {"y"}, "y[0] = 1;\n}\nvoid f() {", "broken");
  const auto source = generate_cpu(definition, specialize({}, {float32}));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code(), ErrorCode::compile_failed);
  EXPECT_STREQ(source.error().what(),
               "[metal_kernel] expected an open bracket before '}', got none at broken.metal:2:1; "
               "this brace would "
               "close what stands around the text; kernel 'broken'");
  EXPECT_EQ(source.error().details().user_file, "broken.metal");
  EXPECT_EQ(source.error().details().line, 2);
  EXPECT_EQ(source.error().details().column, 1);
  EXPECT_EQ(source.error().details().compile_log,
            "broken.metal:2:1: error: expected an open bracket before '}', got none; this brace "
            "would close what "
            "stands around the text\n");
  definition.source = "";
  definition.header = "\n\n threadgroup float s[2];";
  definition.header_file = "h.metal";
  const auto other = generate_cpu(definition, specialize({}, {float32}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().details().user_file, "h.metal");
  EXPECT_EQ(other.error().details().line, 3);
}

TEST(Generator, IsPure) {
  const KernelDefinition definition = define({"x"}, {"y"}, "y[0] = x[0];");
  const Specialization s = specialize({{float32, false, false}}, {float32}, {{"N", 1234567}});
  const auto first = generate_cpu(definition, s);
  for (const char* locale : {"de_DE.UTF-8", "en_US.UTF-8", "C.UTF-8"})
    std::setlocale(LC_ALL, locale);
  const auto second = generate_cpu(KernelDefinition(definition), Specialization(s));
  std::setlocale(LC_ALL, "C");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->text, second->text);
  EXPECT_EQ(first->digest, digest_bytes(first->text));
  EXPECT_EQ(first->signature, second->signature);
  EXPECT_TRUE(contains(first->text, "<1234567>("));
}

TEST(Generator, BothFormsShareNameAndSignature) {
  const KernelDefinition definition =
      define({"x"}, {"y"}, "y[0] = x[x_shape[0] - 1] + thread_position_in_grid.x;");
  const Specialization s = specialize({{float16, false, false}}, {float32});
  const auto a = generate_metal(definition, s);
  const auto b = generate_cpu(definition, s);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->entry_name, b->entry_name);
  EXPECT_EQ(a->signature, b->signature);
  EXPECT_EQ(a->signature, *make_signature(definition, s));
}

}  // namespace
}  // namespace sprue
