// Every simd_ and quad_ function on every type: all lanes, some of them, and simdgroups that aren't full.
#include <fmt/format.h>

#include <bit>
#include <memory>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr int64_t kThreads = 203;

// The type of the kernel's values: N components of a dtype.
struct ValueType {
  std::string name;
  Dtype dtype;
  int64_t components = 1;
};

// Which threads call, and how large a group is.
struct Setting {
  std::string name;
  int64_t group;
  std::function<bool(int64_t)> calls;
};

std::vector<Setting> settings() {
  return {
      {"all_in_32", 32, [](int64_t) { return true; }},
      {"all_in_50", 50, [](int64_t) { return true; }},
      {"all_in_5", 5, [](int64_t) { return true; }},
      {"thirds_in_96", 96, [](int64_t i) { return i % 3 == 1; }},
      {"scattered_in_33", 33, [](int64_t i) { return (i * 7919 + i / 5) % 7 < 3; }},
  };
}

std::vector<Real> random_values(Dtype type, int64_t count, uint64_t seed) {
  std::vector<Real> values;
  const int bits = static_cast<int>(8 * dtype_size(type));
  const Real half = std::ldexp(1.0L, bits - 1);
  const Real low = type == bool_ ? 0 : dtype_is_floating(type) ? -2 : type >= int8 ? -half : 0;
  const Real high = type == bool_             ? 2
                    : dtype_is_floating(type) ? 2
                    : type >= int8            ? half
                                              : 2 * half;
  // In parts, because a uniform number has fewer bits than an int64.
  const std::vector<Real> coarse = uniform(count, low, high, seed, float64);
  for (int64_t i = 0; i < count; ++i) {
    const Real value = coarse[static_cast<size_t>(i)];
    values.push_back(type == bool_             ? Real(value >= 1)
                     : dtype_is_floating(type) ? rounded(value, type)
                                               : decode(encode(std::trunc(value), type), type));
  }
  if (dtype_is_floating(type)) values[1] = values[2] = -0.0L;
  return values;
}

struct Data {
  std::vector<Real> v, w;       // kThreads * components
  std::vector<Real> at, calls;  // kThreads
  std::vector<Lanes> lanes;     // of each thread's simdgroup, by component; filled at its first use
};

// What the simdgroup of thread i looks like for one component.
Lanes lanes_of(const Data& data, const ValueType& type, const Setting& setting, int64_t i,
               int64_t component) {
  Lanes lanes;
  lanes.type = type.dtype;
  const int64_t begin = i / setting.group * setting.group;
  const int64_t first = begin + (i - begin) / 32 * 32;
  const int64_t last = std::min({first + 32, begin + setting.group, kThreads});
  for (int64_t k = first; k < last; ++k) {
    const auto lane = static_cast<size_t>(k - first);
    const auto element = static_cast<size_t>(k * type.components + component);
    lanes.v[lane] = data.v[element];
    lanes.w[lane] = data.w[element];
    lanes.at[lane] = static_cast<uint32_t>(data.at[static_cast<size_t>(k)]);
    if (data.calls[static_cast<size_t>(k)] != 0) lanes.active |= 1u << lane;
  }
  return lanes;
}

