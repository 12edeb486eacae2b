#include "kernel_file/kernel_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sprue {
namespace {

constexpr std::string_view kHead = R"(name = "scale"
inputs = ["x", "w"]
outputs = ["y"]
mutable_inputs = ["w"]
source = "y[0] = x[0];"
)";
constexpr std::string_view kCall = R"([[call]]
grid = [4]
threadgroup = [4, 1, 1]
[call.inputs]
x = { shape = [2, 3], dtype = "float16", fill = "normal", seed = 1 }
w = { value = 3, dtype = "uint8" }
[call.outputs]
y = { shape = [2], dtype = "float32" }
)";

std::string with_call(std::string_view call) { return std::string(kHead) + std::string(call); }

// `text` with one occurrence of `from` replaced.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto file = parse_kernel_file(text, "dir/k.toml");
  if (file) return "no error";
  EXPECT_EQ(file.error().details().user_file.empty(), false) << file.error().message();
  return file.error().message();
}

TEST(KernelFile, ReadsEverythingThatAKernelHas) {
  const auto file = parse_kernel_file(R"(
name = "scale rows"
dialect = "metal"
inputs = ["x", "w"]
outputs = ["y", "z"]
mutable_inputs = ["w"]
ensure_row_contiguous = false
atomic_outputs = true
math = "fast"
native = "quantized_matvec"
header = "constant int k = 3;"
source = '''
y[0] = k;
'''
[[call]]
name = "first"
grid = [7, 8, 9]
threadgroup = [2, 1]
init_value = -1
template = { Z = "bfloat16", A = -3, M = true }
[call.inputs]
w = { file = "data/w.npy" }
x = { shape = [0, 5], dtype = "int8", fill = "uniform" }
[call.outputs]
z = { shape = [], dtype = "bool" }
y = { shape = [2, 3], dtype = "float16", expect = "../y.npy", rtol = 1e-3, atol = 1 }
w = { expect = "w_after.npy" }
[[call]]
grid = [1]
threadgroup = [1]
inputs.x = { value = 1.5 }
inputs.w = { value = true }
outputs.y = { shape = [1], dtype = "uint64" }
outputs.z = { shape = [1], dtype = "uint64" }
)",
                                      "dir/k.toml");
  ASSERT_TRUE(file) << file.error().message();
  const KernelOptions& options = file->options;
  EXPECT_EQ(options.name, "scale rows");
  EXPECT_EQ(options.input_names, (std::vector<std::string>{"x", "w"}));
  EXPECT_EQ(options.output_names, (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(options.mutable_inputs, (std::vector<std::string>{"w"}));
  EXPECT_FALSE(options.ensure_row_contiguous);
  EXPECT_TRUE(options.atomic_outputs);
  EXPECT_EQ(options.math, MathMode::fast);
  EXPECT_EQ(options.source, "y[0] = k;\n");
  EXPECT_EQ(options.header, "constant int k = 3;");
  EXPECT_EQ(options.source_file, "dir/k.toml:source");
  EXPECT_EQ(options.header_file, "dir/k.toml:header");
  EXPECT_EQ(file->native, "quantized_matvec");
  EXPECT_EQ(file->path, "dir/k.toml");

  ASSERT_EQ(file->calls.size(), 2u);
  const CallSpec& first = file->calls[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.line, 15);
  EXPECT_EQ(first.grid, (Size3{7, 8, 9}));
  EXPECT_EQ(first.threadgroup, (Size3{2, 1, 1}));
  EXPECT_EQ(first.init_value, -1.0);
  // In order of appearance, not of the alphabet.
  ASSERT_EQ(first.template_arguments.size(), 3u);
  EXPECT_EQ(first.template_arguments[0].name, "Z");
  EXPECT_EQ(std::get<Dtype>(first.template_arguments[0].value), Dtype::bfloat16);
  EXPECT_EQ(first.template_arguments[1].name, "A");
  EXPECT_EQ(std::get<int>(first.template_arguments[1].value), -3);
  EXPECT_EQ(first.template_arguments[2].name, "M");
  EXPECT_EQ(std::get<bool>(first.template_arguments[2].value), true);
  // Arrays in the kernel's order.
  EXPECT_EQ(first.inputs[0].name, "x");
  const auto& filled = std::get<FilledInput>(first.inputs[0].content);
  EXPECT_EQ(filled.shape, (Shape{0, 5}));
  EXPECT_EQ(filled.dtype, Dtype::int8);
  EXPECT_EQ(filled.fill, Fill::uniform);
  EXPECT_EQ(filled.seed, 0u);
  EXPECT_EQ(std::get<FileInput>(first.inputs[1].content).path, "dir/data/w.npy");
  EXPECT_EQ(first.outputs[0].name, "y");
  EXPECT_EQ(first.outputs[0].expect, "y.npy");
  EXPECT_EQ(first.outputs[0].rtol, 1e-3);
  EXPECT_EQ(first.outputs[0].atol, 1.0);
  EXPECT_EQ(first.outputs[1].shape, Shape());
  ASSERT_EQ(first.mutated.size(), 1u);
  EXPECT_EQ(first.mutated[0].expect, "dir/w_after.npy");

  const CallSpec& second = file->calls[1];
  EXPECT_EQ(second.name, "call2");
  EXPECT_EQ(second.init_value, std::nullopt);
  EXPECT_EQ(std::get<Array>(second.inputs[0].content).item<float>(), 1.5f);
  EXPECT_EQ(std::get<Array>(second.inputs[1].content).item<bool>(), true);
}

TEST(KernelFile, TemplateArgumentsKeepTheirOrderInEveryWayOfWritingTables) {
  for (const std::string_view arguments :
       {"template = { C = 1, A = 2, B = 3 }", "template.C = 1\ntemplate.A = 2\ntemplate.B = 3",
        "[call.template]\nC = 1\nA = 2\nB = 3\n"}) {
    std::string call(kCall);
    const bool is_table = arguments.starts_with('[');
    call = is_table
               ? call + std::string(arguments)
               : replaced(call, "grid = [4]\n", "grid = [4]\n" + std::string(arguments) + "\n");
    const auto file = parse_kernel_file(with_call(call), "k.toml");
    ASSERT_TRUE(file) << file.error().message();
    std::string order;
    for (const TemplateArgument& one : file->calls[0].template_arguments) order += one.name;
    EXPECT_EQ(order, "CAB") << arguments;
  }
}

TEST(KernelFile, EachMistakeIsOneErrorWithItsLine) {
  struct Case {
    std::string_view from, to, error;
  };
  const std::string good = with_call(kCall);
  ASSERT_TRUE(parse_kernel_file(good, "k.toml"));
  for (const Case& one : std::vector<Case>{
           // Keys that don't exist, or not yet.
           {"name =", "nmae = 1\nname =", "k.toml:1: expected one of the keys name, inputs"},
           {"name =", "shared_memory = 4\nname =",
            "k.toml:1: expected 'shared_memory' beside dialect = \"cuda\" only"},
           {"name =", "include_folders = []\nname =", "k.toml:1: expected one of the keys"},
           {"name =", "dialect = \"opencl\"\nname =",
            "1: expected \"metal\" or \"cuda\" for 'dialect', got 'opencl'"},
           {"name =", "shared_memory = -4\nname =", "1: expected an integer"},
           {"grid = [4]", "grid = [4]\nsize = { M = 3 }",
            "k.toml:8: expected one of the keys name, sizes, grid, threadgroup, init_value, "
            "template, bytes, ops, inputs, outputs, got 'size'"},
           {"seed = 1", "sede = 1", "k.toml:10: expected one of the keys"},
           {"value = 3", "value = 3, seed = 1",
            "k.toml:11: expected one of the keys value, dtype, got"},
           {"\"float32\" }", "\"float32\", ulp = 3 }", "k.toml:13: expected one of the keys"},
           // Missing keys.
           {"name = \"scale\"", "", "k.toml:1: expected a key 'name', got none"},
           {"outputs = [\"y\"]", "", "k.toml:1: expected a key 'outputs', got none"},
           {"source = \"y[0] = x[0];\"", "", "expected a key 'source' or 'source_file', got none"},
           {"grid = [4]", "", "k.toml:6: expected a key 'grid', got none"},
           {"threadgroup = [4, 1, 1]", "", "k.toml:6: expected a key 'threadgroup', got none"},
           {"shape = [2, 3], ", "", "k.toml:10: expected a key 'shape', got none"},
           {"shape = [2], ", "", "k.toml:13: expected a key 'shape', got none"},
           {", dtype = \"float32\"", "", "k.toml:13: expected a key 'dtype', got none"},
           {"x = { shape", "q = { shape",
            "k.toml:10: expected an input of the kernel (x, w), got 'q'"},
           {"w = { value = 3, dtype = \"uint8\" }", "",
            "k.toml:6: expected input 'w' in 'call.inputs'"},
           {"y = { shape = [2], dtype = \"float32\" }", "",
            "k.toml:6: expected output 'y' in 'call.outputs', got none"},
           {"y = { shape", "x = { shape",
            "13: expected an output or mutable input of the kernel (y, w)"},
           // Wrong types and values.
           {"name = \"scale\"", "name = 3", "k.toml:1: expected a string for 'name', got 3"},
           {"[\"x\", \"w\"]", "[\"x\", 4]",
            "k.toml:2: expected an array of strings for 'inputs', got 4"},
           {"[\"x\", \"w\"]", "\"x\"",
            "expected an array of strings for 'inputs', got the string 'x'"},
           {"name =", "math = \"slow\"\nname =",
            "expected safe, relaxed or fast for 'math', got 'slow'"},
           {"name =", "atomic_outputs = 1\nname =",
            "expected true or false for 'atomic_outputs', got 1"},
           {"grid = [4]", "grid = 4", "k.toml:7: expected an array of integers for 'grid', got 4"},
           {"grid = [4]", "grid = []", "k.toml:7: expected 1 to 3 integers for 'grid', got 0"},
           {"grid = [4]", "grid = [1,1,1,1]",
            "k.toml:7: expected 1 to 3 integers for 'grid', got 4"},
           {"grid = [4]", "grid = [0]",
            "7: expected integers from 1 to 2147483647 for 'grid', got 0"},
           {"grid = [4]", "grid = [-4]",
            "expected integers from 1 to 2147483647 for 'grid', got -4"},
           {"grid = [4]", "grid = [4.0]",
            "expected integers from 1 to 2147483647 for 'grid', got 4"},
           {"grid = [4]", "grid = [\"M*N\"]",
            "k.toml:7: expected a size (none), got 'M' in column 1 of 'M*N' (for 'grid')"},
           {"[4, 1, 1]", "[4, 0, 1]", "k.toml:8: expected integers from 1 to 2147483647"},
           {"[2, 3]", "[2, -3]", "k.toml:10: expected integers from 0 to"},
           {"[2, 3]", "[4294967296, 4294967296]",
            "k.toml:10: expected an array of at most 2^40 bytes"},
           {"[2, 3]", "[0, 4294967296, 4294967296]", "expected an array of at most 2^40 bytes"},
           {"\"float16\"", "\"float17\"",
            "10: expected a dtype such as float32 or int8, got 'float17'"},
           {"\"normal\"", "\"affine_weights\"",
            "10: expected zeros, ones, normal, uniform, arange or affine_int4 for 'fill', got "
            "'affine_weights'"},
           {"seed = 1", "seed = -1", "k.toml:10: expected an integer from 0"},
           {"\"float16\", fill", "\"int8\", fill",
            "k.toml:10: expected a floating dtype for fill 'normal'"},
           {", fill = \"normal\", seed = 1", "",
            "k.toml:10: expected exactly one of 'fill', 'file' and"},
           {"fill = \"normal\"", "fill = \"normal\", value = 3",
            "exactly one of 'fill', 'file' and 'value'"},
           {"value = 3", "value = 256",
            "k.toml:11: expected a value of uint8 for 'value', got 256"},
           {"value = 3", "value = -1", "k.toml:11: expected a value of uint8 for 'value', got -1"},
           {"value = 3", "value = 3.5",
            "k.toml:11: expected a value of uint8 for 'value', got 3.5"},
           {"value = 3", "value = true",
            "k.toml:11: expected a value of uint8 for 'value', got true"},
           {"grid = [4]", "grid = [4]\ntemplate = { T = \"flaot\" }",
            "k.toml:8: expected a dtype, a 32-bit integer, a boolean or a size (none) for the "
            "template "
            "argument 'T', got the string 'flaot'"},
           {"grid = [4]", "grid = [4]\ntemplate = { N = 2147483648 }",
            "for the template argument 'N'"},
           {"grid = [4]", "grid = [4]\ntemplate = { N = 1.5 }",
            "for the template argument 'N', got 1.5"},
           {"grid = [4]", "grid = [4]\ninit_value = \"0\"", "expected a number for 'init_value'"},
           {"\"float32\" }", "\"float32\", rtol = 1 }",
            "k.toml:13: expected 'expect' beside 'rtol'"},
           {"\"float32\" }", "\"float32\", expect = \"y.npy\", atol = -1 }",
            "k.toml:13: expected a finite 'atol' of at least 0, got -1"},
           {"\"float32\" }", "\"float32\", expect = \"y.npy\", rtol = nan }",
            "expected a finite 'rtol'"},
           {"\"float32\" }", "\"float32\" }\nw = { rtol = 1 }",
            "expected a key 'expect', got none"},
           {"source =", "source_file = \"x.metal\"\nsource =",
            "either 'source' or 'source_file', got both"},
           {"source = \"y[0] = x[0];\"", "source_file = \"none.metal\"", "k.toml:5: expected"},
           // Not TOML, or TOML meant to hurt.
           {"grid = [4]", "grid = [4", "k.toml:8: expected valid TOML, got an error in column"},
           {"name = \"scale\"", "name = \"scale\"\nname = \"b\"", "k.toml:2: expected valid TOML"},
           {"name =", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1\nname =",
            "k.toml:1: expected keys of at most 16 parts, got more"},
       }) {
    const std::string error = error_of(replaced(good, one.from, one.to));
    EXPECT_TRUE(error.starts_with("[kernel_file] dir/k.toml:")) << one.to << "\n" << error;
    EXPECT_NE(error.find(one.error), std::string::npos) << one.to << "\n" << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(KernelFile, NeedsACallAndDistinctNames) {
  EXPECT_NE(error_of(std::string(kHead)).find("expected at least one [[call]]"), std::string::npos);
  EXPECT_NE(error_of(with_call("call = 3")).find("expected an array of tables"), std::string::npos);
  EXPECT_NE(error_of(with_call("call = [3]")).find("expected a table for each"), std::string::npos);
  const std::string named = replaced(std::string(kCall), "grid", "name = \"default\"\ngrid");
  EXPECT_NE(
      error_of(with_call(std::string(kCall) + named)).find("k.toml:14: expected a name of its"),
      std::string::npos);
}

TEST(KernelFile, DeeplyNestedTextIsAnErrorRatherThanARecursion) {
  std::string keys = "a";
  for (int i = 0; i < 200000; ++i) keys += ".a";
  EXPECT_NE(error_of(keys + " = 1").find("expected keys of at most"), std::string::npos);
  EXPECT_NE(error_of("[" + keys + "]").find("expected keys of at most"), std::string::npos);
  EXPECT_NE(error_of("x = " + std::string(100000, '[')).find("expected valid"), std::string::npos);
  // Dots inside strings and comments nest nothing, however the strings end.
  const std::string dots(40, '.');
  for (const std::string& text :
       {"'" + dots + "'", "\"\\\"" + dots + "\"", "'''" + dots + "'''", "'''" + dots + "'''''",
        "\"\"\"\"" + dots + "\"\"\"\"", "'' # " + dots}) {
    const auto file =
        parse_kernel_file(with_call(kCall) + "# " + dots + "\n[call.template]\n", "k.toml");
    EXPECT_TRUE(file);
    EXPECT_EQ(error_of("x = " + text + "\n").find("at most 16"), std::string::npos) << text;
    EXPECT_NE(
        error_of("x = " + text + "\n" + keys + " = 1").find(":2: expected keys of at most 16"),
        std::string::npos)
        << text;
  }
}

TEST(KernelFile, FindsCallsByName) {
  const auto file = parse_kernel_file(with_call(kCall), "k.toml");
  ASSERT_TRUE(file);
  EXPECT_EQ(*find_call(*file, "default"), &file->calls[0]);
  const auto missing = find_call(*file, "other");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(),
            "[kernel_file] expected a call of k.toml (default), got 'other'");
}

TEST(KernelFile, ReadsFilesBesideItself) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "sprue_kernel_file";
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "sub" / "body.metal") << "y[0] = 1;\n";
  std::ofstream(folder / "head.metal") << "// head\n";
  std::ofstream(folder / "sub" / "k.toml")
      << replaced(with_call(kCall), "source = \"y[0] = x[0];\"",
                  "source_file = \"body.metal\"\nheader_file = \"../head.metal\"");
  const auto file = read_kernel_file((folder / "sub" / "k.toml").string());
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->options.source, "y[0] = 1;\n");
  EXPECT_EQ(file->options.header, "// head\n");
  EXPECT_EQ(file->options.source_file, (folder / "sub" / "body.metal").string());
  EXPECT_EQ(file->options.header_file, (folder / "head.metal").string());
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(read_kernel_file((folder / "sub" / "k.toml").string()));
  EXPECT_FALSE(read_kernel_file(testing::TempDir()));
}

