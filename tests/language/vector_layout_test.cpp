// How vectors are made, laid out, read and written: constructors, swizzles, indices, packed types,
// pointer casts. Component numbers 1 to 4 tell which component went where.
#include <fmt/format.h>

#include <cmath>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

constexpr Dtype kTypes[] = {bool_, uint8, uint16, uint32,  uint64,   int8,
                            int16, int32, int64,  float16, bfloat16, float32};

// A body of statements `out[k] = ...;` and what they store.
struct Script {
  std::string name;
  std::string body;
  std::vector<Real> stored = {};

  // Stores `text` and expects `value`.
  void expect(const std::string& text, Real value) {
    body += fmt::format("out[{}] = {};\n", stored.size(), text);
    stored.push_back(value);
  }
  // The components of a vector expression.
  void expect_vector(const std::string& text, const std::vector<Real>& values) {
    body += fmt::format("{{ auto r_ = {};\n", text);
    for (size_t k = 0; k < values.size(); ++k) expect(fmt::format("r_.{}", "xyzw"[k]), values[k]);
    body += "}\n";
  }
  void run(const std::string& text) { body += text + "\n"; }

  Row row(const std::string& header = "") const {
    Row row{.name = name, .body = body, .header = header};
    row.inputs = {{"x", make_array(float32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})}};
    const std::vector<Real> values = stored;
    row.outputs = {{"out", float32, {static_cast<int64_t>(stored.size())}, [values](int64_t i) {
                      return values[static_cast<size_t>(i)];
                    }}};
    return row;
  }
};

// Every way to lay scalars and shorter vectors side by side.
std::vector<Row> constructor_rows() {
  const std::vector<std::vector<int>> compositions[] = {
      {{1, 1}},
      {{1, 1, 1}, {2, 1}, {1, 2}},
      {{1, 1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 2}, {3, 1}, {1, 3}}};
  std::vector<Row> rows;
  for (Dtype type : kTypes) {
    Script script{std::string("constructors_of_") + element_name(type)};
    const auto value = [type](int k) -> Real { return type == bool_ ? k % 2 : k; };
    for (int count = 2; count <= 4; ++count) {
      const std::string name = vector_name(type, count);
      for (const auto& composition : compositions[count - 2]) {
        std::string arguments;
        std::vector<Real> values;
        for (int size : composition) {
          const int first = static_cast<int>(values.size()) + 1;
          if (!arguments.empty()) arguments += ", ";
          std::string parts;
          for (int k = 0; k < size; ++k) {
            values.push_back(value(first + k));
            parts += fmt::format("{}{}", k ? ", " : "", static_cast<int>(value(first + k)));
          }
          arguments += size == 1 ? parts : fmt::format("{}({})", vector_name(type, size), parts);
        }
        script.expect_vector(fmt::format("{}({})", name, arguments), values);
      }
      const std::vector<Real> ones(static_cast<size_t>(count), 1);
      script.expect_vector(fmt::format("{}(1)", name), ones);
      script.expect_vector(fmt::format("({})(1)", name), ones);
      script.expect_vector(fmt::format("({})1", name), ones);
      script.expect_vector(fmt::format("vec<{}, {}>(1)", element_name(type), count), ones);
      script.expect_vector(fmt::format("metal::{}({}(1))", name, name), ones);
      script.expect_vector(fmt::format("{}()", name), std::vector<Real>(ones.size(), 0));
      script.expect_vector(fmt::format("packed_{}({}(1))", name, name), ones);
    }
    rows.push_back(script.row());
  }
  Script script{"initialisers"};
  script.run("float4 a = {1, 2, 3, 4}, b = 5, c{6, 7, 8, 9};\nfloat4 d{a.xy, 1.0h, x[1]};");
  script.expect_vector("a", {1, 2, 3, 4});
  script.expect_vector("b", {5, 5, 5, 5});
  script.expect_vector("c", {6, 7, 8, 9});
  script.expect_vector("d", {1, 2, 1, 2});
  script.run("constexpr float3 k = float3(1, 2, 3) * 2.0f + 1;\nstatic_assert(k.z == 7, \"\");");
  script.expect_vector("k", {3, 5, 7});
  script.run("float2 array[3] = {float2(1, 2), float2(3), {4, 5}};");
  script.expect("array[2].y + array[1].x", 8);
  script.run("vec<T, N> generic = vec<T, N>(T(3)); Pair pair = {float3(1, 2, 3), half4(2)};");
  script.expect("generic[N - 1]", 3);
  script.run("Pair copy = pair; copy.first.y += 5; pair = copy;");
  script.expect("pair.first.y * float(pair.second.w)", 14);
  script.expect("total(float4(1, 2, 3, 4)) + total(half2(5, 6))", 21);
  script.expect("doubled(pair.first).z", 6);
  Row row = script.row(
      "struct Pair { float3 first; half4 second; };\n"
      "constant float4 kTable[2] = {float4(1), float4(2, 3, 4, 5)};\n"
      "template <typename T, int N> float total(vec<T, N> v) {\n"
      "  float sum = 0; for (int k = 0; k < N; ++k) sum += v[k]; return sum; }\n"
      "float3 doubled(float3 v) { v *= 2; return v; }");
  row.template_arguments = {{"T", float16}, {"N", 3}};
  rows.push_back(row);
  return rows;
}
SPRUE_MATRIX(VectorConstructors, constructor_rows)

