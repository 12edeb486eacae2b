#include "dialect/swizzle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dialect/lowering.h"

namespace sprue {
namespace {

tl::expected<LoweredText, SourceError> lowered(std::string_view text,
                                               std::string_view header = "") {
  const TokenList list = lex(text), header_list = lex(header);
  const Code code(list), header_code(header_list);
  OwnMembers members;
  members.add(header_code);
  members.add(code);
  return lower(code, text, TextRole::body, members);
}
std::string lower_body(std::string_view text, std::string_view header = "") {
  const auto result = lowered(text, header);
  if (result) return result->text;
  return fmt::format("{}:{}: expected {}, got {}", result.error().line, result.error().column,
                     result.error().expected, result.error().got);
}

// Every swizzle: a name of its length, unique, whose definition says its components.
TEST(Swizzle, HasANameOfItsLengthForEveryCombination) {
  std::set<std::string> names;
  for (size_t size = 2; size <= 4; ++size)
    for (size_t code = 0; code < (1u << 2 * size); ++code)
      for (bool is_assigned : {false, true}) {
        std::string letters, colours, indices;
        for (size_t k = 0; k < size; ++k) {
          const size_t component = code >> 2 * k & 3;
          letters += "xyzw"[component];
          colours += "rgba"[component];
          indices += fmt::format("{}{}", k ? ", " : "", component);
        }
        const std::string name = swizzle_name(letters, is_assigned);
        EXPECT_EQ(name.size(), size) << letters;
        EXPECT_EQ(name[0], '_');
        EXPECT_TRUE(names.insert(name).second) << letters;
        EXPECT_EQ(swizzle_name(colours, is_assigned), name);
        EXPECT_EQ(swizzle_definition(name),
                  fmt::format("template {}<{}>()", is_assigned ? "place" : "swizzle", indices));
        EXPECT_EQ(is_assignable_swizzle(name), is_assigned);
      }
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(swizzle_name(std::string(1, "xyzw"[k]), false), std::string(1, "xyzw"[k]));
    EXPECT_EQ(swizzle_name(std::string(1, "rgba"[k]), true), std::string(1, "xyzw"[k]));
  }
}

TEST(Swizzle, IsOneToFourLettersOfOneAlphabet) {
  for (std::string_view name : {"x", "xy", "wwww", "zyx", "r", "gb", "abgr", "aaa"})
    EXPECT_TRUE(is_swizzle(name)) << name;
  for (std::string_view name : {"", "xg", "xyzwx", "v", "xY", "x1", "stp", "rgbx"})
    EXPECT_FALSE(is_swizzle(name)) << name;
}

// R: what is read; W: what is written to.
TEST(Swizzle, TellsReadingFromWriting) {
  const std::string xy = swizzle_name("xy", false), to_xy = swizzle_name("xy", true);
  const std::pair<std::string, std::string> cases[] = {
      {"a = v.R;", ""},
      {"v.W = a;", ""},
      {"v.W += a; v.W -= a; v.W *= a; v.W /= a; v.W %= a;", ""},
      {"v.W &= a; v.W |= a; v.W ^= a; v.W <<= a; v.W >>= a;", ""},
      {"v.W++; v.W--; ++v.W; --v.W;", ""},
      {"b = v.R == a || v.R <= a || v.R >= a || v.R != a || v.R >> 1;", ""},
      {"b = v.R > = a;", ""},  // no operator
      {"f(v.R, v.R[0], -v.R, *p.R)", ""},
      {"p->W = q->R;", ""},
      {"v.W[0] = 1; a = v.R[0];", ""},
      {"v[i].W = u[j].R; m.rows[3].W = g(x)[2].R;", ""},
      {"f(v)[1].W = 1; ++f(v)[1].W; a = ++b * v.R;", ""},
      {"++p->n[2].W; --(*q).W; ++ns::v.W;", ""},
      {"a++; v.R;", ""},
      {"return v.R; if (++n) v.R;", ""},
      {"v /* c */ . /* d */ W /* e */ = 1;", ""},
      {"#define SET(v, a) v.W = a\n#define GET(v) (v).R\nv", ""},
      {"#define X v.R\n= 1;", ""},  // the macro ends before the '='
      {"v.R ? a : v.R;", ""},
      {"a[v.R[0]] = 1;", ""},
  };
  for (const auto& [text, unused] : cases) {
    std::string metal, cpp;
    for (size_t k = 0; k < text.size(); ++k) {
      const bool stands_alone =
          k > 0 && !std::isalnum(static_cast<unsigned char>(text[k - 1])) &&
          (k + 1 == text.size() || !std::isalnum(static_cast<unsigned char>(text[k + 1])));
      const bool mark = (text[k] == 'R' || text[k] == 'W') && stands_alone;
      metal += mark ? "xy" : std::string(1, text[k]);
      cpp += mark ? (text[k] == 'W' ? to_xy : xy) : std::string(1, text[k]);
    }
    EXPECT_EQ(lower_body(metal), cpp);
  }
}

TEST(Swizzle, WritesThroughAChain) {
  const auto read = [](const char* name) { return swizzle_name(name, false); };
  const auto write = [](const char* name) { return swizzle_name(name, true); };
  EXPECT_EQ(lower_body("v.xyz.zy = u.xyz.zy;"), "v." + write("xyz") + "." + write("zy") + " = u." +
                                                    read("xyz") + "." + read("zy") + ";");
  EXPECT_EQ(lower_body("v.xyz.x = 1; a = v.xyz.x;"),
            "v." + write("xyz") + ".x = 1; a = v." + read("xyz") + ".x;");
  EXPECT_EQ(lower_body("v.rgb.b *= 2;"), "v." + write("rgb") + ".z *= 2;");
  EXPECT_EQ(lower_body("++v.wzyx.rg[1];"), "++v." + write("wzyx") + "." + write("rg") + "[1];");
}

TEST(Swizzle, KeepsLinesAndColumns) {
  const std::string_view text =
      "  y[i] = v.xyzw.wz.x +\r\n\tp->rgba.r; // v.xy\n  v.x\\\ny = w.bgr . gr;\n";
  const auto result = lowered(text);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->text.size(), text.size());
  for (size_t k = 0; k < text.size(); ++k)
    if (std::isspace(static_cast<unsigned char>(text[k])) || text[k] == '.' || text[k] == '=') {
      EXPECT_EQ(result->text[k], text[k]) << k;
    }
  EXPECT_NE(result->text.find("// v.xy\n"), std::string::npos);
}