TEST(KernelFile, ValuesFollowPythonWithoutADtypeAndRoundWithOne) {
  const auto value = [](std::string_view text) {
    const auto file = parse_kernel_file(
        replaced(with_call(kCall), "{ value = 3, dtype = \"uint8\" }", text), "k.toml");
    EXPECT_TRUE(file) << file.error().message();
    return std::get<Array>(file->calls[0].inputs[1].content);
  };
  EXPECT_EQ(value("{ value = 7 }").item<int32_t>(), 7);
  EXPECT_EQ(value("{ value = 0.1 }").item<float>(), 0.1f);
  EXPECT_EQ(value("{ value = false }").item<bool>(), false);
  EXPECT_EQ(value("{ value = -5, dtype = \"int64\" }").item<int64_t>(), -5);
  EXPECT_EQ(value("{ value = 7, dtype = \"float64\" }").item<double>(), 7.0);
  EXPECT_EQ(value("{ value = 65519.0, dtype = \"float16\" }").item<Float16>().bits, 0x7bff);
  EXPECT_EQ(value("{ value = -inf, dtype = \"bfloat16\" }").item<BFloat16>().bits, 0xff80);
  EXPECT_EQ(value("{ value = 2, dtype = \"complex64\" }").item<std::complex<float>>(), 2.0f);
  for (const std::string_view beyond :
       {"{ value = 65520.0, dtype = \"float16\" }", "{ value = 1e39 }", "{ value = 2147483648 }",
        "{ value = 3.4e38, dtype = \"float16\" }", "{ value = 1, dtype = \"bool\" }"}) {
    const std::string text = replaced(with_call(kCall), "{ value = 3, dtype = \"uint8\" }", beyond);
    EXPECT_NE(error_of(text).find("expected a value of"), std::string::npos) << beyond;
  }
}

