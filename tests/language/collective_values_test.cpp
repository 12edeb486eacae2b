// Every simd_ and quad_ function on every type: all lanes, some of them, simdgroups that aren't full, and
// the edge groups of grids with two and three axes.
#include <fmt/format.h>

#include <memory>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

// The type of the kernel's values: N components of a dtype.
struct ValueType {
  std::string name;
  Dtype dtype;
  int64_t components = 1;
};

// How threads are grouped, and which of them call.
struct Setting {
  std::string name;
  Size3 grid, group;
  std::function<bool(int64_t)> calls;

  int64_t threads() const { return grid.x * grid.y * grid.z; }
};

std::vector<Setting> settings() {
  const auto all = [](int64_t) { return true; };
  const auto thirds = [](int64_t i) { return i % 3 == 1; };
  const auto scattered = [](int64_t i) { return (i * 7919 + i / 5) % 7 < 3; };
  return {
      {"all_in_32", {203, 1, 1}, {32, 1, 1}, all},
      {"all_in_50", {203, 1, 1}, {50, 1, 1}, all},
      {"all_in_5", {203, 1, 1}, {5, 1, 1}, all},
      {"thirds_in_96", {203, 1, 1}, {96, 1, 1}, thirds},
      {"scattered_in_33", {203, 1, 1}, {33, 1, 1}, scattered},
      {"all_in_16_4", {37, 5, 1}, {16, 4, 1}, all},
      {"all_in_8_8_2", {33, 3, 2}, {8, 8, 2}, all},
      {"scattered_in_4_4_3", {7, 9, 4}, {4, 4, 3}, scattered},
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
  std::vector<Real> v, w;       // threads * components
  std::vector<Real> at, calls;  // threads
  // Of each thread, filled at the first use: its simdgroup by component, and where it is in that.
  std::vector<Lanes> lanes;
  std::vector<int64_t> lane;
};

// What a simdgroup looks like for one component.
Lanes lanes_of(const Data& data, const ValueType& type, const Simdgroup& simdgroup,
               int64_t component) {
  Lanes lanes;
  lanes.type = type.dtype;
  for (size_t lane = 0; lane < simdgroup.threads.size(); ++lane) {
    const auto thread = static_cast<size_t>(simdgroup.threads[lane]);
    const auto element = static_cast<size_t>(simdgroup.threads[lane] * type.components + component);
    lanes.v[lane] = data.v[element];
    lanes.w[lane] = data.w[element];
    lanes.at[lane] = static_cast<uint32_t>(data.at[thread]);
    if (data.calls[thread] != 0) lanes.active |= 1u << lane;
  }
  return lanes;
}

Row make_row(const ValueType& type, const Setting& setting, const std::string& group,
             int64_t width) {
  auto data = std::make_shared<Data>();
  const int64_t threads = setting.threads();
  data->v = random_values(type.dtype, threads * type.components, 5);
  data->w = random_values(type.dtype, threads * type.components, 6);
  for (int64_t i = 0; i < threads; ++i) {
    data->at.push_back(Real((i * 13 + i / 7) % (width + 2)));  // some lanes don't exist
    data->calls.push_back(setting.calls(i));
  }
  auto functions = std::make_shared<std::vector<LaneFunction>>();
  for (LaneFunction& function : lane_functions(group, width))
    if (accepts(function.takes, type.dtype)) functions->push_back(function);

  Row row{.name = fmt::format("{}_of_{}_{}", group, type.name, setting.name)};
  row.kernel = fmt::format("{}_of_{}", group, type.name);
  row.body = fmt::format(
      "uint3 p = thread_position_in_grid, size = threads_per_grid;\n"
      "uint i = p.x + size.x * (p.y + size.y * p.z), n = size.x * size.y * size.z;\n"
      "{} v, w;\nushort at = where[i];\n",
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
  row.outputs = {{"y", type.dtype, {count, threads, components}, [=](int64_t index) {
                    const int64_t c = index % components, i = index / components % threads;
                    const auto k = static_cast<size_t>(index / components / threads);
                    if (data->calls[static_cast<size_t>(i)] == 0) return Real(77);  // poison
                    if (data->lanes.empty())
                      for (int64_t t = 0; t < threads; ++t) {
                        const Simdgroup simdgroup = simdgroup_of(setting.grid, setting.group, t);
                        data->lane.push_back(simdgroup.lane);
                        for (int64_t each = 0; each < components; ++each)
                          data->lanes.push_back(lanes_of(*data, type, simdgroup, each));
                      }
                    const Lanes& lanes = data->lanes[static_cast<size_t>(i * components + c)];
                    const int64_t lane = data->lane[static_cast<size_t>(i)];
                    return (*functions)[k].expected(lanes, lane);
                  }}};
  row.outputs[0].element_text = [=](int64_t index) {
    return (*functions)[static_cast<size_t>(index / components / threads)].text;
  };
  row.grid = setting.grid;
  row.threadgroup = setting.group;
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

}  // namespace
}  // namespace sprue::language