constexpr char kCode[] = R"(
float code(float v) { return v; }
float code(float2 v) { return v.x + v.y * 8; }
float code(float3 v) { return v.x + v.y * 8 + v.z * 64; }
float code(float4 v) { return v.x + v.y * 8 + v.z * 64 + v.w * 512; }
float wide_code(float4 v) { return v.x + v.y * 16 + v.z * 256 + v.w * 4096; }
)";

// All swizzles of one to four letters, in both alphabets, read; and those without repetition, written.
std::vector<Row> swizzle_rows() {
  std::vector<Row> rows;
  for (int size = 1; size <= 4; ++size) {
    int total = 1;
    for (int k = 0; k < size; ++k) total *= 4;
    Script reading{fmt::format("swizzles_of_{}_read", size)};
    Script writing{fmt::format("swizzles_of_{}_written", size)};
    reading.run("const float4 v = *(const device float4*)x;\nuint i = 0;");
    writing.run("float4 v;");
    for (int code = 0; code < total; ++code) {
      std::string letters;
      std::vector<Real> values, after = {1, 2, 3, 4};
      bool repeats = false;
      for (int k = 0, rest = code; k < size; ++k, rest /= 4) {
        letters += (code % 2 ? "xyzw" : "rgba")[rest % 4];
        values.push_back(1 + rest % 4);
        repeats |= after[static_cast<size_t>(rest % 4)] > 4;
        after[static_cast<size_t>(rest % 4)] = 10 + k;
      }
      // One number for all components keeps the kernel small.
      Real sum = 0;
      for (int k = 0; k < size; ++k) sum += values[static_cast<size_t>(k)] * std::pow(8, k);
      reading.expect(fmt::format("code(v.{})", letters), sum);
      if (repeats) continue;
      writing.run("v = float4(1, 2, 3, 4);");
      std::string right = size == 1 ? "10" : fmt::format("float{}(10", size);
      for (int k = 1; k < size; ++k) right += fmt::format(", {}", 10 + k);
      writing.run(fmt::format("v.{} = {}{};", letters, right, size == 1 ? "" : ")"));
      Real all = 0;
      for (int k = 0; k < 4; ++k) all += after[static_cast<size_t>(k)] * std::pow(16, k);
      writing.expect("wide_code(v)", all);
    }
    rows.push_back(reading.row(kCode));
    rows.push_back(writing.row(kCode));
  }
  Script script{"swizzles_in_expressions"};
  script.run("float4 v = float4(1, 2, 3, 4); const float4 w = v; thread float4* p = &v;");
  script.expect_vector("v.xyz.zyx.yz", {2, 1});
  script.expect("v.xyz.x + w.bgr[2]", 2);
  script.run("v.xy = v.yx;");
  script.expect_vector("v", {2, 1, 3, 4});
  script.run("v.xyz += 1; v.zw *= float2(2, 3); v.wx -= v.xw; v.rg /= 2.0f;");
  script.expect_vector("v", {-4.5L, 1, 8, 9});
  script.run("v = w; v.xyz.zx = float2(7, 8); v.xyz.y = 9; v.zwx[1] = 5; v.xyzw.wz.x += 1;");
  script.expect_vector("v", {8, 9, 7, 6});
  script.run("v = w; p->xy = p->wz; p->zw.y = 11; ++p->rg; (*p).b--; v.zw++;");
  script.expect_vector("v", {5, 4, 3, 12});
  script.run("v = w; float2 old = v.xy++; float2 new_ = ++v.zw; v.xw = v.yz = 6;");
  script.expect_vector("v", {6, 6, 6, 6});
  script.expect_vector("old", {1, 2});
  script.expect_vector("new_", {4, 5});
  script.run(
      "uint4 u = uint4(1, 2, 3, 4); u.xy <<= 2; u.zw >>= 1; u.yz |= 8; u.wx &= 6; u.xy %= 3;"
      "u.zw ^= 1;");
  script.expect_vector("u", {1, 2, 8, 3});
  script.run("#define FIRST(v) (v).xy\n#define SET(v, w) v.zw = w\n");
  script.run("SET(v, FIRST(w));");
  script.expect_vector("v.zw + FIRST(w)", {2, 4});
  script.run("float2 xy = w.xy, rg = w.rg; xy.x += 1;  // a variable may have such a name");
  script.expect_vector("xy + rg", {3, 4});
  script.expect("w.z > w.x ? w.y >= w.x : 0", 1);
  script.expect_vector("thread_position_in_grid.xy + threads_per_grid.zz", {1, 1});
  script.expect("any(threads_per_grid == 2)", 0);
  script.run("v.xy = w.x > 0 ? w.zw : w.xy; if (all(v.xy == w.zw)) v.x = -1;");
  script.expect_vector("v.xy", {-1, 4});
  rows.push_back(script.row());

  Script own{"members_of_the_user"};
  own.run("Own own = {3, 4, float2(5, 6)}; own.xy += 1; own.pair.y = own.r; own.zw[1] = 7;");
  own.run("float4 v = float4(1, 2, 3, 4); v.yx = v.wz; own.pair = v.yz;");
  own.expect("own.xy + own.r + own.zw[1] + own.ww()", 4 + 4 + 7 + 9);
  own.expect_vector("own.pair", {4, 3});
  rows.push_back(
      own.row("struct Own {\n  float xy; int r; float2 pair; float zw[2];\n"
              "  float ww() const { return 9; }\n};\n"));
  return rows;
}
SPRUE_MATRIX(Swizzles, swizzle_rows)

