#include <gtest/gtest.h>

#include <limits>

#include "kernel_file/kernel_file.h"

namespace sprue {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

// Line 6 is [[call]], 7 sizes, 8 grid, 9 threadgroup, 10 template, 12 and 13 inputs, 15 the output.
constexpr std::string_view kText = R"toml(name = "scale"
inputs = ["x", "w"]
outputs = ["y"]
source = "y[0] = x[0];"
bytes = "M*N*4"
[[call]]
sizes = { M = 8, N = "M * 16", W = "N / M" }
grid = ["M*N", "W", 1]
threadgroup = ["min(M*N, 256)", 1]
template = { T = "float16", N = "N", K = "-ceildiv(N, 3)", F = true, I = 5 }
[call.inputs]
x = { shape = ["M", "N", 2], dtype = "float16", fill = "normal" }
w = { value = "M - 3" }
[call.outputs]
y = { shape = ["M + 1"], dtype = "float32" }
)toml";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kText);
  const size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

KernelFile parsed(std::string_view text, const ReadOptions& how = {}) {
  auto file = parse_kernel_file(text, "k.toml", how);
  EXPECT_TRUE(file) << file.error().message();
  return file ? std::move(*file) : KernelFile();
}

std::string error_of(const std::string& text, const ReadOptions& how = {}) {
  const auto file = parse_kernel_file(text, "k.toml", how);
  return file ? "no error" : file.error().message();
}

TEST(Sizes, StandWhereverAnExtentIsNeeded) {
  const KernelFile file = parsed(kText);
  ASSERT_EQ(file.calls.size(), 1u);
  const CallSpec& call = file.calls[0];
  EXPECT_EQ(call.sizes, (Sizes{{"M", 8}, {"N", 128}, {"W", 16}}));
  EXPECT_EQ(call.grid, (Size3{1024, 16, 1}));
  EXPECT_EQ(call.threadgroup, (Size3{256, 1, 1}));
  ASSERT_EQ(call.template_arguments.size(), 5u);
  EXPECT_EQ(std::get<Dtype>(call.template_arguments[0].value), Dtype::float16);
  EXPECT_EQ(std::get<int>(call.template_arguments[1].value), 128);
  EXPECT_EQ(std::get<int>(call.template_arguments[2].value), -43);
  EXPECT_EQ(std::get<bool>(call.template_arguments[3].value), true);
  EXPECT_EQ(std::get<int>(call.template_arguments[4].value), 5);
  EXPECT_EQ(std::get<FilledInput>(call.inputs[0].content).shape, (Shape{8, 128, 2}));
  const auto& value = std::get<Array>(call.inputs[1].content);
  EXPECT_EQ(value.item<int32_t>(), 5);
  EXPECT_EQ(call.outputs[0].shape, Shape{9});
  EXPECT_EQ(call.bytes, 4096);
  EXPECT_EQ(call.ops, std::nullopt);
  const auto made = make_call(file, call);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->inputs[0].shape(), (Shape{8, 128, 2}));
}

TEST(Sizes, ValuesTakeTheirDtypeAsPlainIntegersDo) {
  const auto value = [](std::string_view text) {
    return std::get<Array>(
        parsed(replaced("{ value = \"M - 3\" }", text)).calls[0].inputs[1].content);
  };
  EXPECT_EQ(value("{ value = \"-M\", dtype = \"int64\" }").item<int64_t>(), -8);
  EXPECT_EQ(value("{ value = \"255\", dtype = \"uint8\" }").item<uint8_t>(), 255);
  EXPECT_EQ(value("{ value = \"M / 3\", dtype = \"float32\" }").item<float>(), 2.0f);
  EXPECT_EQ(value("{ value = \"M\", dtype = \"bfloat16\" }").item<BFloat16>().bits, 0x4100);
}

