// Vectors at addresses that are aligned for their elements only: what `(const device float4*)(x + 1)`
// reads on the hardware that people have. Once in a kernel that is a loop over threads, once in one
// whose threads wait.
#include <fmt/format.h>

#include "language/vector_table.h"

namespace sprue::language {
namespace {

constexpr int64_t kThreads = 13;
constexpr const char* kWait = "threadgroup_barrier(mem_flags::mem_none);\n";

void in_both_modes(std::vector<Row>& rows, Row row) {
  row.name += "_loop";
  rows.push_back(row);
  row.name.replace(row.name.size() - 4, 4, "waiting");
  row.body = kWait + row.body;
  rows.push_back(row);
}

Real of_type(Dtype type, int64_t k) { return type == bool_ ? Real(k % 3 == 1) : Real(k % 101); }

// Thread i reads vectors of 2, 3 and 4 components at element i, and writes each behind an element that
// nobody writes: y[i, N - 2, 1...].
Row vectors_anywhere(const std::string& name, const std::vector<Dtype>& types) {
  constexpr int64_t kSlot = 6;
  Row row{.name = "vectors_of_" + name};
  row.header = R"(
    template <typename V, typename T>
    void move(const device T* x, device T* slot, int count) {
      const device V* from = (const device V*)x;
      V v = *from;
      *(device V*)(slot + 1) = v;
      slot[count + 1] = from->y;
    }
  )";
  row.body = "uint i = thread_position_in_grid.x;\n";
  for (Dtype type : types) {
    const std::string element = element_name(type);
    for (int count = 2; count <= 4; ++count)
      row.body += fmt::format("move<{0}{1}>({0}s + i, {0}_out + i * 18 + {2}, {1});\n", element,
                              count, (count - 2) * kSlot);
    std::vector<Real> values;
    for (int64_t k = 0; k < kThreads + 4; ++k) values.push_back(of_type(type, k));
    row.inputs.push_back({element + "s", make_array(type, values)});
    row.outputs.push_back({element + "_out", type, {kThreads, 3, kSlot}, [=](int64_t index) {
                             const int64_t k = index % kSlot, count = index / kSlot % 3 + 2,
                                           i = index / kSlot / 3;
                             if (k >= 1 && k <= count) return of_type(type, i + k - 1);
                             if (k == count + 1) return of_type(type, i + 1);
                             return Real(type == bool_ ? 1 : 77);  // not written
                           }});
  }
  row.grid = {kThreads, 1, 1};
  row.threadgroup = {8, 1, 1};
  return row;
}

// Every way to name such a place, in the memory of the device, of a group and of a thread.
Row every_access() {
  Row row{.name = "every_access"};
  row.header =
      "struct Pair { float4 first; int2 second; };\n"
      "struct alignas(16) Block { float a[8]; };\n"
      "float total(const device float4& v) { return v.x + v.y + v.z + v.w; }\n"
      "void scale(threadgroup float4& v) { v *= 2; }\n"
      "template <typename V> V fetch(const device float* p, int k) { return ((const device "
      "V*)p)[k]; "
      "}\n";
  row.body = R"(
    uint i = thread_position_in_grid.x;
    const device float* p = x + i + 1;
    threadgroup float shared[8 * 40];
    threadgroup float* own = shared + 40 * thread_index_in_threadgroup + i % 3 + 1;
    thread float array[16];
    device float* out = y + i * 12;
    out[0] = total(*(const device float4*)p);
    out[1] = ((const device Pair*)p)[0].first.w;
    Pair pair = *(const device Pair*)p;
    out[2] = pair.first.z + as_type<float>(pair.second.y);
    Block block = *reinterpret_cast<const device Block*>(p);
    out[3] = block.a[7];
    *(threadgroup Block*)own = block;
    ((threadgroup float4*)own)[2] = fetch<float4>(p, 1).wzyx;
    scale(((threadgroup float4*)own)[1]);
    out[4] = own[4] + own[8];
    threadgroup float4& alias = *(threadgroup float4*)(own + 1);
    alias.yz += 1;
    out[5] = own[2];
    for (int k = 0; k < 16; ++k) array[k] = p[k];
    *(thread float4*)(array + 1 + i % 2) *= 3;
    out[6] = array[1 + i % 2] + array[7];
    float2 wide = *(const device float2*)p;
    half4 narrow = *(const device half4*)((const device half*)p + 1);
    out[7] = wide.y; out[8] = dot(float4(narrow), float4(0, 1, 0, 0));
    *(device float3*)(out + 9) = float3(1, 2, 3);
  )";
  // A float of a small integer as two halves: its low half is 0, its high half is what x.z holds.
  std::vector<Real> values;
  for (int64_t k = 0; k < kThreads + 20; ++k) values.push_back(Real(k % 5 == 0 ? 2 : k));
  const auto x = [values](int64_t k) { return values[static_cast<size_t>(k)]; };
  row.inputs = {{"x", make_array(float32, values)}};
  row.outputs = {{"y", float32, {kThreads, 12}, [x](int64_t index) -> Real {
                    const int64_t p = index / 12 + 1;
                    switch (index % 12) {
                      case 0:
                        return x(p) + x(p + 1) + x(p + 2) + x(p + 3);
                      case 1:
                        return x(p + 3);
                      case 2:
                        return x(p + 2) + x(p + 5);
                      case 3:
                        return x(p + 7);
                      case 4:
                        return x(p + 4) * 2 + x(p + 7);
                      case 5:
                        return x(p + 2) + 1;
                      case 6:
                        return x(p + 1 + (p - 1) % 2) * 3 + x(p + 7);
                      case 7:
                        return x(p + 1);
                      case 8:
                        return 0;
                      default:
                        return Real(index % 12 - 8);
                    }
                  }}};
  row.grid = {kThreads, 1, 1};
  row.threadgroup = {8, 1, 1};
  return row;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  in_both_modes(all, vectors_anywhere("one_byte", {bool_, uint8, int8}));
  in_both_modes(all, vectors_anywhere("two_bytes", {uint16, int16, float16, bfloat16}));
  in_both_modes(all, vectors_anywhere("more_bytes", {uint32, int32, float32, uint64, int64}));
  in_both_modes(all, every_access());
  return all;
}
SPRUE_MATRIX(VectorAlignment, rows)

}  // namespace
}  // namespace sprue::language
