// simdgroup_matrix: which lane holds what, loads and stores, products of every mixture of types.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

const std::string kHeader = "#include <metal_simdgroup_matrix>\nusing namespace metal;\n";

struct Element {
  std::string name;    // in Metal
  std::string letter;  // in names
  Dtype dtype;
};
const std::vector<Element> kElements = {
    {"float", "f", float32}, {"half", "h", float16}, {"bfloat", "b", bfloat16}};

Row on_one_simdgroup(Row row, int64_t lanes = 32) {
  row.header = kHeader + row.header;
  row.grid = {lanes, 1, 1};
  row.threadgroup = {lanes, 1, 1};
  return row;
}

// The lane that holds the elements in columns 2c and 2c + 1 of a row, as published.
constexpr int64_t kLaneOf[8][4] = {{0, 1, 8, 9},     {2, 3, 10, 11},   {4, 5, 12, 13},
                                   {6, 7, 14, 15},   {16, 17, 24, 25}, {18, 19, 26, 27},
                                   {20, 21, 28, 29}, {22, 23, 30, 31}};
int64_t element_of(int64_t lane, int64_t second) {
  for (int64_t r = 0; r < 8; ++r)
    for (int64_t c = 0; c < 4; ++c)
      if (kLaneOf[r][c] == lane) return 8 * r + 2 * c + second;
  return -1;
}

std::vector<Row> form_rows() {
  std::vector<Row> rows;
  std::vector<Real> numbers;
  for (int i = 0; i < 64; ++i) numbers.push_back(i);
  for (const Element& e : kElements) {
    rows.push_back(on_one_simdgroup(
        {.name = "lanes_of_" + e.name,
         .body = fmt::format(
             "uint lane = thread_index_in_simdgroup; simdgroup_{0}8x8 m, n; simdgroup_load(m, x);\n"
             "y[2 * lane] = m.thread_elements()[0]; y[2 * lane + 1] = m.thread_elements()[1];\n"
             "n.thread_elements()[0] = {0}(int(lane)); n.thread_elements()[1] = {0}(100 + "
             "int(lane));\n"
             "simdgroup_store(n, z);",
             e.name),
         .inputs = {{"x", make_array(e.dtype, numbers)}},
         .outputs = {{"y", e.dtype, {64}, [](int64_t k) { return Real(element_of(k / 2, k % 2)); }},
                     {"z", e.dtype, {64}, [](int64_t k) {
                        return Real(kLaneOf[k / 8][k % 8 / 2] + (k % 2 ? 100 : 0));
                      }}}}));
    rows.push_back(on_one_simdgroup(
        {.name = "constructors_of_" + e.name,
         .body = fmt::format("simdgroup_matrix<{0}, 8, 8> d({0}(2.5h)), f;\n"
                             "f = make_filled_simdgroup_matrix<{0}, 8, 8>({0}(-3));\n"
                             "simdgroup_{0}8x8 g = make_filled_simdgroup_matrix<{0}, 8>({0}(4));\n"
                             "simdgroup_store(d, y); simdgroup_store(f, y + 64, 8);\n"
                             "simdgroup_store(g, y + 128); g = f; simdgroup_store(g, y + 192);",
                             e.name),
         .outputs = {{"y", e.dtype, {256}, [](int64_t k) -> Real {
                        if (k < 64) return k / 8 == k % 8 ? 2.5L : 0;
                        return k < 128 || k >= 192 ? -3 : 4;
                      }}}}));
  }
  return rows;
}
SPRUE_MATRIX(SimdgroupMatrixForms, form_rows)

// Places in memory: rows of `stride` elements, a block from (column, row) on, transposed or not.
struct Block {
  int64_t stride, column, row;
  bool transposed;
  int64_t at(int64_t r, int64_t c) const {
    return transposed ? (row + c) * stride + column + r : (row + r) * stride + column + c;
  }
};

