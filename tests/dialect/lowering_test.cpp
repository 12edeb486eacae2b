#include "dialect/lowering.h"

#include <gtest/gtest.h>

#include <span>

namespace sprue {
namespace {

tl::expected<LoweredText, SourceError> lowered(std::string_view text, TextRole role) {
  const TokenList list = lex(text);
  return lower(Code(list), text, role);
}

// The lowered text with runs of blanks as one, and none at the ends: columns have a test of their own.
std::string squeezed(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string lower_body(std::string_view text) {
  const auto result = lowered(text, TextRole::body);
  if (result) return squeezed(result->text);
  return fmt::format("{}:{}: expected {}, got {}", result.error().line, result.error().column,
                     result.error().expected, result.error().got);
}
std::string lower_header(std::string_view text) {
  const auto result = lowered(text, TextRole::header);
  return result ? squeezed(result->text) : "error: got " + result.error().got;
}

struct Case {
  std::string_view metal;
  std::string_view cpp;
};

void expect_lowered(std::span<const Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(lower_body(one.metal), one.cpp) << one.metal;
}

TEST(Lowering, TurnsThreadgroupVariablesIntoStorage) {
  const Case cases[] = {
      {"threadgroup float a[256];", "SPRUE_TG float a[256];"},
      {"threadgroup float a;", "SPRUE_TG float a;"},
      {"threadgroup float a, b[4], c[2][3];", "SPRUE_TG float a, b[4], c[2][3];"},
      {"threadgroup T tile[BM][BK + 1];", "SPRUE_TG T tile[BM][BK + 1];"},
      {"threadgroup T tile[a < b ? 1 : 2];", "SPRUE_TG T tile[a < b ? 1 : 2];"},
      {"threadgroup atomic<int> count;", "SPRUE_TG atomic<int> count;"},
      {"threadgroup metal::vec<float, 4> x4[8];", "SPRUE_TG metal::vec<float, 4> x4[8];"},
      {"threadgroup ::ns::T x;", "SPRUE_TG ::ns::T x;"},
      {"threadgroup unsigned long long x;", "SPRUE_TG unsigned long long x;"},
      {"threadgroup typename X::Y x[3];", "SPRUE_TG typename X::Y x[3];"},
      {"threadgroup decltype(a) x[3];", "SPRUE_TG decltype(a) x[3];"},
      {"threadgroup struct { float a[4]; int b; } s;", "SPRUE_TG struct { float a[4]; int b; } s;"},
      {"threadgroup struct S { float a; } s, t[2];", "SPRUE_TG struct S { float a; } s, t[2];"},
      {"threadgroup struct S s;", "SPRUE_TG struct S s;"},
      {"float threadgroup a[4];", "float SPRUE_TG a[4];"},
      {"metal::vec<float, 4> threadgroup a[4];", "metal::vec<float, 4> SPRUE_TG a[4];"},
      {"volatile threadgroup float a[4];", "volatile SPRUE_TG float a[4];"},
      {"threadgroup volatile float a[4];", "SPRUE_TG volatile float a[4];"},
      {"alignas(16) threadgroup float a[8];", "alignas(16) SPRUE_TG float a[8];"},
      {"threadgroup alignas(16) float a[8];", "alignas(16) SPRUE_TG float a[8];"},
      {"threadgroup/**/alignas(T) alignas(16) float a[8];",
       "alignas(T) alignas(16) SPRUE_TG float a[8];"},
      {"[[maybe_unused]] threadgroup float a[8];", "[[maybe_unused]] SPRUE_TG float a[8];"},
      {"threadgroup float a[8] [[maybe_unused]];", "SPRUE_TG float a[8] [[maybe_unused]];"},
      {"__attribute__((aligned(16))) threadgroup float a[8];",
       "__attribute__((aligned(16))) SPRUE_TG float a[8];"},
      {"for (;;) { threadgroup float a[2]; }", "for (;;) { SPRUE_TG float a[2]; }"},
      {"if (x) threadgroup float a[2];", "if (x) SPRUE_TG float a[2];"},
      {"case 1: threadgroup float a[2];", "case 1: SPRUE_TG float a[2];"},
      {"f([&] { threadgroup float a[2]; });", "f([&] { SPRUE_TG float a[2]; });"},
      {"x;\n#pragma unroll\nthreadgroup float a[2];", "x;\n#pragma unroll\nSPRUE_TG float a[2];"},
      {"threadgroup\nfloat\na[2];", "SPRUE_TG \nfloat\na[2];"},
      {"thread\\\ngroup float a[2];", "SPRUE_\\\nTG float a[2];"},
      {"#define N 4\nthreadgroup float a[N];", "#define N 4\nSPRUE_TG float a[N];"},
      {"#define TILE(name, n) threadgroup float name[n]\nTILE(a, 4);",
       "#define TILE(name, n) SPRUE_TG float name[n]\nTILE(a, 4);"},
      {"#define TILE threadgroup float a[4];\nTILE", "#define TILE SPRUE_TG float a[4];\nTILE"},
      {"DECLARE(threadgroup float a[4]);", "DECLARE(SPRUE_TG float a[4]);"},
  };
  expect_lowered(cases);
  for (const Case& one : cases) {
    const auto result = lowered(one.metal, TextRole::body);
    EXPECT_TRUE(result && result->has_threadgroup_storage) << one.metal;
  }
}

TEST(Lowering, DropsThreadgroupWhereItQualifiesAPointee) {
  const Case cases[] = {
      {"threadgroup float* p = a;", "float* p = a;"},
      {"threadgroup float *p = &a[3], *q = p;", "float *p = &a[3], *q = p;"},
      {"const threadgroup float4* v = (const threadgroup float4*)a;",
       "const float4* v = (const float4*)a;"},
      {"threadgroup const float* p = a;", "const float* p = a;"},
      {"threadgroup T (&ref)[32] = tile;", "T (&ref)[32] = tile;"},
      {"threadgroup T (*p)[32] = &tile;", "T (*p)[32] = &tile;"},
      {"threadgroup float& r = a[0];", "float& r = a[0];"},
      {"threadgroup auto&& r = a[0];", "auto&& r = a[0];"},
      {"float threadgroup* p = a;", "float * p = a;"},
      {"threadgroup float2 *ptrs[2];", "float2 *ptrs[2];"},
      {"auto r = reinterpret_cast<threadgroup uint*>(a);", "auto r = reinterpret_cast< uint*>(a);"},
      {"using P = threadgroup float*;", "using P = float*;"},
      {"template <typename U> using P = const threadgroup U*;",
       "template <typename U> using P = const U*;"},
      {"typedef threadgroup float* P;", "typedef float* P;"},
      {"f(a, (threadgroup half*)p);", "f(a, ( half*)p);"},
      {"x = *(threadgroup float4*)(p + 1);", "x = *( float4*)(p + 1);"},
      {"auto f = [](threadgroup float* s, threadgroup float t[4]) { return s[0]; };",
       "auto f = []( float* s, float t[4]) { return s[0]; };"},
      {"auto f = [](threadgroup float t[4]) -> threadgroup float* { return t; };",
       "auto f = []( float t[4]) -> float* { return t; };"},
      {"struct S { threadgroup float* m; };", "struct S { float* m; };"},
      {"struct S { float f(threadgroup float m[3]) const { return m[0]; } };",
       "struct S { float f( float m[3]) const { return m[0]; } };"},
      {"for (threadgroup float* p = a; p != b; ++p) {}", "for ( float* p = a; p != b; ++p) {}"},
      {"for (threadgroup auto& v : a) {}", "for ( auto& v : a) {}"},
      {"metal::array<threadgroup float*, 4> ps;", "metal::array< float*, 4> ps;"},
      {"x = is_same<threadgroup float, T>::value;", "x = is_same< float, T>::value;"},
      {"f(g<int, threadgroup float>(x));", "f(g<int, float>(x));"},
      {"x = sizeof(threadgroup float);", "x = sizeof( float);"},
      {"threadgroup float* p = f<a, b>(x), *q = p;", "float* p = f<a, b>(x), *q = p;"},
      {"#define LOAD(p) (*(threadgroup float*)(p))\n", "#define LOAD(p) (*( float*)(p))\n"},
      {"device float* threadgroup* pp = x;", "float* * pp = x;"},
  };
  expect_lowered(cases);
  for (const Case& one : cases) {
    const auto result = lowered(one.metal, TextRole::body);
    EXPECT_TRUE(result && !result->has_threadgroup_storage) << one.metal;
  }
}

TEST(Lowering, DropsDeviceAndThread) {
  const Case cases[] = {
      {"device float* p = x;", "float* p = x;"},
      {"const device T* p = (const device T*)x;", "const T* p = (const T*)x;"},
      {"thread U xt[16];", "U xt[16];"},
      {"float f(thread const float& v);", "float f( const float& v);"},
      {"device atomic_uint* c = (device atomic_uint*)x;", "atomic_uint* c = ( atomic_uint*)x;"},
      {"#define D device float*\nD p = x;", "#define D float*\nD p = x;"},
  };
  expect_lowered(cases);
}

TEST(Lowering, MakesConstantConstOnce) {
  const Case cases[] = {
      {"constant float* p = x;", "const float* p = x;"},
      {"const constant int* p = x;", "const int* p = x;"},
      {"constant const int* p = x;", "const int* p = x;"},
      {"const float constant* p = x;", "const float * p = x;"},
      {"constant float const* p = x;", "float const* p = x;"},
      {"float constant* p = x;", "float const * p = x;"},
      {"constant float* const p = x;", "const float* const p = x;"},
      {"const device float* constant* p = x;", "const float* const * p = x;"},
      {"constant constexpr int n = 4;", "const constexpr int n = 4;"},
      {"constexpr constant int n = 4;", "constexpr const int n = 4;"},
      {"static constant float k[2] = {1, 2};", "static const float k[2] = {1, 2};"},
      {"constant vec<const int, 2>* p = x;", "const vec<const int, 2>* p = x;"},
      {"const vec<int, 2> constant* p = x;", "const vec<int, 2> * p = x;"},
      {"f((constant float4*)x, (const constant float*)y);",
       "f((const float4*)x, (const float*)y);"},
      {"const int a = 1; constant int* p = x;", "const int a = 1; const int* p = x;"},
      {"f(const int a, constant int* p);", "f(const int a, const int* p);"},
  };
  expect_lowered(cases);
  EXPECT_EQ(lower_header("constant float kTable[4] = {1, 2, 3, 4};"),
            "const float kTable[4] = {1, 2, 3, 4};");
  EXPECT_EQ(lower_header("template <typename T> struct S { static constant constexpr T k = 1; };"),
            "template <typename T> struct S { static const constexpr T k = 1; };");
}

TEST(Lowering, LeavesEverythingElse) {
  for (std::string_view text :
       {"x = s.device + p->thread + k::threadgroup + ::constant;",
        "// threadgroup float a[3];\n/* device */",
        "x = \"threadgroup device\"; y = R\"(constant)\"; z = 'c';",
        "threadgroup_barrier(mem_flags::mem_threadgroup);",
        "x = thread_position_in_grid.x + devices + my_thread;", "float f [[threadgroup(0)]];",
        "[[device, constant]] float f;", "#if device\n#endif\n#pragma thread\n",
        "#define P(x) x##threadgroup\n", "#define P(x) device##x\n",
        "#if 0\nthreadgroup float a = 1;\n#endif"}) {
    const auto result = lowered(text, TextRole::body);
    ASSERT_TRUE(result) << text << result.error().got;
    EXPECT_EQ(result->text, text);
  }
}

TEST(Lowering, TakesMethodsOfAnAddressSpace) {
  const Case cases[] = {
      {"struct S { void f() threadgroup { g(); } };", "struct S { void f() { g(); } };"},
      {"struct S { void f() threadgroup; };", "struct S { void f() ; };"},
      {"struct S { int f(int a) const threadgroup { return a; } };",
       "struct S { int f(int a) const { return a; } };"},
      {"struct S { int f() threadgroup const { return 1; } };",
       "struct S { int f() const { return 1; } };"},
      {"struct S { int f() const thread { return 1; } };",
       "struct S { int f() const { return 1; } };"},
      {"if (a) threadgroup float* p = q;", "if (a) float* p = q;"},
      {"if (a) threadgroup float b[2];", "if (a) SPRUE_TG float b[2];"},
  };
  expect_lowered(cases);
}

TEST(Lowering, LowersHeaders) {
  EXPECT_EQ(lower_header(
                "template <typename T> T f(threadgroup T* s, uint n, threadgroup float t[32]) {\n"
                "  threadgroup T* p = s; return p[n]; }"),
            "template <typename T> T f( T* s, uint n, float t[32]) {\n T* p = s; return p[n]; }");
  EXPECT_EQ(lower_header("void f(threadgroup float t[32]);"), "void f( float t[32]);");
  EXPECT_EQ(lower_header("#define TILE threadgroup float tile[32]\n"),
            "#define TILE SPRUE_TG float tile[32]\n");
  EXPECT_EQ(lower_header("#define F(n) inline float n(threadgroup float s[3]) { return s[0]; }\n"),
            "#define F(n) inline float n( float s[3]) { return s[0]; }\n");
  // Metal has threadgroup variables in kernel functions only.
  EXPECT_EQ(lower_header("threadgroup float a[3];"), "error: got 'a' in the header");
  EXPECT_EQ(lower_header("void f() { threadgroup float a[3]; }"), "error: got 'a' in the header");
}

TEST(Lowering, RefusesWhatItCannotSay) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"x;\n  threadgroup float a = 1;",
       "2:21: expected a threadgroup variable without initialiser, got one for 'a'"},
      {"threadgroup float a[2] = {1, 2};",
       "1:19: expected a threadgroup variable without initialiser, got one for 'a'"},
      {"threadgroup float a{1};",
       "1:19: expected a threadgroup variable without initialiser, got one for 'a'"},
      {"threadgroup float a(1);",
       "1:19: expected a threadgroup variable without initialiser, got one for 'a'"},
      {"threadgroup float a, b = 1;",
       "1:22: expected a threadgroup variable without initialiser, got one for 'b'"},
      {"float threadgroup a = 1;",
       "1:19: expected a threadgroup variable without initialiser, got one for 'a'"},
      {"threadgroup float a, *p;",
       "1:22: expected threadgroup variables and pointers to them in separate declarations, got "
       "both, at '*'"},
      {"threadgroup float *p, a;",
       "1:23: expected threadgroup variables and pointers to them in separate declarations, got "
       "both, at 'a'"},
      {"threadgroup float *p = x > y ? x : y, a[3];",
       "1:39: expected threadgroup variables and pointers to them in separate declarations, got "
       "both, at 'a'"},
      {"device float* threadgroup p;",
       "1:15: expected a threadgroup variable of a plain type, got a pointer in threadgroup "
       "memory"},
      {"device float* const threadgroup p[3];",
       "1:21: expected a threadgroup variable of a plain type, got a pointer in threadgroup "
       "memory"},
      {"#define AS threadgroup\nAS float a[3];",
       "1:12: expected a type and a name after 'threadgroup', got the end of the line"},
      {"#define SHARED threadgroup float\nSHARED a[3];",
       "1:16: expected a type and a name after 'threadgroup', got the end of the line"},
      {"DECLARE(threadgroup, float, a);",
       "1:9: expected a pointer, a reference or an array after 'threadgroup', got ','"},
      {"DECLARE(threadgroup float, a);",
       "1:9: expected a pointer, a reference or an array after 'threadgroup', got ','"},
      {"using S = threadgroup float;",
       "1:11: expected an alias of a pointer or reference, got one of a threadgroup object"},
      {"typedef threadgroup float S[3];",
       "1:9: expected an alias of a pointer or reference, got one of a threadgroup object"},
      {"threadgroup\n#if A\nfloat a[3];\n#endif",
       "1:1: expected a type and a name after 'threadgroup', got the end of the line"},
      {"threadgroup alignas(\n16) float a[3];",
       "1:1: expected 'alignas' before 'threadgroup' or on its line, got another line"},
      {"kernel void f() {}", "1:1: expected helpers and statements, got the word 'kernel'"},
      {"[[kernel]] void f() {}", "1:3: expected helpers and statements, got the word 'kernel'"},
      {"#define K kernel void\n", "1:11: expected helpers and statements, got the word 'kernel'"},
      {"x = 1;\n}\nvoid f() {", "2:1: expected an open bracket before '}', got none"},
      {"x = (1;", "1:5: expected ')' to close '(', got the end of the text"},
      {"/* x", "1:1: expected '*/' to end the comment, got the end of the text"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(lower_body(text), expected) << text;
}

TEST(Lowering, KeepsEveryColumn) {
  const auto result =
      lowered("  threadgroup float a[4]; device int* p; constant int* q; thread T x;\r\n\tb",
              TextRole::body);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->text,
            "  SPRUE_TG    float a[4];        int* p; const    int* q;        T x;\r\n\tb");
}

TEST(Lowering, SuffixesFloatingLiteralsWhereAskedTo) {
  const Case cases[] = {
      {"x = 1.5;", "x = 1.5f;"},
      {"x = 1. + .5;", "x = 1.f + .5f;"},
      {"x = 1e5 * 2E-3 + 0x1.8p3;", "x = 1e5f * 2E-3f + 0x1.8p3f;"},
      {"x = 1'000.5;", "x = 1'000.5f;"},
      {"x = f(1.0, 2.0, 3.0);", "x = f(1.0f, 2.0f, 3.0f);"},
      {"#define K 0.5\ny = K * 2.0;", "#define K 0.5f\ny = K * 2.0f;"},
      {"x = 1.5f + 1.5F + 1.5h + 1.5H;", "x = 1.5f + 1.5F + 1.5h + 1.5h;"},
      {"x = 1 + 0x1e5 + 10u + 1'0ul;", "x = 1 + 0x1e5 + 10u + 1'0ul;"},
      {"threadgroup float a[4]; a[0] = 2.0; // 1.5", "SPRUE_TG    float a[4]; a[0] = 2.0f; // 1.5"},
      {"s = \"1.5\"; c = '1';", "s = \"1.5\"; c = '1';"},
      {"x = v.xy.x + 1.0;", "x = v._1.x + 1.0f;"},
      {"1.0", "1.0f"},
  };
  for (const Case& one : cases) {
    const TokenList list = lex(one.metal);
    const auto result = lower(Code(list), one.metal, TextRole::body, {}, {.suffix_literals = true});
    ASSERT_TRUE(result) << one.metal;
    EXPECT_EQ(result->text, one.cpp);
    const auto plain = lower(Code(list), one.metal, TextRole::body);
    EXPECT_EQ(plain->text.size(), one.metal.size());
  }
}

}  // namespace
}  // namespace sprue
