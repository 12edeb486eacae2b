#include <gtest/gtest.h>

#include <cmath>

#include "kernel_file/kernel_file.h"

namespace sprue {
namespace {

// The three stand among others, and [call.inputs] in another order than the kernel's. Line 11 is x,
// 12 the biases, 13 the weights, 14 the scales.
constexpr std::string_view kText = R"(name = "matvec"
inputs = ["x", "w", "scales", "biases"]
outputs = ["y"]
source = "y[0] = x[0];"
[[call]]
sizes = { M = 6, K = 128 }
grid = [1]
threadgroup = [1]
bytes = 1
[call.inputs]
x = { shape = ["K"], dtype = "float32", fill = "normal", seed = 4 }
biases = { shape = ["M", "K / 64"], dtype = "float16", fill = "affine_int4" }
w = { shape = ["M", "K / 8"], dtype = "uint32", fill = "affine_int4", seed = 1 }
scales = { shape = ["M", "K / 64"], dtype = "float16", fill = "affine_int4", seed = 2 }
[call.outputs]
y = { shape = ["M"], dtype = "float32" }
)";

std::string replaced(std::string text, std::string_view from, std::string_view to,
                     bool everywhere = false) {
  size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  do {
    text.replace(position, from.size(), to);
    position = text.find(from, position + to.size());
  } while (everywhere && position != std::string::npos);
  return text;
}

Result<KernelCall> made(const std::string& text) {
  SPRUE_ASSIGN(const KernelFile file, parse_kernel_file(text, "k.toml"));
  return make_call(file, file.calls[0]);
}

template <typename T>
void check_dequantized(std::string_view dtype) {
  SCOPED_TRACE(dtype);
  const auto call =
      made(replaced(std::string(kText), "\"float16\"", "\"" + std::string(dtype) + "\"", true));
  ASSERT_TRUE(call) << call.error().message();
  const Array &w = call->inputs[1], &scales = call->inputs[2], &biases = call->inputs[3];
  ASSERT_EQ(w.shape(), (Shape{6, 16}));
  ASSERT_EQ(scales.shape(), (Shape{6, 2}));
  int seen[16] = {};
  double sum = 0;
  for (int row = 0; row < 6; ++row) {
    for (int group = 0; group < 2; ++group) {
      const T scale = scales.data<T>()[row * 2 + group], bias = biases.data<T>()[row * 2 + group];
      const auto wide = static_cast<float>(scale);
      EXPECT_GE(wide, 1.0f / 128);
      EXPECT_LT(wide, 1.0f / 64);
      // Bit for bit: rounding the product to the dtype changes nothing.
      EXPECT_EQ(static_cast<float>(bias), -8 * wide);
      for (int i = 0; i < 64; ++i) {
        const uint32_t word = w.data<uint32_t>()[row * 16 + group * 8 + i / 8];
        const uint32_t q = word >> (4 * (i % 8)) & 15;
        ++seen[q];
        const float weight = wide * static_cast<float>(q) + static_cast<float>(bias);
        EXPECT_GT(weight, -0.125f);
        EXPECT_LT(weight, 7.0f / 64);
        EXPECT_EQ(weight == 0, q == 8);
        sum += static_cast<double>(weight);
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 20);  // of 768
  EXPECT_NEAR(sum / 768, -0.5 * 3 / 256, 0.006);      // the mean of q - 8, times that of the scales
}

TEST(AffineInt4, DequantizesToSmallCentredWeights) {
  check_dequantized<Float16>("float16");
  check_dequantized<BFloat16>("bfloat16");
  check_dequantized<float>("float32");
}

TEST(AffineInt4, RolesFollowTheKernelsOrderAndSeedsAreEachArraysOwn) {
  const auto file = parse_kernel_file(kText, "k.toml");
  ASSERT_TRUE(file) << file.error().message();
  const auto role = [&](size_t i) {
    return std::get<FilledInput>(file->calls[0].inputs[i].content);
  };
  EXPECT_EQ(role(0).fill, Fill::normal);
  EXPECT_EQ(role(1).fill, Fill::affine_weights);
  EXPECT_EQ(role(2).fill, Fill::affine_scales);
  EXPECT_EQ(role(3).fill, Fill::affine_biases);
  EXPECT_EQ(role(1).seed, 1u);
  EXPECT_EQ(role(2).seed, 2u);
  EXPECT_EQ(role(3).seed, 2u);
  const auto digests = [](const std::string& text) {
    const auto call = made(text);
    EXPECT_TRUE(call);
    std::vector<std::string> all;
    for (const Array& array : call->inputs) all.push_back(digest(array));
    return all;
  };
  const auto before = digests(std::string(kText));
  EXPECT_EQ(before, digests(std::string(kText)));
  const auto weights = digests(replaced(std::string(kText), "seed = 1", "seed = 7"));
  EXPECT_NE(weights[1], before[1]);
  EXPECT_EQ(weights[2], before[2]);
  EXPECT_EQ(weights[3], before[3]);
  const auto scales = digests(replaced(std::string(kText), "seed = 2", "seed = 7"));
  EXPECT_EQ(scales[1], before[1]);
  EXPECT_NE(scales[2], before[2]);
  EXPECT_NE(scales[3], before[3]);
  // Without seeds: the positions, as for every fill.
  const auto plain = digests(replaced(std::string(kText), ", seed = 2", ""));
  EXPECT_EQ(plain, before);  // the scales are input 2
}

TEST(AffineInt4, EachMistakeIsOneErrorWithItsLine) {
  struct Case {
    std::string_view from, to, error;
  };
  constexpr std::string_view kWeights = "dtype = \"uint32\", fill = \"affine_int4\", seed = 1";
  constexpr std::string_view kScales = "dtype = \"float16\", fill = \"affine_int4\", seed = 2";
  constexpr std::string_view kBiases = "dtype = \"float16\", fill = \"affine_int4\" }";
  for (const Case& one : std::vector<Case>{
           {kBiases, "dtype = \"float16\", fill = \"zeros\" }",
            "14: expected three inputs with fill 'affine_int4' (weights, scales, biases), got 2 "
            "('w', 'scales')"},
           {"fill = \"normal\"", "fill = \"affine_int4\"",
            "12: expected three inputs with fill 'affine_int4' (weights, scales, biases), got 4 "
            "('x', 'w', 'scales', 'biases')"},
           {kWeights, "dtype = \"uint32\", fill = \"uniform\", seed = 1",
            "12: expected three inputs with fill 'affine_int4' (weights, scales, biases), got 2 "
            "('scales', 'biases')"},
           {kWeights, "dtype = \"uint8\", fill = \"affine_int4\"",
            "13: expected uint32 for the weights of fill 'affine_int4', got uint8 for 'w'"},
           {kScales, "dtype = \"int8\", fill = \"affine_int4\"",
            "14: expected a floating dtype for the scales and biases of fill 'affine_int4', got "
            "int8 for 'scales'"},
           {kScales, "dtype = \"complex64\", fill = \"affine_int4\"",
            "14: expected a floating dtype"},
           {kBiases, "dtype = \"float32\", fill = \"affine_int4\" }",
            "12: expected float16 (6, 2) for the biases 'biases' as for the scales 'scales', got "
            "float32 (6, 2)"},
           {"biases = { shape = [\"M\", \"K / 64\"]", "biases = { shape = [\"M\", \"K / 32\"]",
            "12: expected float16 (6, 2) for the biases 'biases' as for the scales 'scales', got "
            "float16 (6, 4)"},
           {kBiases, "dtype = \"float16\", fill = \"affine_int4\", seed = 3 }",
            "12: expected no 'seed' for the biases 'biases', which are -8 times the scales "
            "'scales', got 3"},
           {kBiases, "dtype = \"float16\", fill = \"affine_biases\" }", "12: expected zeros, ones"},
       }) {
    const auto file = parse_kernel_file(replaced(std::string(kText), one.from, one.to), "k.toml");
    ASSERT_FALSE(file) << one.to;
    EXPECT_TRUE(
        file.error().message().starts_with("[kernel_file] k.toml:" + std::string(one.error)))
        << one.to << "\n"
        << file.error().message();
  }
}

}  // namespace
}  // namespace sprue
