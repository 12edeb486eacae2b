#include "language/vector_table.h"

#include <fmt/format.h>

#include <map>

namespace sprue::language {

namespace {

// Writes a vector of exactly the output's element type.
constexpr char kStore[] = R"(
template <typename R, int N>
void store(device R* out, vec<R, N> v) {
  for (int k = 0; k < N; ++k) out[k] = v[k];
}
template <int N>
void store(device int8_t* out, vec<char, N> v) {
  for (int k = 0; k < N; ++k) out[k] = v[k];
}
)";

}  // namespace

const char* element_name(Dtype dtype) {
  switch (dtype) {
    case bool_:
      return "bool";
    case uint8:
      return "uchar";
    case uint16:
      return "ushort";
    case uint32:
      return "uint";
    case uint64:
      return "ulong";
    case int8:
      return "char";
    case int16:
      return "short";
    case int32:
      return "int";
    case int64:
      return "long";
    case float16:
      return "half";
    case bfloat16:
      return "bfloat";
    default:
      return "float";
  }
}

std::string vector_name(Dtype dtype, int count) {
  return fmt::format("{}{}", element_name(dtype), count);
}

Row make_row(const VectorTable& table) {
  constexpr int kCounts[] = {2, 3, 4};
  const int64_t threads = static_cast<int64_t>(table.operands[0].size()) / 4;
  Row row{.name = table.name, .header = table.header + kStore};
  row.grid = {threads, 1, 1};
  row.threadgroup = {std::min<int64_t>(threads, 64), 1, 1};
  std::vector<Array> arrays;
  for (size_t k = 0; k < table.operands.size(); ++k) {
    arrays.push_back(make_array(table.element, table.operands[k]));
    row.inputs.push_back({fmt::format("in_{}", static_cast<char>('a' + k)), arrays.back()});
  }

  struct Slot {
    const VectorExpression* expression;
    int count;
  };
  std::map<std::pair<Dtype, double>, std::vector<Slot>> groups;
  const auto output_name = [](Dtype type, double ulps) {
    return fmt::format("out_{}_{}", dtype_name(type), static_cast<int>(ulps * 10));
  };
  // A kernel that waits isn't vectorised across its threads, which for so many expressions takes long.
  row.body = fmt::format(
      "threadgroup_barrier(mem_flags::mem_none);\nuint i = thread_position_in_grid.x;\ntypedef {} "
      "T;\n",
      element_name(table.element));
  for (int count : kCounts) {
    const std::string type = vector_name(table.element, count);
    row.body += fmt::format("{{\nconst int N = {};\n", count);
    for (size_t k = 0; k < table.operands.size(); ++k) {
      const char letter = static_cast<char>('a' + k);
      std::string parts;
      for (int j = 0; j < count; ++j)
        parts += fmt::format("{}in_{}[4 * i + {}]", j ? ", " : "", letter, j);
      row.body += fmt::format("const {} {} = {}({});\n", type, letter, type, parts);
    }
    if (table.operands.size() > 1) row.body += "const T s = b.x;\n";
    for (size_t k = 0; k < table.expressions.size(); ++k) {
      const VectorExpression& expression = table.expressions[k];
      if (expression.one_count && kCounts[k % 3] != count) continue;
      auto& slots = groups[{expression.type, expression.ulps}];
      // A slot of four components each.
      row.body += fmt::format("store({} + 4 * ({} * {} + i), {});\n",
                              output_name(expression.type, expression.ulps), slots.size(), threads,
                              expression.text);
      slots.push_back({&expression, count});
    }
    row.body += "}\n";
  }
  const auto expressions = std::make_shared<std::vector<VectorExpression>>(table.expressions);
  for (const auto& [group, slots] : groups) {
    std::vector<std::pair<VectorExpression, int>> held;
    for (const Slot& slot : slots) held.emplace_back(*slot.expression, slot.count);
    Output output{output_name(group.first, group.second), group.first};
    output.shape = {static_cast<int64_t>(slots.size()), threads, 4};
    output.ulps = group.second;
    output.expected = [held, arrays, threads](int64_t index) -> Real {
      const auto& [expression, count] = held[static_cast<size_t>(index / 4 / threads)];
      const int64_t component = index % 4, thread = index / 4 % threads;
      if (component >= count) return 77;  // not written
      Real operands[3] = {0, 0, 0};
      for (size_t k = 0; k < arrays.size(); ++k)
        operands[k] =
            value_at(arrays[k], 4 * thread + (k == 1 && expression.first_of_b ? 0 : component));
      return expression.expected(operands[0], operands[1], operands[2]);
    };
    output.element_text = [held, threads](int64_t index) {
      const auto& [expression, count] = held[static_cast<size_t>(index / 4 / threads)];
      return fmt::format("{} (N = {}, component {})", expression.text, count, index % 4);
    };
    row.outputs.push_back(std::move(output));
  }
  return row;
}

}  // namespace sprue::language