TEST(Sizes, BytesAndOpsOfACallWinOverTheFiles) {
  const std::string text = replaced("bytes = \"M*N*4\"", "bytes = \"M*N*4\"\nops = 7") + R"([[call]]
sizes.M = 3
grid = [1]
threadgroup = [1]
bytes = 0
ops = "M * 2"
inputs.x = { value = 1 }
inputs.w = { value = 1 }
outputs.y = { shape = [1], dtype = "uint64" }
)";
  const KernelFile file = parsed(text);
  ASSERT_EQ(file.calls.size(), 2u);
  EXPECT_EQ(file.calls[0].bytes, 4096);
  EXPECT_EQ(file.calls[0].ops, 7);
  EXPECT_EQ(file.calls[1].bytes, 0);  // the file's expression has an N that this call lacks
  EXPECT_EQ(file.calls[1].ops, 6);
  EXPECT_EQ(file.calls[1].sizes, (Sizes{{"M", 3}}));
}

TEST(Sizes, OverridesReachWhatIsDerivedFromThem) {
  const KernelFile file = parsed(kText, {.sizes = {{"M", 2}}});
  const CallSpec& call = file.calls[0];
  EXPECT_EQ(call.sizes, (Sizes{{"M", 2}, {"N", 32}, {"W", 16}}));
  EXPECT_EQ(call.grid, (Size3{64, 16, 1}));
  EXPECT_EQ(call.bytes, 256);
  // A derived size may be given itself, whatever its expression would do.
  EXPECT_EQ(parsed(kText, {.sizes = {{"W", 3}, {"N", 100}}}).calls[0].sizes,
            (Sizes{{"M", 8}, {"N", 100}, {"W", 3}}));
  EXPECT_EQ(parsed(kText, {.sizes = {{"M", 0x10}, {"N", 1}, {"W", 1}}}).calls[0].sizes,
            (Sizes{{"M", 16}, {"N", 1}, {"W", 1}}));
  EXPECT_EQ(parsed(replaced("N / M", "N / 0"), {.sizes = {{"W", 3}}}).calls[0].sizes[2].second, 3);
  // In every call that has it, and only there.
  const std::string two = std::string(kText) + R"([[call]]
grid = [1]
threadgroup = [1]
bytes = 0
inputs.x = { value = 1 }
inputs.w = { value = 1 }
outputs.y = { shape = [1], dtype = "uint64" }
[[call]]
sizes = { M = 5, N = 6, Q = "M" }
grid = ["Q"]
threadgroup = [1]
inputs.x = { value = 1 }
inputs.w = { value = 1 }
outputs.y = { shape = [1], dtype = "uint64" }
)";
  const KernelFile three = parsed(two, {.sizes = {{"M", 2}}});
  ASSERT_EQ(three.calls.size(), 3u);
  EXPECT_EQ(three.calls[0].grid.x, 64);
  EXPECT_EQ(three.calls[1].sizes, Sizes());
  EXPECT_EQ(three.calls[2].sizes, (Sizes{{"M", 2}, {"N", 6}, {"Q", 2}}));
  EXPECT_EQ(three.calls[2].grid.x, 2);
  EXPECT_EQ(error_of(two, {.sizes = {{"M", 2}, {"K", 2}}}),
            "[kernel_file] expected a size of the calls of k.toml (M, N, W, Q), got 'K'");
}

TEST(Sizes, OverridesThatDoNothingOrTooMuchAreErrors) {
  EXPECT_EQ(error_of(std::string(kText), {.sizes = {{"K", 1}}}),
            "[kernel_file] expected a size of the calls of k.toml (M, N, W), got 'K'");
  EXPECT_EQ(error_of(std::string(kText), {.sizes = {{"M", 1}, {"M", 2}}}),
            "[kernel_file] expected one value for the size 'M' of k.toml, got 1 and 2");
  // N is negative too, so the grid isn't.
  EXPECT_EQ(error_of(std::string(kText), {.sizes = {{"M", -1}}}),
            "[kernel_file] k.toml:12: expected integers from 0 to 9223372036854775807 for 'shape', "
            "got 'M' = -1");
  EXPECT_EQ(error_of(std::string(kText), {.sizes = {{"M", 0}}}),
            "[kernel_file] k.toml:7: expected a divisor other than 0, got 0 / 0 in column 3 of "
            "'N / M' (for the size 'W')");
}

