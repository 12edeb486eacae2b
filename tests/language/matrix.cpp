#include "language/matrix.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace sprue::language {

namespace {

const char* metal_name(Dtype dtype) {
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

// One overload a type: which one is taken tells an expression's type.
std::string kind_functions() {
  std::string text;
  for (Dtype dtype :
       {bool_, uint8, uint16, uint32, uint64, int16, int32, int64, float16, bfloat16, float32})
    text += fmt::format("inline int kind_of({}) {{ return {}; }}\n", metal_name(dtype),
                        static_cast<int>(dtype));
  return text;
}

bool matches(uint64_t got_bits, Real expected, const Output& output) {
  const uint64_t expected_bits = encode(expected, output.dtype);
  if (got_bits == expected_bits) return true;
  const Real got = decode(got_bits, output.dtype);
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if ((output.ulps == 0 && output.absolute == 0) || !dtype_is_floating(output.dtype)) return false;
  if (std::isinf(got)) {  // right where the value may round that far
    const Real largest = rounded(
        expected +
            std::copysign(static_cast<Real>(output.ulps) * ulp(expected, output.dtype), expected),
        output.dtype);
    return largest == got;
  }
  return std::fabs(got - expected) <=
         static_cast<Real>(output.ulps) * ulp(expected, output.dtype) + output.absolute;
}

void compare(const Array& got, const Output& output) {
  ASSERT_EQ(got.dtype(), output.dtype);
  ASSERT_EQ(to_string(got.shape()), to_string(output.shape));
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.size(); ++i) {
    const Real expected = output.expected(i);
    const uint64_t bits = bits_at(got, i);
    if (matches(bits, expected, output)) continue;
    if (wrong++ == 0) {
      const Real value = decode(bits, output.dtype);
      if (output.element_text) first = "`" + output.element_text(i) + "` in ";
      first += fmt::format("{}[{}]: expected {:.10g} ({:#x}), got {:.10g} ({:#x})", output.name, i,
                           expected, encode(expected, output.dtype), value, bits);
      if (dtype_is_floating(output.dtype))
        first +=
            fmt::format(", {:.3g} ulp", std::fabs(value - expected) / ulp(expected, output.dtype));
    }
  }
  EXPECT_EQ(wrong, 0) << wrong << " of " << got.size() << " differ; first " << first;
}

}  // namespace

Row make_row(const ExpressionTable& table) {
  const int64_t count = table.inputs[0].value.size();
  Row row{.name = table.name, .header = table.header + kind_functions(), .inputs = table.inputs};
  row.math = table.math;
  row.grid = {count, 1, 1};
  row.threadgroup = {std::min<int64_t>(count, 128), 1, 1};
  row.body = "uint i = thread_position_in_grid.x;\n";
  for (size_t k = 0; k < table.inputs.size(); ++k) {
    const char letter = static_cast<char>('a' + k);
    row.body += fmt::format("{} {} = {}[i];\n", metal_name(table.inputs[k].value.dtype()), letter,
                            table.inputs[k].name);
  }
  // One output for each type and limit.
  std::map<std::pair<Dtype, double>, std::vector<const Expression*>> groups;
  const auto output_name = [](Dtype type, double ulps) {
    return fmt::format("out_{}_{}", dtype_name(type), static_cast<int>(ulps * 10));
  };
  std::string kinds;
  for (size_t k = 0; k < table.expressions.size(); ++k) {
    const Expression& expression = table.expressions[k];
    auto& slots = groups[{expression.type, expression.ulps}];
    row.body += fmt::format("{}[{} + i] = {};\n", output_name(expression.type, expression.ulps),
                            static_cast<int64_t>(slots.size()) * count, expression.text);
    kinds += fmt::format("kinds[{}] = kind_of({});\n", k, expression.text);
    slots.push_back(&expression);
  }
  row.body += "if (i == 0) {\n" + kinds + "}\n";
  const auto expressions = std::make_shared<std::vector<Expression>>(table.expressions);
  row.outputs.push_back(
      {"kinds", int32, {static_cast<int64_t>(table.expressions.size())}, [expressions](int64_t k) {
         return static_cast<int>((*expressions)[static_cast<size_t>(k)].type);
       }});
  for (const auto& [group, slots] : groups) {
    std::vector<Expression> held;
    for (const Expression* expression : slots) held.push_back(*expression);
    const std::vector<Input> inputs = table.inputs;
    row.outputs.push_back({output_name(group.first, group.second),
                           group.first,
                           {static_cast<int64_t>(slots.size()), count},
                           [held, inputs, count](int64_t index) {
                             Real operands[3] = {0, 0, 0};
                             for (size_t k = 0; k < inputs.size(); ++k)
                               operands[k] = value_at(inputs[k].value, index % count);
                             return held[static_cast<size_t>(index / count)].expected(
                                 operands[0], operands[1], operands[2]);
                           },
                           group.second});
    row.outputs.back().element_text = [held, count](int64_t index) {
      return held[static_cast<size_t>(index / count)].text;
    };
  }
  return row;
}