TEST(Swizzle, LeavesEverythingElse) {
  for (std::string_view text :
       {"float2 xy = a; xy += xy; f(xy, rgba);", "x = 1.xe; y = 1.f; z = .5h; w = 1.xyz;",
        "// v.xy\n/* v.rgb */ a = \"v.xy\"; b = 'v.x'; c = R\"(v.zw)\";", "v.xg.xyzwx.st",
        "v.x.y.z.w = 1;", "v.xy();", "#define M(v, n) v.n##xy v.xy##n\n", "#if A.xy\n#endif\n",
        "f(args...xy);", "ns::xy = v.thread;"}) {
    const auto result = lowered(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(result->text, text);
    EXPECT_TRUE(result->swizzles.empty());
  }
}

TEST(Swizzle, KnowsTheMembersOfTheUser) {
  const char* const own[] = {
      "struct S { float xy; };",
      "struct S { int n; float2 xy[3], z; };",
      "struct S : Base<4> { float a; float xy; };",
      "class S { public: float xy() const { return 1; } };",
      "union U { float4 all; float xy; };",
      "struct alignas(16) S { float xy; };",
      "struct __attribute__((packed)) S { float xy; };",
      "struct [[nodiscard]] S { float xy; };",
      "template <typename T> struct S<T*> final { T xy; };",
      "struct A { struct { float xy; } inner; };",
      "namespace n { struct S { float xy; }; }",
      "#define DECLARE struct S { float xy; };\n",
      "#define xy first\n",
      "#define xy(v) first\n",
  };
  for (const char* text : own) {
    EXPECT_EQ(lower_body("s.xy = v.xy;", text), "s.xy = v.xy;") << text;
    EXPECT_EQ(lower_body(std::string(text) + "s.xy;"), std::string(text) + "s.xy;");
  }
  const char* const others[] = {
      "float2 xy = 1;",
      "void f(float2 xy) { xy = 1; float xy; }",
      "struct S { float f(float2 xy) { return xy[0]; } };",
      "struct S { void f() { float2 xy; } };",
      "struct S f(int n) { float2 xy; return n; }",
      "struct S f(int n) const { float2 xy; return n; }",
      "enum { x, xy };",
      "enum class E { xy };",
      "float a[] = { xy };",
      "auto f = [](float2 xy) { return xy; };",
      "namespace n { float xy; }",
      "struct S { float r; };",
      "// struct S { float xy; };",
      "template <class T> void f() { T xy; }",
  };
  for (const char* text : others)
    EXPECT_EQ(lower_body("s.xy;", text), "s." + swizzle_name("xy", false) + ";") << text;
  EXPECT_EQ(lower_body("s.r + v.gb;", "struct S { float r; };"),
            "s.r + v." + swizzle_name("gb", false) + ";");
}

TEST(Swizzle, ReportsTheNamesThatStandInTheText) {
  const auto result = lowered("v.xy = v.xy + u.zw; v.r = v.wzyx.x;");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->swizzles,
            (std::set<std::string>{swizzle_name("xy", true), swizzle_name("xy", false),
                                   swizzle_name("zw", false), swizzle_name("wzyx", false)}));
}