std::vector<Row> layout_rows() {
  std::vector<Row> rows;
  Script script{"sizes"};
  for (Dtype type : kTypes)
    for (int count = 2; count <= 4; ++count) {
      const Real size = static_cast<Real>(dtype_size(type));
      const std::string name = vector_name(type, count);
      const Real aligned = size * (count == 3 ? 4 : count);
      script.expect(fmt::format("sizeof({})", name), aligned);
      script.expect(fmt::format("alignof({})", name), aligned);
      script.expect(fmt::format("sizeof(packed_{})", name), size * count);
      script.expect(fmt::format("alignof(packed_{})", name), size);
    }
  rows.push_back(script.row());

  Script memory{"memory"};
  memory.run(
      "const device float4* v4 = (const device float4*)x;\n"
      "const device float2* v2 = reinterpret_cast<const device float2*>(x);\n"
      "const device packed_float3* p3 = (const device packed_float3*)x;\n");
  memory.expect_vector("v4[1]", {5, 6, 7, 8});
  memory.expect_vector("v2[3].yx", {8, 7});
  memory.expect_vector("p3[1]", {4, 5, 6});
  memory.expect_vector("float3(p3[2]) * 2", {14, 16, 18});
  memory.expect_vector("p3[0] + p3[1].zyx", {7, 7, 7});
  memory.run(
      "struct Mixed { float a; float3 b; half c; packed_half3 d; char3 e; };\n"
      "thread Mixed m = {1, float3(2, 3, 4), 5, packed_half3(half3(6, 7, 8)), char3(9)};");
  memory.expect("(thread char*)&m.b - (thread char*)&m", 16);
  memory.expect("(thread char*)&m.d - (thread char*)&m", 34);
  memory.expect("(thread char*)&m.e - (thread char*)&m", 40);
  memory.expect("sizeof(Mixed)", 48);
  memory.run("packed_float3 p = p3[3]; p *= 2; p.xy = p.yx; p[2] += 1; float3 q = p; p = q + 1;");
  memory.expect_vector("q", {22, 20, 25});
  memory.expect_vector("p", {23, 21, 26});
  memory.run(
      "threadgroup float4 shared[2]; shared[0] = v4[0]; shared[1].xy = shared[0].zw;\n"
      "thread float4 array[2] = {v4[0], v4[1]}; int dynamic = int(x[0]);\n"
      "array[dynamic][dynamic + 1] = 70; array[0].wx = 80;");
  memory.expect_vector("shared[1].xy", {3, 4});
  memory.expect_vector("array[dynamic]", {5, 6, 70, 8});
  memory.expect_vector("array[0]", {80, 2, 3, 80});
  memory.expect("v4[dynamic][dynamic + 2]", 8);
  memory.run("union Both { float4 vector; uint bits[4]; }; Both both; both.vector = v4[0];");
  memory.expect("both.bits[0] == 0x3f800000u", 1);
  rows.push_back(memory.row());
  // A vector at every element, on the 16 bytes of its own alignment or not.
  rows.push_back({.name = "loads_and_stores_of_threads",
                  .body = "uint i = thread_position_in_grid.x;\n"
                          "float4 v = ((const device float4*)x)[i];\n"
                          "((device float4*)y)[i] = v.wzyx * 2 + float4(0, 1, 2, 3);",
                  .inputs = {{"x", random_array({4096}, float32, 3)}},
                  .outputs = {{"y", float32, {4096}}},
                  .grid = {1024, 1, 1},
                  .threadgroup = {96, 1, 1}});
  const Array input = rows.back().inputs[0].value;
  rows.back().outputs[0].expected = [input](int64_t i) {
    return value_at(input, i / 4 * 4 + 3 - i % 4) * 2 + i % 4;
  };
  return rows;
}
SPRUE_MATRIX(VectorMemory, layout_rows)

}  // namespace
}  // namespace sprue::language