Row make_row(const ValueType& type, const Setting& setting, const std::string& group,
             int64_t width) {
  auto data = std::make_shared<Data>();
  data->v = random_values(type.dtype, kThreads * type.components, 5);
  data->w = random_values(type.dtype, kThreads * type.components, 6);
  for (int64_t i = 0; i < kThreads; ++i) {
    data->at.push_back(Real((i * 13 + i / 7) % (width + 2)));  // some lanes don't exist
    data->calls.push_back(setting.calls(i));
  }
  auto functions = std::make_shared<std::vector<LaneFunction>>();
  for (LaneFunction& function : lane_functions(group, width))
    if (accepts(function.takes, type.dtype)) functions->push_back(function);

  Row row{.name = fmt::format("{}_of_{}_{}", group, type.name, setting.name)};
  row.kernel = fmt::format("{}_of_{}", group, type.name);
  row.body = fmt::format(
      "uint i = thread_position_in_grid.x, n = threads_per_grid.x;\n{} v, w;\nushort at = "
      "where[i];\n",
      type.name);
  const std::string letters = "xyzw";
  const auto part = [&](int64_t c) {
    return type.components == 1 ? std::string() : "." + letters.substr(static_cast<size_t>(c), 1);
  };
  for (int64_t c = 0; c < type.components; ++c)
    row.body += fmt::format("v{0} = values[i * {1} + {2}]; w{0} = others[i * {1} + {2}];\n",
                            part(c), type.components, c);
  row.body += "if (calls[i]) {\n" + type.name + " r;\n";
  for (size_t k = 0; k < functions->size(); ++k) {
    row.body += fmt::format("r = {};", (*functions)[k].text);
    for (int64_t c = 0; c < type.components; ++c)
      row.body += fmt::format(" y[({} * n + i) * {} + {}] = r{};", k, type.components, c, part(c));
    row.body += "\n";
  }
  row.body += "}\n";
  row.inputs = {{"values", make_array(type.dtype, data->v)},
                {"others", make_array(type.dtype, data->w)},
                {"where", make_array(uint8, data->at)},
                {"calls", make_array(bool_, data->calls)}};
  const int64_t components = type.components;
  const auto count = static_cast<int64_t>(functions->size());
  row.outputs = {{"y", type.dtype, {count, kThreads, components}, [=](int64_t index) {
                    const int64_t c = index % components, i = index / components % kThreads;
                    const auto k = static_cast<size_t>(index / components / kThreads);
                    if (data->calls[static_cast<size_t>(i)] == 0) return Real(77);  // poison
                    if (data->lanes.empty())
                      for (int64_t t = 0; t < kThreads * components; ++t)
                        data->lanes.push_back(
                            lanes_of(*data, type, setting, t / components, t % components));
                    const Lanes& lanes = data->lanes[static_cast<size_t>(i * components + c)];
                    const int64_t lane = (i % setting.group) % 32;
                    return (*functions)[k].expected(lanes, lane);
                  }}};
  row.outputs[0].element_text = [=](int64_t index) {
    return (*functions)[static_cast<size_t>(index / components / kThreads)].text;
  };
  row.grid = {kThreads, 1, 1};
  row.threadgroup = {setting.group, 1, 1};
  return row;
}

std::vector<Row> rows_of(const std::vector<ValueType>& types) {
  std::vector<Row> rows;
  for (const ValueType& type : types)
    for (const Setting& setting : settings()) {
      rows.push_back(make_row(type, setting, "simd", 32));
      rows.push_back(make_row(type, setting, "quad", 4));
    }
  return rows;
}

std::vector<Row> scalar_rows() {
  return rows_of({{"float", float32},
                  {"half", float16},
                  {"bfloat", bfloat16},
                  {"int", int32},
                  {"uint", uint32},
                  {"long", int64},
                  {"ulong", uint64},
                  {"short", int16},
                  {"ushort", uint16},
                  {"char", int8},
                  {"uchar", uint8},
                  {"bool", bool_}});
}
SPRUE_MATRIX(CollectiveScalars, scalar_rows)

std::vector<Row> vector_rows() {
  return rows_of({{"float2", float32, 2},
                  {"half3", float16, 3},
                  {"bfloat4", bfloat16, 4},
                  {"ulong4", uint64, 4}});
}
SPRUE_MATRIX(CollectiveVectors, vector_rows)

