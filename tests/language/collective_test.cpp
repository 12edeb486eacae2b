// simd_sum, simd_max, simd_min: the bits of the butterfly, which lanes take part, and how lanes are
// numbered.
#include <fmt/format.h>

#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr int64_t kWidth = 32;

// The butterfly by XOR 16, 8, 4, 2, 1 over 32 lanes, `identity` in place of the missing ones, each
// step rounded to `step_type`.
Real butterfly(std::vector<Real> lanes, Real identity, Dtype step_type,
               Real (*combine)(Real, Real)) {
  lanes.resize(kWidth, identity);
  for (int64_t step = 16; step > 0; step /= 2) {
    std::vector<Real> next;
    for (int64_t lane = 0; lane < kWidth; ++lane)
      next.push_back(rounded(
          combine(lanes[static_cast<size_t>(lane)], lanes[static_cast<size_t>(lane ^ step)]),
          step_type));
    lanes = next;
  }
  return lanes[0];
}

Real add(Real a, Real b) { return a + b; }
Real larger(Real a, Real b) { return std::isnan(a) || b > a ? b : a; }
Real smaller(Real a, Real b) { return std::isnan(a) || b < a ? b : a; }

Real lowest(Dtype dtype) {
  if (dtype_is_floating(dtype)) return -INFINITY;
  if (dtype < int8) return 0;
  return -std::ldexp(1.0L, static_cast<int>(8 * dtype_size(dtype)) - 1);
}
Real highest(Dtype dtype) {
  if (dtype_is_floating(dtype)) return INFINITY;
  return std::ldexp(1.0L, static_cast<int>(8 * dtype_size(dtype)) - (dtype >= int8)) - 1;
}

// Values of the simdgroup that thread i of a one-dimensional launch is in.
std::vector<Real> lanes_of(const Array& values, int64_t i, int64_t group) {
  const int64_t begin = i / group * group, first = begin + (i - begin) / kWidth * kWidth;
  const int64_t last = std::min({first + kWidth, begin + group, values.size()});
  std::vector<Real> lanes;
  for (int64_t k = first; k < last; ++k) lanes.push_back(value_at(values, k));
  return lanes;
}

// Full simdgroups, partial ones at the end of a group, and a partial last group.
Row reductions(Dtype type, const Array& values, int64_t group, const std::string& name) {
  const Dtype step = type == bfloat16 ? float32 : type;
  Row row{.name = name};
  row.body =
      "uint i = thread_position_in_grid.x;\n"
      "sums[i] = simd_sum(x[i]); tops[i] = metal::simd_max(x[i]); bottoms[i] = simd_min(x[i]);";
  row.inputs = {{"x", values}};
  const auto output = [&](const char* output_name, Real identity, Real (*combine)(Real, Real)) {
    row.outputs.push_back({output_name, type, values.shape(), [=](int64_t i) {
                             return butterfly(lanes_of(values, i, group), identity, step, combine);
                           }});
  };
  output("sums", dtype_is_floating(type) ? -0.0L : 0.0L, add);
  output("tops", lowest(type), larger);
  output("bottoms", highest(type), smaller);
  row.grid = {values.size(), 1, 1};
  row.threadgroup = {group, 1, 1};
  row.kernel = fmt::format("reductions_of_{}", dtype_name(type));
  return row;
}

std::vector<Row> type_rows() {
  std::vector<Row> rows;
  for (Dtype type :
       {float32, float16, bfloat16, int32, uint32, int64, uint64, int16, uint16, int8, uint8})
    for (int64_t group : {32, 64, 33, 50, 96, 7}) {
      std::vector<Real> values;
      const Real scale = type == float16 || type == bfloat16 ? 50
                         : dtype_is_floating(type)           ? 1000
                                                             : highest(type);
      for (Real value : uniform(203, dtype_is_floating(type) ? -scale : lowest(type), scale, 11))
        values.push_back(dtype_is_floating(type) ? value : std::trunc(value));
      rows.push_back(reductions(type, make_array(type, values), group,
                                fmt::format("{}_in_{}", dtype_name(type), group)));
    }
  // 64-bit integers beyond what a float holds, and wrapping.
  rows.push_back(reductions(int64, make_array(int64, std::vector<Real>(40, 9223372036854775807.0L)),
                            40, "int64_wraps"));
  return rows;
}