TEST(Literals, GetASuffixThatCppHas) {
  EXPECT_EQ(lower_body("1.5bf 2.BF .5bf 1e3bf 0x1.8p1bf 1'0.0bf"),
            "1.5ms 2.ms .5ms 1e3ms 0x1.8p1ms 1'0.0ms");
  EXPECT_EQ(lower_body("1.5h 1.5H 1e3H 0x1p3H"), "1.5h 1.5h 1e3h 0x1p3h");
  for (std::string_view text :
       {"0x1bf", "0xbf", "0x1BF", "1bf", "12H", "bf", "1.5f", "0b1", "x1.bf"})
    EXPECT_EQ(lower_body(text), text);
}

TEST(VectorCasts, OfSeveralValuesAreRefused) {
  EXPECT_EQ(lower_body("v = (float4)(1, 2, 3, 4);"),
            "1:6: expected 'float4(...)' to make a vector, got a cast '(float4)(...)' of several "
            "values");
  EXPECT_EQ(lower_body("return\n (packed_half3)(f(1), 2);").substr(0, 4), "2:3:");
  for (std::string_view text :
       {"v = (float4)(1);", "v = (float4)f(1, 2);", "v = (float4)(f(1, 2));", "F(float4)(1, 2);",
        "v = (float4)((a, b));", "v = float4(1, 2, 3, 4);", "v = (mine4)(1, 2);",
        "f((float4)(x[i]), 2);", "v = (float4)(vec<float, 4>(1)[0]);"})
    EXPECT_EQ(lower_body(text), text);
}

// Only the names that a kernel's swizzles take are taken.
TEST(Swizzle, ClashesWithANameOfTheUser) {
  const TokenList list = lex("int a;\n  float _B = 1; s._B; // _3\n");
  const Code code(list);
  const auto clash = find_clash(code, {"_1", "_B"});
  ASSERT_TRUE(clash);
  EXPECT_EQ(fmt::format("{}:{} {}", clash->line, clash->column, clash->got), "2:9 '_B'");
  EXPECT_FALSE(find_clash(code, {"_1", "_3"}));
  EXPECT_FALSE(find_clash(code, {}));
}

}  // namespace
}  // namespace sprue