// Every distance and mask, also senseless ones, in a loop.
Row distances(const std::string& group, int64_t width) {
  struct Function {
    std::string call;
    Real (*expected)(const Lanes&, int64_t lane, int64_t width, int64_t distance);
    int64_t width;
  };
  std::vector<Function> functions = {{"shuffle_xor(v, d)", moved_by_xor, width},
                                     {"shuffle_up(v, d)", moved_up, width},
                                     {"shuffle_down(v, d)", moved_down, width},
                                     {"shuffle_rotate_up(v, d)", rotated_up, width},
                                     {"shuffle_rotate_down(v, d)", rotated_down, width}};
  for (int64_t piece = 2; piece <= width; piece *= 2) {
    functions.push_back(
        {fmt::format("shuffle_and_fill_up(v, v + 1000, d, {})", piece), filled_from_below, piece});
    functions.push_back({fmt::format("shuffle_and_fill_down(v, v + 1000, d, {})", piece),
                         filled_from_above, piece});
  }
  const int64_t threads = 45, count = width + 3;  // 32 lanes and 13
  const auto calls = [](int64_t i) { return i % 5 != 3; };
  Row row{.name = group};
  row.kernel = "distances_of_" + group;
  row.body = fmt::format(
      "uint i = thread_position_in_grid.x; int v = 100 + i;\n"
      "for (ushort d = 0; d < {}; ++d) {{\n if (i % 5 == 3) continue;\n",
      count);
  for (size_t k = 0; k < functions.size(); ++k)
    row.body += fmt::format(" y[({} * {} + d) * {} + i] = {}_{};\n", k, count, threads, group,
                            functions[k].call);
  row.body += "}\n";
  row.outputs = {
      {"y", int32, {static_cast<int64_t>(functions.size()), count, threads}, [=](int64_t index) {
         const int64_t i = index % threads, d = index / threads % count;
         const Function& function = functions[static_cast<size_t>(index / threads / count)];
         if (!calls(i)) return Real(77);
         Lanes lanes{.type = int32};
         for (int64_t k = i / 32 * 32; k < std::min(threads, i / 32 * 32 + 32); ++k) {
           lanes.v[static_cast<size_t>(k % 32)] = Real(100 + k);
           lanes.w[static_cast<size_t>(k % 32)] = Real(1100 + k);
           if (calls(k)) lanes.active |= 1u << k % 32;
         }
         return function.expected(lanes, i % 32, function.width, d);
       }}};
  row.outputs[0].element_text = [=](int64_t index) {
    return fmt::format("{}, d = {}", functions[static_cast<size_t>(index / threads / count)].call,
                       index / threads % count);
  };
  row.grid = {threads, 1, 1};
  row.threadgroup = {threads, 1, 1};
  return row;
}

std::vector<Row> distance_rows() { return {distances("simd", 32), distances("quad", 4)}; }
SPRUE_MATRIX(MoveDistances, distance_rows)

// complex64_t moves as one value.
std::vector<Row> complex_rows() {
  Row row{.name = "moves"};
  row.kernel = "moves_of_complex64";
  row.body =
      "uint i = thread_position_in_grid.x, n = threads_per_grid.x;\n"
      "complex64_t v(float(i) + 0.5f, -float(i)), w(7, float(i)), r[6];\n"
      "if (i % 3 == 1) return;\n"
      "r[0] = simd_shuffle(v, i % 7); r[1] = simd_shuffle_xor(v, 9); r[2] = simd_shuffle_down(v, "
      "2);\n"
      "r[3] = simd_shuffle_and_fill_up(v, w, 2); r[4] = simd_broadcast_first(v); r[5] = "
      "quad_shuffle_up(v, 1);\n"
      "for (uint k = 0; k < 6; ++k) { re[k * n + i] = r[k].real; im[k * n + i] = r[k].imag; }";
  const auto expected = [](int64_t index, bool real) {
    const int64_t i = index % 64, k = index / 64;
    if (i % 3 == 1) return Real(77);
    Lanes lanes;
    for (int64_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      const auto lane = static_cast<size_t>(j % 32);
      lanes.v[lane] = real ? Real(j) + 0.5L : -Real(j);
      lanes.w[lane] = real ? Real(7) : Real(j);
      if (j % 3 != 1) lanes.active |= 1u << lane;
    }
    const int64_t lane = i % 32, by_index = i % 7;
    switch (k) {
      case 0:
        return lanes.v[static_cast<size_t>(lanes.is_active(by_index) ? by_index : lane)];
      case 1:
        return moved_by_xor(lanes, lane, 32, 9);
      case 2:
        return moved_down(lanes, lane, 32, 2);
      case 3:
        return filled_from_below(lanes, lane, 32, 2);
      case 4:
        return lanes.v[static_cast<size_t>(std::countr_zero(lanes.active))];
      default:
        return moved_up(lanes, lane, 4, 1);
    }
  };
  row.outputs = {{"re", float32, {6, 64}, [=](int64_t index) { return expected(index, true); }},
                 {"im", float32, {6, 64}, [=](int64_t index) { return expected(index, false); }}};
  row.grid = {64, 1, 1};
  row.threadgroup = {64, 1, 1};
  return {row};
}
SPRUE_MATRIX(CollectiveComplex, complex_rows)

}  // namespace
}  // namespace sprue::language