std::vector<Row> place_rows() {
  const std::vector<Block> blocks = {{8, 0, 0, false},   {8, 0, 0, true},   {13, 0, 0, false},
                                     {13, 0, 0, true},   {16, 3, 2, false}, {16, 3, 2, true},
                                     {19, 11, 5, false}, {19, 11, 5, true}};
  constexpr int64_t kElementsOfMemory = 19 * 13;
  std::vector<Row> rows;
  for (const Element& e : kElements)
    for (const char* memory : {"device", "threadgroup"}) {
      const bool shared = std::string(memory) == "threadgroup";
      std::vector<Real> values;
      for (int64_t i = 0; i < kElementsOfMemory; ++i) values.push_back(Real(i));
      Row row{.name = fmt::format("{}_in_{}", e.name, memory)};
      row.body = fmt::format("simdgroup_{}8x8 m;\n", e.name);
      if (shared)
        row.body += fmt::format(
            "threadgroup {0} in[{1}], out[{1}]; uint lane = thread_index_in_simdgroup;\n"
            "for (uint k = lane; k < {1}; k += 32) in[k] = x[k];\n"
            "threadgroup_barrier(mem_flags::mem_threadgroup);\n",
            e.name, kElementsOfMemory);
      for (size_t k = 0; k < blocks.size(); ++k) {
        const Block& b = blocks[k];
        std::string place = fmt::format("{}", b.stride);
        if (b.column + b.row > 0 || b.transposed)
          place += fmt::format(", ulong2({}, {})", b.column, b.row);
        if (b.transposed) place += ", true";
        row.body += fmt::format("simdgroup_load(m, {}, {});\n", shared ? "in" : "x", place);
        row.body += fmt::format("simdgroup_store(m, loaded + {});\n", 64 * k);
        row.body += "simdgroup_load(m, x, 8);\n";
        if (shared)
          row.body += fmt::format(
              "for (uint k = lane; k < {0}; k += 32) out[k] = 77;\n"
              "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
              "simdgroup_store(m, out, {1});\nthreadgroup_barrier(mem_flags::mem_threadgroup);\n"
              "for (uint k = lane; k < {0}; k += 32) stored[{2} + k] = out[k];\n"
              "threadgroup_barrier(mem_flags::mem_threadgroup);\n",
              kElementsOfMemory, place, k * kElementsOfMemory);
        else
          row.body +=
              fmt::format("simdgroup_store(m, stored + {}, {});\n", k * kElementsOfMemory, place);
      }
      row.inputs = {{"x", make_array(e.dtype, values)}};
      const auto count = static_cast<int64_t>(blocks.size());
      const Dtype dtype = e.dtype;
      row.outputs = {{"loaded",
                      dtype,
                      {count, 64},
                      [=](int64_t k) {
                        const Block& b = blocks[static_cast<size_t>(k / 64)];
                        return rounded(Real(b.at(k % 64 / 8, k % 8)), dtype);
                      }},
                     {"stored", dtype, {count, kElementsOfMemory}, [=](int64_t k) {
                        const Block& b = blocks[static_cast<size_t>(k / kElementsOfMemory)];
                        for (int64_t i = 0; i < 64; ++i)
                          if (b.at(i / 8, i % 8) == k % kElementsOfMemory) return Real(i);
                        return Real(77);
                      }}};
      rows.push_back(on_one_simdgroup(row));
    }
  return rows;
}
SPRUE_MATRIX(SimdgroupMatrixPlaces, place_rows)

// Products.
using Matrix = std::vector<Real>;  // 64 elements
Matrix random_matrix(const Element& e, uint64_t seed) { return uniform(64, -2, 2, seed, e.dtype); }

// In the order that is promised: fused steps in float along the columns of A.
float in_order(const Matrix& a, const Matrix& b, float start, int64_t i) {
  float sum = start;
  for (int64_t k = 0; k < 8; ++k)
    sum = std::fma(static_cast<float>(a[static_cast<size_t>(i / 8 * 8 + k)]),
                   static_cast<float>(b[static_cast<size_t>(k * 8 + i % 8)]), sum);
  return sum;
}
Real exact(const Matrix& a, const Matrix& b, Real start, int64_t i) {
  for (int64_t k = 0; k < 8; ++k)
    start += a[static_cast<size_t>(i / 8 * 8 + k)] * b[static_cast<size_t>(k * 8 + i % 8)];
  return start;
}

// D = A B + C for every type of each, in one kernel a type of D.
std::vector<Row> product_rows() {
  std::vector<Row> rows;
  for (const Element& d : kElements)
    for (const bool to_the_bit : {true, false}) {
      Row row{.name = d.name + (to_the_bit ? "_to_the_bit" : "_near_the_exact_product")};
      row.kernel = "products_to_" + d.name;
      row.body = fmt::format("simdgroup_{}8x8 d;\n", d.name);
      for (const char* operand : {"a", "b", "c"})
        for (const Element& e : kElements)
          row.body += fmt::format("simdgroup_{0}8x8 {1}{2}; simdgroup_load({1}{2}, in_{1}{2});\n",
                                  e.name, operand, e.letter);
      struct Product {
        Matrix a, b, c;
      };
      auto products = std::make_shared<std::vector<Product>>();
      for (size_t a = 0; a < 3; ++a)
        for (size_t b = 0; b < 3; ++b) {
          for (size_t c = 0; c < 3; ++c) {
            row.body += fmt::format(
                "simdgroup_multiply_accumulate(d, a{}, b{}, c{}); simdgroup_store(d, y + {});\n",
                kElements[a].letter, kElements[b].letter, kElements[c].letter,
                64 * products->size());
            products->push_back({random_matrix(kElements[a], 1 + a),
                                 random_matrix(kElements[b], 4 + b),
                                 random_matrix(kElements[c], 7 + c)});
          }
          row.body += fmt::format("simdgroup_multiply(d, a{}, b{}); simdgroup_store(d, y + {});\n",
                                  kElements[a].letter, kElements[b].letter, 64 * products->size());
          products->push_back({random_matrix(kElements[a], 1 + a),
                               random_matrix(kElements[b], 4 + b), Matrix(64, 0)});
        }
      for (size_t e = 0; e < 3; ++e) {
        const Element& element = kElements[e];
        row.inputs.push_back(
            {"in_a" + element.letter, make_array(element.dtype, random_matrix(element, 1 + e))});
        row.inputs.push_back(
            {"in_b" + element.letter, make_array(element.dtype, random_matrix(element, 4 + e))});
        row.inputs.push_back(
            {"in_c" + element.letter, make_array(element.dtype, random_matrix(element, 7 + e))});
      }
      Output y{"y", d.dtype, {static_cast<int64_t>(products->size()), 64}, [=](int64_t k) -> Real {
                 const Product& p = (*products)[static_cast<size_t>(k / 64)];
                 const Real start = p.c[static_cast<size_t>(k % 64)];
                 return to_the_bit ? Real(in_order(p.a, p.b, static_cast<float>(start), k % 64))
                                   : exact(p.a, p.b, start, k % 64);
               }};
      // Eight steps, each of at most 34 in size and half an ulp of float off; then the last rounding.
      if (!to_the_bit) y.ulps = 0.5, y.absolute = 8 * 34 * 0x1p-24;
      row.outputs = {y};
      rows.push_back(on_one_simdgroup(row));
    }
  return rows;
}
SPRUE_MATRIX(SimdgroupMatrixProducts, product_rows)