TEST(KernelFile, MakesTheCall) {
  const auto file = parse_kernel_file(with_call(kCall), "k.toml");
  ASSERT_TRUE(file);
  const auto call = make_call(*file, file->calls[0]);
  ASSERT_TRUE(call) << call.error().message();
  ASSERT_EQ(call->inputs.size(), 2u);
  EXPECT_EQ(call->inputs[0].shape(), (Shape{2, 3}));
  EXPECT_EQ(call->inputs[0].dtype(), Dtype::float16);
  EXPECT_EQ(call->inputs[1].item<uint8_t>(), 3);
  EXPECT_EQ(call->grid, (Size3{4, 1, 1}));
  EXPECT_EQ(call->output_shapes[0], Shape{2});
  EXPECT_EQ(call->output_dtypes[0], Dtype::float32);
  // The seed decides the content, not the call.
  EXPECT_EQ(digest(call->inputs[0]), digest(make_call(*file, file->calls[0])->inputs[0]));
}

TEST(KernelFile, AMissingArrayFileIsNamedWithItsLine) {
  const auto file = parse_kernel_file(
      replaced(with_call(kCall), "{ value = 3, dtype = \"uint8\" }", "{ file = \"none.npy\" }"),
      "dir/k.toml");
  ASSERT_TRUE(file);
  const auto call = make_call(*file, file->calls[0]);
  ASSERT_FALSE(call);
  EXPECT_TRUE(call.error().message().starts_with("[kernel_file] dir/k.toml:11: "));
  EXPECT_NE(call.error().message().find("dir/none.npy"), std::string::npos)
      << call.error().message();
}

}  // namespace
}  // namespace sprue
