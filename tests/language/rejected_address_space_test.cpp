// Pointers and references of one address space don't go where another is declared: each mistake beside
// what Metal takes.
#include "language/matrix.h"

namespace sprue::language {
namespace {

const std::string kIndex = "uint i = thread_position_in_grid.x;\n";
const std::string kShared = kIndex +
                            "threadgroup float tile[16];\ntile[i] = "
                            "x[i];\nthreadgroup_barrier(mem_flags::mem_threadgroup);\n";

std::vector<Rejected> mistakes() {
  const std::string& i = kIndex;
  return {
      {.name = "device_pointer_for_thread_parameter",
       .body = i + "y[i] = scaled(y + i);",
       .header = "float scaled(thread float* p) { return p[0] * 2; }",
       .line = 2,
       .mentions =
           "expected a pointer to 'thread' memory for parameter 'p' of 'scaled', got one to "
           "'device' memory"},
      {.name = "input_for_thread_parameter",
       .body = i + "\ny[i] = scaled(&x[i]);",
       .header = "float scaled(const thread float* p) { return p[0] * 2; }",
       .line = 3,
       .mentions = "got one to 'device or constant' memory"},
      {.name = "device_pointer_for_plain_parameter",
       .body = i + "y[i] = scaled(y + i);",
       .header = "float scaled(float* p) { return p[0] * 2; }",
       .line = 2,
       .mentions = "no word means 'thread'"},
      {.name = "local_array_for_device_parameter",
       .body = i + "float a[2] = {x[i], 1};\ny[i] = total(a);",
       .header = "float total(const device float* p) { return p[0] + p[1]; }",
       .line = 3,
       .mentions = "expected a pointer to 'device' memory for parameter 'p' of 'total', got one to "
                   "'thread' memory"},
      {.name = "output_for_constant_parameter",
       .body = i + "y[i] = first(y);",
       .header = "float first(constant float* p) { return p[0]; }",
       .line = 2,
       .mentions = "expected a pointer to 'constant' memory"},
      {.name = "threadgroup_array_for_device_parameter",
       .body = kShared + "y[i] = first(tile);",
       .header = "float first(device float* p) { return p[0]; }",
       .line = 5,
       .mentions = "'threadgroup' memory"},
      {.name = "threadgroup_array_for_thread_parameter",
       .body = kShared + "y[i] = first(&tile[1]);",
       .header = "float first(thread float* p) { return p[0]; }",
       .line = 5,
       .mentions = "'threadgroup' memory"},
      {.name = "device_element_for_thread_reference",
       .body = i + "y[i] = 1;\ntwice(y[i]);",
       .header = "void twice(thread float& v) { v *= 2; }",
       .line = 3,
       .mentions = "expected an object in 'thread' memory for parameter 'v' of 'twice'"},
      {.name = "variable_for_device_reference",
       .body = i + "float f = x[i];\ntwice(f);\ny[i] = f;",
       .header = "void twice(device float& v) { v *= 2; }",
       .line = 3,
       .mentions = "got one in 'thread' memory"},
      {.name = "member_for_device_reference",
       .body = i + "Pair p = {1, 2};\ntwice(p.b);\ny[i] = p.b;",
       .header = "struct Pair { float a, b; };\nvoid twice(device float& v) { v *= 2; }",
       .line = 3,
       .mentions = "'thread' memory"},
      {.name = "plain_local_pointer",
       .body = i + "float* p = y + i;\n*p = x[i];",
       .line = 2,
       .mentions = "expected a pointer to 'thread' memory for 'p'"},
      {.name = "plain_local_pointer_to_input",
       .body = i + "const float* p = x;\ny[i] = p[i];",
       .line = 2,
       .mentions = "'device or constant'"},
      {.name = "thread_pointer_to_output",
       .body = i + "thread float* p = &y[i];\n*p = x[i];",
       .line = 2,
       .mentions = "'thread' memory"},
      {.name = "device_pointer_to_shared",
       .body = kShared + "device float* p = tile;\ny[i] = p[0];",
       .line = 5,
       .mentions = "'threadgroup' memory"},
      {.name = "shared_pointer_to_variable",
       .body = i + "float f = x[i];\nthreadgroup float* p = &f;\ny[i] = *p;",
       .line = 3,
       .mentions = "'threadgroup' memory"},
      {.name = "plain_reference_to_output",
       .body = i + "float& v = y[i];\nv = x[i];",
       .line = 2,
       .mentions = "expected an object in 'thread' memory for 'v'"},
      {.name = "assigned_later",
       .body = kShared + "device float* p = y;\n\np = tile + 1;\ny[i] = p[0];",
       .line = 7,
       .mentions = "'threadgroup' memory"},
      {.name = "second_of_two_pointers",
       .body = i + "float f = x[i];\ndevice float *p = y, *q = &f;\np[i] = *q;",
       .line = 3,
       .mentions = "'q'"},
      {.name = "word_behind_the_type",
       .body = i + "float f = x[i];\nfloat device* p = &f;\ny[i] = *p;",
       .line = 3,
       .mentions = "'device' memory"},
      {.name = "through_auto",
       .body = i + "auto p = y + i;\ny[i] = scaled(p);",
       .header = "float scaled(thread float* p) { return p[0] * 2; }",
       .line = 3,
       .mentions = "'thread' memory"},
      {.name = "through_a_cast",
       .body = i + "y[i] = first((const device uint*)(x + i));",
       .header = "float first(const thread uint* p) { return as_type<float>(p[0]); }",
       .line = 2,
       .mentions = "'thread' memory"},
      {.name = "through_a_result",
       .body = i + "y[i] = first(next(y));",
       .header = "device float* next(device float* p) { return p + 1; }\n"
                 "float first(thread float* p) { return p[0]; }",
       .line = 2,
       .mentions = "'thread' memory"},
      {.name = "returned_parameter",
       .body = i + "y[i] = *next(y);",
       .header = "\nthread float* next(device float* p) {\n return p + 1; }",
       .line = 3,
       .in_header = true,
       .mentions = "the result of 'next'"},
      {.name = "field_of_a_struct",
       .body = i + "View v = {y};\ny[i] = v.data[0];",
       .header = "struct View { threadgroup float* data; };",
       .line = 2,
       .mentions = "for 'data'"},
      {.name = "taken_from_a_field",
       .body = i + "View v = {y};\nthread float* p = v.data;\ny[i] = *p;",
       .header = "struct View { device float* data; };",
       .line = 3,
       .mentions = "'thread' memory for 'p'"},
      {.name = "in_a_template",
       .body = i + "y[i] = twice<2>(y);",
       .header = "float first(thread float* p) { return p[0]; }\ntemplate <int N>\n"
                 "float twice(device float* p) {\n return N * first(p); }",
       .line = 4,
       .in_header = true,
       .mentions = "of 'first'"},
      {.name = "in_a_lambda",
       .body = i + "auto first = [](thread float* p) { return p[0]; };\ny[i] = first(y);",
       .line = 3,
       .mentions = "'thread' memory"},
      {.name = "program_constant_for_device_parameter",
       .body = i + "y[i] = first(kTable);",
       .header = "constant float kTable[2] = {1, 2};\n"
                 "float first(const device float* p) { return p[0]; }",
       .line = 2,
       .mentions = "got one to 'constant' memory"},
      {.name = "sincos_into_output",
       .body = i + "float s = sincos(x[i], y[i]);\ny[i] += s;",
       .line = 2,
       .mentions = "of 'sincos'"},
      {.name = "expected_value_in_output",
       .body = i + "atomic_compare_exchange_weak_explicit((device atomic_float*)y, y + i, 1.0f, "
                   "memory_order_relaxed, memory_order_relaxed);",
       .line = 2,
       .mentions = "'thread' memory"},
  };
}

// Of the same shapes; `line` means nothing here.
std::vector<Rejected> neighbours() {
  const std::string& i = kIndex;
  return {
      {.name = "thread_pointer_for_thread_parameter",
       .body = i + "float f = x[i];\ny[i] = scaled(&f);",
       .header = "float scaled(thread float* p) { return p[0] * 2; }"},
      {.name = "device_pointer_for_device_parameter",
       .body = i + "y[i] = scaled(y + i) + first(x) + first(&x[i]);",
       .header = "float scaled(device float* p) { return p[0] * 2; }\n"
                 "float first(const device float* p) { return p[0]; }"},
      {.name = "variable_for_plain_parameter",
       .body = i + "float f = x[i], a[2] = {1, 2};\ny[i] = scaled(&f) + scaled(a);",
       .header = "float scaled(thread float* p) { return p[0] * 2; }"},
      {.name = "shared_for_threadgroup_parameter",
       .body = kShared + "y[i] = first(tile) + second(tile) + *(threadgroup float*)tile;",
       .header = "float first(threadgroup float* p) { return p[0]; }\n"
                 "float second(const threadgroup float p[16]) { return p[1]; }"},
      {.name = "constant_for_constant_parameter",
       .body = i + "y[i] = first(kTable);",
       .header = "constant float kTable[2] = {1, 2};\n"
                 "float first(constant float* p) { return p[0]; }"},
      {.name = "references_of_their_space",
       .body = i + "float f = x[i];\ntwice(f);\nadd(y[i], f);\ndevice float& v = y[i];\nv += 1;",
       .header = "void twice(thread float& v) { v *= 2; }\n"
                 "void add(device float& v, const thread float& by) { v = by; }"},
      {.name = "constant_reference_to_a_value",
       .body = i + "y[i] = twice(x[i] + 1);",
       .header = "float twice(const thread float& v) { return v * 2; }"},
      {.name = "pointers_of_many_kinds",
       .body =
           kShared +
           "device float *p = y, *q = p + i;\nconst device float* r = x;\nfloat device* s = q;\n"
           "threadgroup float* t = &tile[0];\nauto u = y;\nauto* w = t;\nu = p;\nw = t + 1;\n"
           "*q = r[i] + t[0] + *w + (i > 99 ? p : u)[0];\ns += 0;"},
      {.name = "macro_for_a_space",
       .body = i + "GLOBAL float* p = y;\np[i] = first(x);",
       .header = "#define GLOBAL device\nfloat first(const GLOBAL float* p) { return p[0]; }"},
      {.name = "typedef_for_a_space",
       .body = i + "Buffer p = y;\np[i] = x[i];",
       .header = "typedef device float* Buffer;"},
      {.name = "template_for_any_space",
       .body = kShared + "float a[1] = {2};\ny[i] = first(x) + first(tile) + first(a);",
       .header = "template <typename P> float first(P p) { return p[0]; }"},
      {.name = "pointee_of_any_space",
       .body = kShared + "y[i] = first(y) + first(tile);",
       .header = "template <typename T> float first(T* p) { return p[0]; }"},
      {.name = "struct_of_pointers",
       .body = kShared + "View v = {x, tile};\ny[i] = v.data[i] + v.shared[0];",
       .header = "struct View { const device float* data; threadgroup float* shared; };"},
      {.name = "struct_in_memory",
       .body = i + "device Pair* pairs = (device Pair*)y;\nPair p = pairs[0];\np.a = x[i];\n"
                   "twice(p.a);\ntriple(pairs[i % 8].b);\ny[i] = p.a;",
       .header = "struct Pair { float a, b; };\nvoid twice(thread float& v) { v *= 2; }\n"
                 "void triple(device float& v) { v *= 3; }"},
      {.name = "pointer_to_a_pointer",
       .body = i + "device float* p = y;\nadvance(p, i);\ndevice float* a[2] = {y, p};\n"
                   "device float* thread* q = a;\n*q[1] = x[i];",
       .header = "void advance(thread device float*& p, uint n) { p += n; }"},
      {.name = "in_lambdas",
       .body = kShared +
               "auto first = [](const device float* p) { return p[0]; };\n"
               "auto shared = [&](int k) { return tile[k]; };\ny[i] = first(x) + shared(1);"},
      {.name = "sincos_into_variable",
       .body = i + "float c;\nfloat s = sincos(x[i], c);\ny[i] = s + c;"},
      {.name = "calls_of_calls",
       .body = i + "y[i] = outer(x[i]) + inner(x[i]);",
       .header = "float inner(float v) { return v * 2; }\n"
                 "float outer(float v) { return inner(inner(v)) + inner(v); }"},
      {.name = "recursion_by_template",
       .body = i + "y[i] = Power<3>::of(x[i]) + power<2>(x[i]);",
       .header = "template <int N> struct Power {\n"
                 "  static float of(float v) { return v * Power<N - 1>::of(v); } };\n"
                 "template <> struct Power<0> { static float of(float) { return 1; } };\n"
                 "template <int N> float power(float v) {\n"
                 "  if constexpr (N == 0) return 1; else return v * power<N - 1>(v); }"},
      {.name = "recursion_while_compiling",
       .body = i + "constexpr int n = factorial(4);\ny[i] = n;",
       .header = "constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }"},
      {.name = "function_as_template_argument",
       .body = i + "y[i] = apply(x[i], [](float v) { return v * 2; }) + call<one>(x[i]);",
       .header = "float one(float v) { return v; }\n"
                 "template <typename F> float apply(float v, F f) { return f(v); }\n"
                 "template <float (*F)(float)> float call(float v) { return F(v); }"},
      {.name = "constants_of_the_program",
       .body = i + "constexpr int n = 2;\ny[i] = kScale * kTable[i % 2] * n * Box<float>::kSize;",
       .header = "constant float kScale = 2;\nconstant constexpr float kTable[2] = {1, 2};\n"
                 "template <typename T> struct Box { static constexpr constant int kSize = 2; };"},
      {.name = "all_of_threadgroup_memory",
       .body = i + "threadgroup float s[8192];\ns[i] = x[i];\n"
                   "threadgroup_barrier(mem_flags::mem_threadgroup);\ny[i] = s[15 - i];"},
      {.name = "null_pointer",
       .body = i + "device float* p = i > 99 ? nullptr : y;\np[i] = x[i];\np = nullptr;"},
  };
}

void check_accepted(const RejectedCase& accepted) {
  if (const std::string reason = accepted.device.missing(); !reason.empty()) GTEST_SKIP() << reason;
  KernelOptions options{
      .name = accepted.rejected.name, .input_names = {"x"}, .output_names = {"y"}};
  options.source = accepted.rejected.body;
  options.header = accepted.rejected.header;
  KernelCall call{.inputs = {make_array(float32, std::vector<Real>(16, 1))}};
  call.output_shapes = {{16}};
  call.output_dtypes = {float32};
  call.grid = {16, 1, 1};
  call.threadgroup = {16, 1, 1};
  try {
    (void)accepted.device.refuse()(options, call);
  } catch (const Error& error) {
    FAIL() << error.what() << "\n" << error.details().compile_log;
  }
}

class AddressSpaceMistakes : public testing::TestWithParam<RejectedCase> {};
TEST_P(AddressSpaceMistakes, name_the_line) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Language, AddressSpaceMistakes,
                         testing::ValuesIn(on_each_device(mistakes())), rejected_name);

class AddressSpaceNeighbours : public testing::TestWithParam<RejectedCase> {};
TEST_P(AddressSpaceNeighbours, are_accepted) { check_accepted(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Language, AddressSpaceNeighbours,
                         testing::ValuesIn(on_each_device(neighbours())), rejected_name);

}  // namespace
}  // namespace sprue::language
