#include "dialect/name_scan.h"

#include <gtest/gtest.h>

namespace sprue {
namespace {

bool uses(std::string_view body, const std::string& name = "grid_size") {
  const TokenList list = lex(body);
  const std::string names[] = {"a_shape", name, "other"};
  const std::vector<bool> used = scan_names(Code(list), names);
  return used[1];
}

TEST(NameScan, FindsUses) {
  for (std::string_view body :
       {"y[0] = grid_size.x;", "y[grid_size.x] = 1;", "f(a * grid_size);", "f(a, grid_size, b);",
        "uint n = w * grid_size;", "uint n = grid_size;", "uint n(grid_size.x);",
        "uint n{grid_size.x};", "if (a * grid_size) {}", "if (a & grid_size) b();",
        "while (grid_size > i) ++i;", "for (uint i = grid_size; i < 3; ++i) {}",
        "for (uint i = 0; i < grid_size; ++i) {}", "for (uint i = 0; i < n; i += grid_size) {}",
        "return grid_size;", "y = c ? a : grid_size;", "y = c ? grid_size : a;",
        "float2 v = float2{a * grid_size, 1};", "g({a * grid_size, 1});",
        "y = vec<uint, 2>{a * grid_size, b}.x;", "sizeof(grid_size);", "y = (uint)grid_size;",
        "switch (grid_size) { case 1: break; }", "case_ = grid_size;", "y[0] = -grid_size;",
        "auto f = [&] { return grid_size; };", "auto f = [grid_size] { return 1; };",
        "auto f = [n = grid_size] { return n; };", "#define N (grid_size.x)\ny[0] = N;",
        "#define N \\\n  grid_size\n", "y = a\\\n + grid_size;", "grid_\\\nsize;",
        "if (a) grid_size; else grid_size;", "a[b[grid_size]] = 1;", "x = *p + grid_size;",
        "uint a = 1, b = grid_size;", "uint a = f(b, grid_size), c;", "g<float, 3>(grid_size);",
        "#if A\ny = grid_size;\n#endif", "y = a < grid_size && grid_size > b;", "y = !grid_size;",
        "if constexpr (a & grid_size) {}", "do y = grid_size; while (0);",
        "y = reinterpret_cast<device T*>(x)[grid_size];", "y = \"grid_size\" + grid_size;",
        // The body's own name of another scope.
        "{ uint grid_size = 1; }\ny = grid_size;",
        "for (uint grid_size = 0; grid_size < 2; ++grid_size) {}\ny = grid_size;",
        "for (uint grid_size = 0; grid_size < 2; ++grid_size) z();\ny = grid_size;",
        "auto f = [](uint grid_size) { return grid_size; };\ny = f(grid_size);",
        "struct P { uint grid_size; };\ny = grid_size;",
        "#define F(grid_size) (grid_size)\ny = F(grid_size);",
        "y = grid_size;\n#define grid_size 4\n",
        "if (x) { uint grid_size = 1; } else { y = grid_size; }",
        "{ y = grid_size; uint grid_size = 1; }"})
    EXPECT_TRUE(uses(body)) << body;
}

TEST(NameScan, PassesOverWhatIsNoUse) {
  for (std::string_view body : {"",
                                "y = 1;",
                                "// grid_size",
                                "/* grid_size */",
                                "y = \"grid_size\";",
                                "y = R\"(grid_size)\";",
                                "grid_sizes = 1;",
                                "my_grid_size = 1;",
                                "GRID_SIZE;",
                                "p.grid_size = 1;",
                                "p->grid_size = 1;",
                                "P::grid_size;",
                                "::grid_size;",
                                "p . grid_size;",
                                "#if grid_size > 3\n#endif",
                                "#ifdef grid_size\n#endif",
                                "#pragma unroll(grid_size)\n",
                                "#if 0\ny = grid_size;\n#endif",
                                "P p = {.grid_size = 1};",
                                "goto grid_size; grid_size: y = 1;"})
    EXPECT_FALSE(uses(body)) << body;
}

TEST(NameScan, LeavesTheBodysOwnNamesToIt) {
  for (std::string_view body :
       {"uint grid_size = 4; y = grid_size;", "const uint grid_size = 4; y = grid_size;",
        "auto grid_size = 4; y = grid_size;", "uint grid_size; grid_size = 4;",
        "uint grid_size(4); y = grid_size;", "uint grid_size{4}; y = grid_size;",
        "uint3 grid_size[2]; y = grid_size[0];",
        "device const float* grid_size = x; y = *grid_size;",
        "thread T & grid_size = z; y = grid_size;",
        "threadgroup float grid_size[32]; y = grid_size[0];",
        "vec<uint, 3> grid_size = v; y = grid_size.x;",
        "metal::vec<uint, (3 > 2)> grid_size; y = grid_size.x;",
        "unsigned int grid_size = 4; y = grid_size;", "uint a = 1, grid_size = 2; y = grid_size;",
        "uint a[2] = {1, 2}, grid_size = 2; y = grid_size;",
        "uint a, *grid_size = p; y = *grid_size;", "constexpr int grid_size = 4; y = grid_size;",
        "T (&grid_size)[4] = z; y = grid_size[0];", "auto [grid_size, b] = f(); y = grid_size;",
        "using grid_size = float; grid_size g = 1;", "typedef float grid_size; grid_size g = 1;",
        "struct grid_size { int a; }; y = grid_size{1}.a;",
        "struct S { int a; } grid_size; y = grid_size.a;",
        "struct S { int a; } s, grid_size; y = grid_size.a;",
        "decltype(a) grid_size = a; y = grid_size;",
        "alignas(16) float grid_size[4]; y = grid_size[0];",
        "for (int grid_size = 0; grid_size < 4; ++grid_size) y[grid_size] = 1;",
        "for (int i = 0, grid_size = 4; i < grid_size; ++i) { y = grid_size; }",
        "for (int grid_size = 0; grid_size < 4; ++grid_size) for (;;) { y = grid_size; }",
        "for (auto grid_size : xs) { y = grid_size; }",
        "if (uint grid_size = f()) { y = grid_size; }",
        "auto f = [](uint grid_size) { return grid_size; };",
        "auto f = [&](float a, thread uint& grid_size) -> float { return grid_size; };",
        "auto f = [grid_size = 3] { return grid_size; };",
        "g([](uint grid_size) { return grid_size; }, 1);", "{ uint grid_size = 4; y = grid_size; }",
        "if (x) { uint grid_size = 4; { y = grid_size; } }",
        "struct P { uint grid_size; float f(uint b) { return grid_size; } };",
        "struct P { float f(uint grid_size) const { return grid_size; } };",
        "#define F(grid_size) ((grid_size) * 2)\ny = F(3);", "#define grid_size 4\ny = grid_size;",
        "#define DECLARE uint grid_size = 4\nDECLARE; y = grid_size;",
        "switch (x) { case 1: uint grid_size = 1; y = grid_size; }",
        "uint grid_size\n#if A\n = 4;\n#else\n = 5;\n#endif\ny = grid_size;",
        "#if A\nif (x) {\n#else\nif (z) {\n#endif\n}\nuint grid_size = 1; y = grid_size;",
        // Used and then declared in the outermost block: the parameter couldn't stand beside it.
        "y = grid_size; uint grid_size = 4;"})
    EXPECT_FALSE(uses(body)) << body;
}

TEST(NameScan, FindsEachNameAlone) {
  const std::vector<std::string> names = {
      "threads_per_threadgroup", "dispatch_threads_per_threadgroup", "a_shape", "data_shape"};
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string body = "y = " + names[i] + ";";
    const TokenList list = lex(body);
    const std::vector<bool> used = scan_names(Code(list), names);
    for (size_t k = 0; k < names.size(); ++k) EXPECT_EQ(used[k], i == k) << names[i] << names[k];
  }
}

TEST(NameScan, IsLinear) {
  for (std::string_view unit :
       {"a * ", "uint a, ", "{", "f(", "[](", "a<", "struct ", "const ", "uint a;", "a b,",
        "auto [a, ", "else ", "#define A {\n", "[a", "a,", "](a<b,"}) {
    std::string text;
    while (text.size() < 60'000) text += unit;
    EXPECT_FALSE(uses(text));
  }
}

}  // namespace
}  // namespace sprue