std::vector<MatrixCase> on_each_device(const std::vector<Row>& rows) {
  std::vector<MatrixCase> cases;
  for (const Device& device : devices())
    for (const Row& row : rows) cases.push_back({device, row});
  return cases;
}

std::vector<RejectedCase> on_each_device(const std::vector<Rejected>& texts) {
  std::vector<RejectedCase> cases;
  for (const Device& device : devices())
    for (const Rejected& rejected : texts) cases.push_back({device, rejected});
  return cases;
}

void check(const MatrixCase& matrix_case) {
  if (const std::string reason = matrix_case.device.missing(); !reason.empty())
    GTEST_SKIP() << reason;
  const Row& row = matrix_case.row;
  KernelOptions options{
      .name = row.kernel.empty() ? row.name : row.kernel, .source = row.body, .header = row.header};
  options.math = row.math;
  options.atomic_outputs = row.atomic_outputs;
  options.ensure_row_contiguous = row.ensure_row_contiguous;
  KernelCall call{.grid = row.grid, .threadgroup = row.threadgroup};
  call.template_arguments = row.template_arguments;
  call.init_value = row.init_value;
  for (const Input& input : row.inputs) {
    options.input_names.push_back(input.name);
    call.inputs.push_back(input.value);
  }
  for (const Output& output : row.outputs) {
    options.output_names.push_back(output.name);
    call.output_shapes.push_back(output.shape);
    call.output_dtypes.push_back(output.dtype);
  }
  try {
    const auto got = matrix_case.device.run(options, call);
    if (!got) return;
    ASSERT_EQ(got->size(), row.outputs.size());
    for (size_t k = 0; k < row.outputs.size(); ++k) compare((*got)[k], row.outputs[k]);
  } catch (const Error& error) {
    FAIL() << error.what() << "\n" << error.details().compile_log;
  }
}

void check(const RejectedCase& rejected_case) {
  if (const std::string reason = rejected_case.device.missing(); !reason.empty())
    GTEST_SKIP() << reason;
  const Rejected& rejected = rejected_case.rejected;
  KernelOptions options{.name = rejected.name, .input_names = {"x"}, .output_names = {"y"}};
  options.source = rejected.body;
  options.header = rejected.header;
  options.source_file = "the_body.metal";
  options.header_file = "the_header.metal";
  KernelCall call{.inputs = {make_array(float32, std::vector<Real>(16, 1))}};
  call.output_shapes = {{16}};
  call.output_dtypes = {rejected.output};
  call.grid = {16, 1, 1};
  call.threadgroup = {16, 1, 1};
  try {
    (void)rejected_case.device.refuse()(options, call);
    FAIL() << "accepted: " << rejected.body;
  } catch (const Error& error) {
    const std::string all = error.message() + "\n" + error.details().compile_log;
    EXPECT_TRUE(error.code() == ErrorCode::compile_failed ||
                error.code() == ErrorCode::invalid_argument)
        << error_code_name(error.code()) << ": " << all;
    EXPECT_NE(all.find(rejected.mentions), std::string::npos) << all;
    EXPECT_NE(all.find(rejected.name), std::string::npos)
        << "the kernel's name is missing: " << all;
    if (rejected.line == 0) return;
    EXPECT_EQ(error.details().line, rejected.line) << all;
    EXPECT_EQ(error.details().user_file, rejected.in_header ? "the_header.metal" : "the_body.metal")
        << all;
  }
}

void PrintTo(const MatrixCase& matrix_case, std::ostream* out) {
  *out << matrix_case.row.name << " on " << matrix_case.device.name;
}

void PrintTo(const RejectedCase& rejected_case, std::ostream* out) {
  *out << rejected_case.rejected.name << " on " << rejected_case.device.name;
}

std::string case_name(const testing::TestParamInfo<MatrixCase>& info) {
  return info.param.row.name + "_" + info.param.device.name;
}

std::string rejected_name(const testing::TestParamInfo<RejectedCase>& info) {
  return info.param.rejected.name + "_" + info.param.device.name;
}

}  // namespace sprue::language
