// Damaged texts: nothing crashes, and what is lowered keeps every line's length.
#include <gtest/gtest.h>

#include <random>

#include "dialect/generator.h"
#include "dialect/lowering.h"
#include "dialect/name_scan.h"
#include "dialect/specialize.h"

namespace sprue {
namespace {

constexpr std::string_view kBodies[] = {
    R"(
    threadgroup float partial[32];
    threadgroup alignas(16) T tile[8][8 + 1], other;
    const uint lane = thread_index_in_simdgroup, row = threadgroup_position_in_grid.x;
    const device T* xr = x + row * size_t(x_shape[1]);
    thread float4 acc[2] = {float4(0), float4(0)};
    for (uint i = lane; i < uint(x_shape[1]); i += threads_per_simdgroup) {
      acc[0] += *(const device float4*)(xr + i);  // "quoted" and 'c'
    }
    float total = simd_sum(dot(acc[0], acc[1]));
    if (lane == 0) partial[simdgroup_index_in_threadgroup] = total;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup float* p = partial;
    if (row == 0) y[row] = p[0];
)",
    R"body(#define LOAD(i) (*(threadgroup float*)(&buffer[i]))
#if N > 4  // large
  threadgroup float buffer[N];
#else
  threadgroup float buffer[4];
#endif
  auto scale = [&](thread const float& v, uint grid_size) -> float { return v * grid_size; };
  constant int* shape = x_shape; /* the shape */
  y[thread_position_in_grid.x] = scale(LOAD(0), grid_size.x) + R"x(raw " text)x"[0];
)body",
};

constexpr std::string_view kSoup[] = {
    "threadgroup ",
    "device ",
    "constant ",
    "thread ",
    "const ",
    "kernel ",
    "float ",
    "T ",
    "x",
    "grid_size",
    "x_shape",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "*",
    "&",
    ",",
    ";",
    "=",
    ":",
    "::",
    ".",
    "->",
    "##",
    "#define A ",
    "#if 0",
    "#if A",
    "#else",
    "#endif",
    "\n",
    "\r\n",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "R\"(",
    ")\"",
    "alignas(16) ",
    "[[",
    "]]",
    "using ",
    "typedef ",
    "struct ",
    "auto ",
    "for (",
    "case ",
    "1.5f",
    "<:",
    "%>",
    "\xc3\xa9",
    "\xef\xbb\xbf",
    "?\?/\n",
    "#line 7 \"x\"\n",
    "%:",
    " ",
};

void check(const std::string& text) {
  const TokenList tokens = lex(text);
  const Code code(tokens);
  const std::string names[] = {"grid_size", "x_shape"};
  scan_names(code, names);
  for (TextRole role : {TextRole::body, TextRole::header}) {
    const auto lowered = lower(code, text, role);
    if (!lowered) {
      EXPECT_GE(lowered.error().line, 1u);
      EXPECT_GE(lowered.error().column, 1u);
      continue;
    }
    ASSERT_EQ(lowered->text.size(), text.size());
    for (size_t i = 0; i < text.size(); ++i) {
      const bool line_break = text[i] == '\n' || text[i] == '\r';
      ASSERT_TRUE(!line_break || lowered->text[i] == text[i]) << text;
    }
  }
}

TEST(Robustness, EveryTruncation) {
  for (std::string_view body : kBodies) {
    check(std::string(body));
    for (size_t size = 0; size < body.size(); ++size) {
      check(std::string(body.substr(0, size)));
      check(std::string(body.substr(size)));
    }
  }
}

TEST(Robustness, DamagedBytes) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text(kBodies[random() % std::size(kBodies)]);
    for (uint32_t n = random() % 4 + 1; n > 0; --n)
      text[random() % text.size()] = static_cast<char>(random());
    check(text);
  }
}

TEST(Robustness, TokenSoup) {
  std::mt19937 random(5);
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    for (uint32_t n = random() % 60; n > 0; --n) text += kSoup[random() % std::size(kSoup)];
    check(text);
  }
}

// The whole way: an error or a text, and no user text can end the function that holds it.
TEST(Robustness, GeneratorsTakeAnyBody) {
  std::mt19937 random(9);
  for (int i = 0; i < 500; ++i) {
    std::string body;
    for (uint32_t n = random() % 30; n > 0; --n) body += kSoup[random() % std::size(kSoup)];
    const KernelDefinition definition = test::define({"x"}, {"y"}, body);
    const Specialization specialization = test::specialize({{float32, false, false}}, {float32});
    const auto generated = generate_cpu(definition, specialization);
    if (!generated) continue;
    const TokenList tokens = lex(generated->text);
    EXPECT_FALSE(Code(tokens).error()) << generated->text;
  }
}

}  // namespace
}  // namespace sprue