// The sum of integers wraps at each step: reduce modulo the type.
SPRUE_MATRIX(Collectives, type_rows)

std::vector<Row> special_rows() {
  std::vector<Row> rows;
  for (Dtype type : {float32, float16, bfloat16}) {
    const std::string name(dtype_name(type));
    const auto with = [&](const char* suffix, const std::vector<Real>& values) {
      rows.push_back(reductions(type, make_array(type, values), 32, name + suffix));
    };
    with("_negative_zeros", std::vector<Real>(45, -0.0L));
    std::vector<Real> values(64, 1.0L);
    values[5] = NAN;
    values[40] = INFINITY;
    with("_one_nan", values);
    with("_all_nan", std::vector<Real>(64, NAN));
    values.assign(64, -INFINITY);
    with("_all_negative_infinity", values);
    values.assign(64, 1e-30L);
    values[3] = INFINITY, values[4] = -INFINITY;
    with("_infinities", values);
    values.assign(48, rounded(1e-40L, type));
    with("_denormals", values);
    values.assign(32, 60000);
    with("_overflow", values);
  }
  return rows;
}
SPRUE_MATRIX(SpecialCollectives, special_rows)

// Lanes are numbered by the linear index in the group as it is, so that in the smaller groups at an
// edge a simdgroup spans rows.
std::vector<Row> shape_rows() {
  std::vector<Row> rows;
  struct Case {
    Size3 grid, group;
  };
  for (const Case& c : {Case{{13, 9, 1}, {8, 8, 1}}, Case{{40, 5, 1}, {32, 4, 1}},
                        Case{{5, 7, 6}, {4, 4, 4}}, Case{{33, 33, 1}, {16, 16, 1}}}) {
    const Size3 grid = c.grid, group = c.group;
    Row r{.name = fmt::format("grid_{}_{}_{}", grid.x, grid.y, grid.z)};
    r.kernel = "lanes";
    r.body =
        "uint3 p = thread_position_in_grid; uint i = (p.z * threads_per_grid.y + p.y) * "
        "threads_per_grid.x + p.x;\n"
        "y[i] = simd_sum(int(i)); z[i] = thread_index_in_simdgroup + 100 * "
        "simdgroup_index_in_threadgroup + 10000 * simdgroups_per_threadgroup;";
    struct Place {
      int64_t linear, count;         // in the group; its threads
      std::vector<int64_t> members;  // grid indices of the group's threads, in order
    };
    const auto place = [=](int64_t i) {
      const int64_t x = i % grid.x, y = i / grid.x % grid.y, z = i / grid.x / grid.y;
      Place result{0, 0, {}};
      for (int64_t k = z / group.z * group.z; k < std::min(grid.z, (z / group.z + 1) * group.z);
           ++k)
        for (int64_t m = y / group.y * group.y; m < std::min(grid.y, (y / group.y + 1) * group.y);
             ++m)
          for (int64_t n = x / group.x * group.x; n < std::min(grid.x, (x / group.x + 1) * group.x);
               ++n) {
            const int64_t index = (k * grid.y + m) * grid.x + n;
            if (index == i) result.linear = result.count;
            ++result.count;
            result.members.push_back(index);
          }
      return result;
    };
    const Shape shape{grid.x * grid.y * grid.z};
    r.outputs = {
        {"y", int32, shape,
         [=](int64_t i) {
           const Place at = place(i);
           Real sum = 0;
           for (int64_t k = at.linear / 32 * 32; k < std::min(at.count, at.linear / 32 * 32 + 32);
                ++k)
             sum += Real(at.members[static_cast<size_t>(k)]);
           return sum;
         }},
        {"z", int32, shape, [=](int64_t i) {
           const Place at = place(i);
           return Real(at.linear % 32 + 100 * (at.linear / 32) + 10000 * ((at.count + 31) / 32));
         }}};
    r.grid = grid;
    r.threadgroup = group;
    rows.push_back(r);
  }
  return rows;
}
SPRUE_MATRIX(Lanes, shape_rows)

}  // namespace
}  // namespace sprue::language