std::vector<Row> further_rows() {
  std::vector<Row> rows;
  std::vector<Real> a = uniform(64, -2, 2, 21), b = uniform(64, -2, 2, 22);
  const auto held = [](int64_t i, int64_t lanes) { return kLaneOf[i / 8][i % 8 / 2] < lanes; };
  // Twenty lanes: the elements of the others are zeros, and nothing is stored for them.
  rows.push_back(on_one_simdgroup(
      {.name = "some_lanes_missing",
       .body = "simdgroup_float8x8 a, b, d; simdgroup_load(a, x); simdgroup_load(b, z);\n"
               "simdgroup_multiply(d, a, b); simdgroup_store(d, y);",
       .inputs = {{"x", make_array(float32, a)}, {"z", make_array(float32, b)}},
       .outputs = {{"y",
                    float32,
                    {64},
                    [=](int64_t i) -> Real {
                      Matrix left = a, right = b;
                      for (int64_t k = 0; k < 64; ++k)
                        if (!held(k, 20))
                          left[static_cast<size_t>(k)] = right[static_cast<size_t>(k)] = 0;
                      return held(i, 20) ? Real(in_order(left, right, 0, i)) : 77;
                    }}}},
      20));
  // The result in place of an operand, in a loop, with several simdgroups at once: powers of a matrix.
  Row powers{.name = "powers_in_place",
             .body =
                 "uint sg = simdgroup_index_in_threadgroup; simdgroup_float8x8 m, p(1);\n"
                 "simdgroup_load(m, x + 64 * (sg % 2));\n"
                 "for (uint k = 0; k < sg; ++k) simdgroup_multiply(p, p, m);\n"
                 "simdgroup_store(p, y + 64 * sg);",
             .inputs = {},
             .outputs = {{"y", float32, {4, 64}, [=](int64_t i) {
                            const Matrix& m = i / 64 % 2 ? b : a;
                            Matrix p(64, 0);
                            for (size_t k = 0; k < 8; ++k) p[9 * k] = 1;
                            for (int64_t n = 0; n < i / 64; ++n) {
                              Matrix next;
                              for (int64_t k = 0; k < 64; ++k)
                                next.push_back(Real(in_order(p, m, 0, k)));
                              p = next;
                            }
                            return p[static_cast<size_t>(i % 64)];
                          }}}};
  std::vector<Real> both = a;
  both.insert(both.end(), b.begin(), b.end());
  powers.inputs = {{"x", make_array(float32, both)}};
  powers = on_one_simdgroup(powers);
  powers.grid = powers.threadgroup = {128, 1, 1};
  rows.push_back(powers);
  // An array of accumulators, and elements that lanes change on their own.
  rows.push_back(on_one_simdgroup(
      {.name = "array_of_accumulators",
       .body =
           "simdgroup_float8x8 a, b, sums[3];\n"
           "for (int k = 0; k < 3; ++k) sums[k] = make_filled_simdgroup_matrix<float, 8, 8>(k);\n"
           "simdgroup_load(a, x); simdgroup_load(b, z, 8, 0, true);\n"
           "for (int k = 0; k < 3; ++k) {\n"
           "  simdgroup_multiply_accumulate(sums[k], a, b, sums[k]);\n"
           "  thread auto& e = sums[k].thread_elements(); e[0] = max(e[0], 0.0f); e[1] = max(e[1], "
           "0.0f);\n"
           "  simdgroup_store(sums[k], y + k * 64);\n}",
       .inputs = {{"x", make_array(float32, a)}, {"z", make_array(float32, b)}},
       .outputs = {{"y", float32, {3, 64}, [=](int64_t i) {
                      Matrix turned;
                      for (size_t k = 0; k < 64; ++k) turned.push_back(b[k % 8 * 8 + k / 8]);
                      return std::max(Real(in_order(a, turned, static_cast<float>(i / 64), i % 64)),
                                      Real(0));
                    }}}}));
  return rows;
}
SPRUE_MATRIX(SimdgroupMatrixFurther, further_rows)

}  // namespace
}  // namespace sprue::language
