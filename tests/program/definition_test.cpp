#include "program/definition.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "program/identifier.h"
#include "program/signature.h"

namespace sprue {
namespace {

KernelOptions good() {
  return {.name = "scale",
          .input_names = {"x", "factor"},
          .output_names = {"y"},
          .source = "y[0] = x[0];"};
}

std::string error_of(const KernelOptions& options) {
  const auto definition = make_definition(options, "metal_kernel");
  return definition ? "" : definition.error().what();
}

TEST(MakeDefinition, KeepsEveryOption) {
  KernelOptions options = good();
  options.header = "constant float k = 1;";
  options.ensure_row_contiguous = false;
  options.atomic_outputs = true;
  options.mutable_inputs = {"x"};
  options.math = MathMode::relaxed;
  options.source_file = "a.metal";
  const auto definition = make_definition(options, "metal_kernel");
  ASSERT_TRUE(definition) << definition.error().what();
  EXPECT_EQ(definition->name, "scale");
  EXPECT_EQ(definition->input_names, options.input_names);
  EXPECT_EQ(definition->output_names, options.output_names);
  EXPECT_EQ(definition->source, options.source);
  EXPECT_EQ(definition->header, options.header);
  EXPECT_FALSE(definition->ensure_row_contiguous);
  EXPECT_TRUE(definition->atomic_outputs);
  EXPECT_EQ(definition->math, MathMode::relaxed);
  EXPECT_EQ(definition->source_file, "a.metal");
  EXPECT_EQ(definition->header_file, "scale.header.metal");
  EXPECT_TRUE(definition->is_mutable(0));
  EXPECT_FALSE(definition->is_mutable(1));
}

TEST(MakeDefinition, AcceptsWhatRealKernelsUse) {
  KernelOptions options = good();
  options.input_names = {"X", "A_log", "T", "B", "_private", "x1", "vec", "min", "data", "index"};
  options.output_names = {"out", "state_out"};
  options.name = "größe <3> / a.b";  // any text is a label
  options.source = "// an em dash \xe2\x80\x94 in a comment\nout[0] = 1;";
  EXPECT_EQ(error_of(options), "");
  options.name = std::string(1000, 'n');
  EXPECT_EQ(error_of(options), "");
  options.input_names.clear();
  EXPECT_EQ(error_of(options), "");
}

TEST(MakeDefinition, RefusesReservedWordsInBothLists) {
  const std::set<std::string> words = {
      "int",      "float",   "half",     "bfloat",        "uint",      "uint3",       "half4",
      "float2",   "bool",    "uchar2",   "packed_float3", "float16_t", "bfloat16_t",  "complex64_t",
      "int64_t",  "size_t",  "atomic",   "device",        "constant",  "threadgroup", "thread",
      "kernel",   "vertex",  "fragment", "return",        "for",       "class",       "template",
      "requires", "and",     "true",     "nullptr",       "INFINITY",  "NAN",         "__x",
      "sprue_x",  "SPRUE_TG"};
  for (const std::string& word : words) {
    KernelOptions options = good();
    options.input_names[1] = word;
    EXPECT_NE(
        error_of(options).find("expected a free identifier as input name, got '" + word + "'"),
        std::string::npos)
        << word << ": " << error_of(options);
    options = good();
    options.output_names = {word};
    EXPECT_NE(error_of(options).find("output name, got '" + word + "'"), std::string::npos) << word;
  }
}

TEST(MakeDefinition, RefusesEveryAttributeWord) {
  for (int i = 0; i < kAttributeCount; ++i) {
    KernelOptions options = good();
    options.input_names[0] = attribute_traits(static_cast<Attribute>(i)).name;
    EXPECT_NE(error_of(options).find("thread attribute of that name"), std::string::npos)
        << options.input_names[0];
  }
}

TEST(MakeDefinition, EachFaultHasItsError) {
  struct Case {
    std::function<void(KernelOptions&)> spoil;
    std::string_view message;
  };
  using O = KernelOptions;
  const Case cases[] = {
      {[](O& o) { o.name = ""; }, "expected a kernel name, got an empty one"},
      {[](O& o) { o.name = std::string(1001, 'n'); }, "at most 1000 bytes, got 1001"},
      {[](O& o) { o.name = "a\nb"; }, "expected a kernel name on one line, got 'a\\x0ab'"},
      {[](O& o) { o.name = std::string("a\0b", 3); }, "got 'a\\x00b'"},
      {[](O& o) { o.input_names[0] = "2x"; },
       "[metal_kernel] expected a C identifier as input name, got '2x'; "},
      {[](O& o) { o.input_names[0] = ""; }, "C identifier as input name, got ''"},
      {[](O& o) { o.input_names[0] = "a b"; }, "got 'a b'"},
      {[](O& o) { o.input_names[0] = "a\xc3\xa9"; }, "C identifier as input name"},
      {[](O& o) { o.input_names[0] = std::string("a\0", 2); }, "got 'a\\x00'"},
      {[](O& o) { o.input_names[0] = std::string(1001, 'i'); }, "at most 1000 bytes as input name"},
      {[](O& o) { o.output_names = {"y-z"}; }, "C identifier as output name, got 'y-z'"},
      {[](O& o) { o.output_names = {}; }, "expected at least one output name, got none"},
      {[](O& o) {
         o.input_names = {"x", "x"};
       },
       "distinct input and output names, got 'x' twice"},
      {[](O& o) {
         o.output_names = {"y", "y"};
       },
       "got 'y' twice"},
      {[](O& o) { o.output_names = {"x"}; }, "got 'x' twice"},
      {[](O& o) { o.mutable_inputs = {"y"}; },
       "expected the name of an input as mutable input, got 'y'; inputs: x, factor"},
      {[](O& o) {
         o.mutable_inputs = {"x", "x"};
       },
       "distinct mutable inputs, got 'x' twice"},
      {[](O& o) { o.source = std::string("a\0b", 3); },
       "text as source, got a NUL byte at offset 1"},
      {[](O& o) { o.header = std::string("\0", 1); }, "text as header, got a NUL byte at offset 0"},
      {[](O& o) { o.source = std::string((16u << 20) + 1, ' '); }, "bytes of source"},
      {[](O& o) { o.math = static_cast<MathMode>(99); }, "expected a math mode, got number 99"},
  };
  for (const Case& one : cases) {
    KernelOptions options = good();
    one.spoil(options);
    EXPECT_NE(error_of(options).find(one.message), std::string::npos)
        << "expected: " << one.message << "\ngot: " << error_of(options);
  }
}

TEST(MakeDefinition, NamesItsOriginFirst) {
  KernelOptions options = good();
  options.output_names.clear();
  const auto definition = make_definition(options, "precompiled_metal_kernel");
  ASSERT_FALSE(definition);
  EXPECT_EQ(std::string(definition.error().what()).find("[precompiled_metal_kernel] "), 0u);
  EXPECT_EQ(definition.error().code(), ErrorCode::invalid_argument);
}

TEST(Definition, OneFileNameForBothTextsBecomesTwo) {
  KernelOptions options = good();
  options.source_file = options.header_file = "a.metal";
  const auto definition = make_definition(options, "metal_kernel");
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->source_file, "a.metal");
  EXPECT_EQ(definition->header_file, "a.metal (header)");
  options.source_file = "scale.header.metal";
  options.header_file = "";
  EXPECT_EQ(make_definition(options, "metal_kernel")->header_file, "scale.header.metal (header)");
}

TEST(DefinitionDigest, DiffersWithEveryPartButTheFileNames) {
  const KernelDefinition base = *make_definition(good(), "metal_kernel");
  using D = KernelDefinition;
  const std::function<void(D&)> changes[] = {
      [](D& d) { d.name = "scale2"; },
      [](D& d) {
        d.input_names = {"x", "factors"};
      },
      [](D& d) { d.input_names = {"x"}; },
      [](D& d) {
        d.input_names = {"factor", "x"};
      },
      [](D& d) { d.output_names = {"z"}; },
      [](D& d) {
        d.output_names = {"y", "z"};
      },
      [](D& d) {
        d.input_names = {"x"}, d.output_names = {"factor", "y"};
      },
      [](D& d) { d.mutable_inputs = {"x"}; },
      [](D& d) { d.mutable_inputs = {"factor"}; },
      [](D& d) { d.source += " "; },
      [](D& d) { d.header = "\n"; },
      [](D& d) { d.header = d.source, d.source = ""; },
      [](D& d) { d.ensure_row_contiguous = false; },
      [](D& d) { d.atomic_outputs = true; },
      [](D& d) { d.math = MathMode::relaxed; },
      [](D& d) { d.math = MathMode::fast; },
  };
  std::set<std::string> seen = {base.digest().hex()};
  for (const auto& change : changes) {
    KernelDefinition changed = base;
    change(changed);
    EXPECT_TRUE(seen.insert(changed.digest().hex()).second) << seen.size();
  }
  KernelDefinition renamed = base;
  renamed.source_file = "elsewhere.metal";
  renamed.header_file = "elsewhere.h";
  EXPECT_EQ(renamed.digest(), base.digest());
}

TEST(MathModeNames, AreInverse) {
  for (MathMode mode : {MathMode::safe, MathMode::relaxed, MathMode::fast}) {
    MathMode back = MathMode::safe;
    ASSERT_TRUE(math_mode_from_name(math_mode_name(mode), back));
    EXPECT_EQ(back, mode);
  }
  MathMode untouched = MathMode::fast;
  EXPECT_FALSE(math_mode_from_name("precise", untouched));
  EXPECT_EQ(untouched, MathMode::fast);
}

TEST(ShownName, IsOneShortLine) {
  EXPECT_EQ(shown_name("a\tb\x7f"), "'a\\x09b\\x7f'");
  EXPECT_EQ(shown_name(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
}  // namespace sprue
