#include "dialect/prelude_parts.h"

#include <gtest/gtest.h>

#include "dialect/lowering.h"

namespace sprue {
namespace {

std::string definitions(std::string_view body, std::string_view header = "") {
  const TokenList body_list = lex(body), header_list = lex(header);
  const Code body_code(body_list), header_code(header_list);
  PreludeParts parts;
  parts.add(header_code);
  parts.add(body_code);
  const auto lowered = lower(body_code, body, TextRole::body);
  if (lowered) parts.add_swizzles(lowered->swizzles);
  return parts.definitions();
}
bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(PreludeParts, AreNoneForAKernelOfScalars) {
  for (std::string_view text :
       {"", "uint i = thread_position_in_grid.x; y[i] = sqrt(x[i]) + max(x[i], 0.5f);",
        "threadgroup float s[32]; s[thread_index_in_threadgroup] = x[0];",
        "uint n = threads_per_grid[0] * threadgroup_position_in_grid.y + grid_size.r;",
        "step += 1; float distance = 2; int length; y[i] = mix; rotate[i] = 3;", "// float4 v.xy",
        "float4x4 m; my_float4 v; double4 d; float5 w; vector v; int_4 n;",
        "#include <metal_stdlib>\nusing namespace metal;"})
    EXPECT_EQ(definitions(text), "") << text;
}

TEST(PreludeParts, HaveVectorsWhereOneIsNamed) {
  EXPECT_EQ(definitions("float4 v;"),
            "#define SPRUE_VECTOR_TYPES typedef vec<float, 4> float4;\n"
            "#define SPRUE_VECTOR_FUNCTIONS\n");
  EXPECT_EQ(definitions("", "half2 f(packed_uchar3 v);"),
            "#define SPRUE_VECTOR_TYPES typedef vec<uchar, 3, true> packed_uchar3; "
            "typedef vec<half, 2> half2;\n#define SPRUE_VECTOR_FUNCTIONS\n");
  for (std::string_view text :
       {"vec<T, N> v;", "uint3 p;", "f(thread_position_in_grid);", "auto p = grid_size + 1;",
        "n = thread_position_in_grid.xy[0];", "p.xyz;", "#define V float4\n"})
    EXPECT_TRUE(has(definitions(text), "SPRUE_VECTOR_TYPES")) << text;
}

TEST(PreludeParts, HaveTheOperatorsAndFunctionsOfTheText) {
  const std::string text = definitions("float4 v; v += 1; v = -v; v = exp(clamp(v, 0, 1)) >> 1;");
  for (std::string_view part :
       {"SPRUE_VECTOR_ARITHMETIC(+)", "SPRUE_VECTOR_SIGN(-)", "SPRUE_VECTOR_OF_ONE(exp)",
        "SPRUE_VECTOR_OF_THREE(clamp)", "SPRUE_VECTOR_SHIFT(>>)"})
    EXPECT_TRUE(has(text, part)) << part << text;
  for (std::string_view part : {"(*)", "(/)", "(%)", "(<<)", "(log)", "(max)", "(==)"})
    EXPECT_FALSE(has(text, part)) << part << text;
  EXPECT_TRUE(has(definitions("bool4 a; if (all(a >= b)) c;"), "SPRUE_VECTOR_COMPARISON(>=)"));
  EXPECT_TRUE(has(definitions("bool4 a = b and c;"), "SPRUE_VECTOR_LOGICAL(&&)"));
  EXPECT_TRUE(has(definitions("float3 v = normalize(w);"), "#define SPRUE_WITH_GEOMETRY\n"));
  EXPECT_TRUE(has(definitions("float3 v = normalize(w);"), "SPRUE_VECTOR_ARITHMETIC(*)"));
  EXPECT_TRUE(has(definitions("v.xy = 1;"), "#define SPRUE_WITH_ASSIGNABLE_SWIZZLES\n"));
  EXPECT_FALSE(has(definitions("a = v.xy;"), "ASSIGNABLE"));
}

TEST(PreludeParts, HaveTheHeadersOfTheFunctionsOfScalars) {
  EXPECT_EQ(definitions("n = popcount(3u);"), "#define SPRUE_WITH_INTEGERS\n");
  EXPECT_EQ(definitions("#define F popcount\n"), "#define SPRUE_WITH_INTEGERS\n");
  EXPECT_EQ(definitions("APPLY(popcount, 3);"), "#define SPRUE_WITH_INTEGERS\n");
  EXPECT_EQ(definitions("x = metal::mix(a, b, c);"), "#define SPRUE_WITH_COMMON\n");
  EXPECT_EQ(definitions("x = Limits<T>::max;"), "#define SPRUE_WITH_LIMITS\n");
  EXPECT_EQ(definitions("x = M_PI_H;"), "#define SPRUE_WITH_LIMITS\n");
  EXPECT_EQ(definitions("x = fast::exp(y);"), "#define SPRUE_WITH_ELEMENTARY\n");
  EXPECT_EQ(definitions("#define F pow\n"), "#define SPRUE_WITH_ELEMENTARY\n");
  EXPECT_EQ(definitions("x = ceildiv(n, 32);"), "#define SPRUE_WITH_HELPERS\n");
}

// Where the names can't be seen, nothing is left out.
TEST(PreludeParts, AreAllWhereTokensAreJoinedOrFilesIncluded) {
  const std::string all = definitions("#define T(n) float##n\n");
  for (std::string_view part :
       {"SPRUE_WITH_COMMON", "SPRUE_WITH_INTEGERS", "SPRUE_WITH_LIMITS", "SPRUE_WITH_HELPERS",
        "SPRUE_WITH_GEOMETRY", "SPRUE_WITH_ELEMENTARY", " bfloat3;", " packed_long2;",
        "OF_ONE(sin)", "SPRUE_VECTOR_select", "(^)"})
    EXPECT_TRUE(has(all, part)) << part;
  EXPECT_EQ(definitions("#include \"mine.h\"\n"), all);
}

}  // namespace
}  // namespace sprue