TEST(Sizes, EachMistakeIsOneErrorWithItsLine) {
  struct Case {
    std::string_view from, to, error;
  };
  for (const Case& one : std::vector<Case>{
           // The sizes themselves.
           {"M = 8", "M = 8.0", "7: expected an integer or an expression for the size 'M', got 8"},
           {"M = 8", "M = true", "7: expected an integer or an expression for the size 'M'"},
           {"M = 8", "M = [8]", "7: expected an integer or an expression for the size 'M'"},
           {"M = 8", "float16 = 8", "7: expected a name for the size that is an identifier"},
           {"M = 8", "min = 8", "no dtype and no function, got 'min'"},
           {"M = 8", "ceildiv = 8", "no dtype and no function, got 'ceildiv'"},
           {"M = 8", "\"a b\" = 8", "no dtype and no function, got 'a b'"},
           {"M = 8", "a-b = 8", "no dtype and no function, got 'a-b'"},
           {"M = 8", "8 = 8", "no dtype and no function, got '8'"},
           {"M = 8", "M = \"N\"", "7: expected a size (none), got 'N' in column 1 of 'N'"},
           {"\"N / M\"", "\"W\"", "7: expected a size (M, N), got 'W' in column 1 of 'W' (for the"},
           {"\"N / M\"", "\"\"", "7: expected a number, a size, '-' or '(', got the end"},
           {"sizes = { M = 8, N = \"M * 16\", W = \"N / M\" }", "sizes = 3",
            "7: expected a table for 'sizes', got 3"},
           // Where they are used: the checks of plain integers, with the expression and its value.
           {"[\"M*N\"", "[\"M*K\"", "8: expected a size (M, N, W), got 'K' in column 3 of 'M*K'"},
           {"[\"M*N\"", "[\"M-8\"",
            "8: expected integers from 1 to 2147483647 for 'grid', got 'M-8' = 0"},
           {"[\"M*N\"", "[\"M*N*2147483647\"",
            "8: expected integers from 1 to 2147483647 for 'grid', got 'M*N*2147483647' = "
            "2199023254528"},
           {"[\"M*N\"", "[true", "8: expected integers from 1 to 2147483647 for 'grid', got true"},
           {"[\"M*N\", \"W\", 1]", "\"M\"", "8: expected an array of integers for 'grid'"},
           {"\"min(M*N, 256)\"", "\"min(M*N)\"",
            "9: expected two arguments of 'min', got 1 in column 1 of 'min(M*N)' (for "
            "'threadgroup')"},
           {"[\"M\", \"N\", 2]", "[\"M\", \"-N\", 2]",
            "12: expected integers from 0 to 9223372036854775807 for 'shape', got '-N' = -128"},
           {"[\"M\", \"N\", 2]", "[\"M*1000000000000\"]",
            "12: expected an array of at most 2^40 bytes, got shape (8000000000000,)"},
           {"[\"M + 1\"]", "[\"M +\"]", "15: expected a number, a size, '-' or '(', got the end"},
           {"\"float16\", N", "\"flaot\", N",
            "10: expected a dtype, a 32-bit integer, a boolean or a size (M, N, W) for the "
            "template argument 'T', got the string 'flaot'"},
           {"N = \"N\"", "N = \"N * \"",
            "10: expected a number, a size, '-' or '(', got the end in "
            "column 5 of 'N * ' (for the template argument 'N')"},
           {"N = \"N\"", "N = \"N*16777216\"",
            "for the template argument 'N', got 'N*16777216' = "
            "2147483648"},
           {"\"M - 3\"", "\"M - Q\"", "13: expected a size (M, N, W), got 'Q' in column 5"},
           {"\"M - 3\"", "\"-M\", dtype = \"uint8\"",
            "13: expected a value of uint8 for 'value', got '-M' = -8"},
           {"\"M - 3\"", "\"M*1000000000\"",
            "13: expected a value of int32 for 'value', got 'M*1000000000' = 8000000000"},
           {"\"M - 3\"", "\"M\", dtype = \"bool\"",
            "13: expected a value of bool for 'value', got 'M' = 8"},
           // bytes and ops, of the file and of the call.
           {"\"M*N*4\"", "\"K\"",
            "5: expected a size (M, N, W), got 'K' in column 1 of 'K' (for 'bytes' of call "
            "'default')"},
           {"\"M*N*4\"", "-1",
            "5: expected an integer or an expression of at least 0 for 'bytes' of call 'default', "
            "got -1"},
           {"\"M*N*4\"", "\"M-9\"", "of at least 0 for 'bytes' of call 'default', got 'M-9' = -1"},
           {"\"M*N*4\"", "4.5", "5: expected an integer or an expression of at least 0"},
           {"sizes =", "ops = \"-W\"\nsizes =",
            "7: expected an integer or an expression of at least 0 for 'ops' of call 'default', "
            "got "
            "'-W' = -16"},
           {"sizes =", "bytes = []\nsizes =", "7: expected an integer or an expression"},
       }) {
    const std::string error = error_of(replaced(one.from, one.to));
    EXPECT_TRUE(error.starts_with("[kernel_file] k.toml:")) << one.to << "\n" << error;
    EXPECT_NE(error.find(one.error), std::string::npos) << one.to << "\n" << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(Sizes, AreBoundedInNumber) {
  const auto with = [](int count) {
    std::string sizes = "sizes = { M = 8, N = \"M * 16\", W = \"N / M\"";
    for (int i = 3; i < count; ++i) sizes += ", s" + std::to_string(i) + " = 1";
    return replaced("sizes = { M = 8, N = \"M * 16\", W = \"N / M\"", sizes);
  };
  EXPECT_EQ(parsed(with(64)).calls[0].sizes.size(), 64u);
  EXPECT_NE(error_of(with(65)).find("k.toml:7: expected at most 64 sizes"), std::string::npos);
}

TEST(Sizes, TheLargestIntegersPass) {
  const std::string text =
      replaced("{ value = \"M - 3\" }", "{ value = \"9223372036854775807\", dtype = \"int64\" }");
  EXPECT_EQ(std::get<Array>(parsed(text).calls[0].inputs[1].content).item<int64_t>(), kLargest);
  EXPECT_EQ(parsed(replaced("\"M*N*4\"", "9223372036854775807")).calls[0].bytes, kLargest);
}

TEST(ReadOptions, TextsComeThroughTheHookAndItsErrorsGetALine) {
  std::vector<std::pair<std::string, uint64_t>> asked;
  ReadOptions how;
  how.read_text = [&](const std::string& path, uint64_t limit) -> Result<std::string> {
    asked.emplace_back(path, limit);
    if (path == "old/sub/k.toml") {
      return replaced("source = \"y[0] = x[0];\"",
                      "source_file = \"body.metal\"\nheader_file = \"../head.metal\"");
    }
    if (path == "old/sub/body.metal") return "y[0] = 1;";
    if (path == "old/head.metal") return "// head";
    return fail(ErrorCode::not_found, "revision", "expected {} in the revision, got none", path);
  };
  const auto file = read_kernel_file("old/sub/k.toml", how);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->options.source, "y[0] = 1;");
  EXPECT_EQ(file->options.header, "// head");
  EXPECT_EQ(file->options.source_file, "old/sub/body.metal");
  ASSERT_EQ(asked.size(), 3u);
  for (const auto& [path, limit] : asked) EXPECT_EQ(limit, uint64_t{16} << 20) << path;

  const auto missing = read_kernel_file("other.toml", how);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(), "[revision] expected other.toml in the revision, got none");
  const auto without_body = parse_kernel_file(
      replaced("source = \"y[0] = x[0];\"", "source_file = \"none.metal\""), "old/k.toml", how);
  ASSERT_FALSE(without_body);
  EXPECT_EQ(without_body.error().message(),
            "[kernel_file] old/k.toml:4: expected old/none.metal in the revision, got none");
  EXPECT_EQ(without_body.error().code(), ErrorCode::not_found);

  const auto with_headers = parse_kernel_file(
      replaced("source = \"y[0] = x[0];\"", "source = \"y[0] = x[0];\"\ninclude_dirs = [\"i\"]"),
      "old/k.toml", how);
  ASSERT_FALSE(with_headers);
  EXPECT_TRUE(with_headers.error().message().starts_with(
      "[kernel_file] old/k.toml:5: expected no 'include_dirs'"))
      << with_headers.error().message();
}

}  // namespace
}  // namespace sprue
