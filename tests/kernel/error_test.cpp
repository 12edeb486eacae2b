// Bad kernels and bad calls: one clear error each, before anything runs, and nothing lost.
#include <unistd.h>

#include <cstdlib>

#include "support.h"

namespace sprue {
namespace {

TEST(Definition, NamesMustBeFreeDistinctIdentifiers) {
  const auto refused = [](std::vector<std::string> inputs, std::vector<std::string> outputs,
                          const std::string& named) {
    expect_error(ErrorCode::invalid_argument, {"[metal_kernel]", named}, [&] {
      (void)metal_kernel(
          {.name = "names", .input_names = inputs, .output_names = outputs, .source = ""});
    });
  };
  for (const std::string bad :
       {"", "1x", "x y", "x-y", "x;", "float", "half", "while", "device", "uint3",
        "thread_position_in_grid", "threads_per_grid", "caf\xc3\xa9", "x\n"}) {
    refused({bad}, {"y"}, "input name");
    refused({"x"}, {bad}, "output name");
  }
  refused({"x", "x"}, {"y"}, "'x' twice");
  refused({"x"}, {"y", "y"}, "'y' twice");
  refused({"x"}, {"x"}, "'x' twice");
  refused({"x"}, {}, "at least one output");
}

TEST(Definition, NameAndTextHaveLimits) {
  expect_error(ErrorCode::invalid_argument, {"[metal_kernel]", "name"},
               [] { (void)metal_kernel(one_to_one("", "y[0] = 1;")); });
  expect_error(ErrorCode::invalid_argument, {"name"},
               [] { (void)metal_kernel(one_to_one("two\nlines", "y[0] = 1;")); });
  expect_error(ErrorCode::invalid_argument, {"NUL"},
               [] { (void)metal_kernel(one_to_one("nul", std::string("y[0]\0 = 1;", 10))); });
  expect_error(ErrorCode::invalid_argument, {"bytes"},
               [] { (void)metal_kernel(one_to_one("long", std::string(17u << 20, ' '))); });
}

TEST(BadCall, CountsMustBeThoseOfTheDefinition) {
  const Kernel kernel = metal_kernel({.name = fresh_name("counts"),
                                      .input_names = {"a", "b"},
                                      .output_names = {"c", "d"},
                                      .source = "c[0] = a[0]; d[0] = b[0];"});
  const KernelCall good = {.inputs = {arange(8), arange(8)},
                           .output_shapes = {{1}, {1}},
                           .output_dtypes = {float32, float32},
                           .grid = {1, 1, 1},
                           .threadgroup = {1, 1, 1}};
  const CounterDelta delta;
  for (size_t count : {0u, 1u, 3u}) {
    const std::string got = "size 2, got " + std::to_string(count);
    KernelCall call = good;
    call.inputs.resize(count);
    expect_error(ErrorCode::invalid_argument, {"`inputs`", kernel.name(), got},
                 [&] { (void)kernel(call); });
    call = good;
    call.output_shapes.resize(count);
    expect_error(ErrorCode::invalid_argument, {"`output_shapes`", kernel.name(), got},
                 [&] { (void)kernel(call); });
    call = good;
    call.output_dtypes.resize(count);
    expect_error(ErrorCode::invalid_argument, {"`output_dtypes`", kernel.name(), got},
                 [&] { (void)kernel(call); });
  }
  EXPECT_EQ(delta(&Counters::compiles) + delta(&Counters::launches), 0u);
}

TEST(BadCall, MetalHasNoDouble) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("doubles"), "y[0] = 1;"));
  const CounterDelta delta;
  const KernelCall calls[] = {one_element_call(arange(8, float64), float32),
                              one_element_call(arange(8), float64),
                              one_element_call(Array::scalar(1.0), float32),
                              one_element_call(arange(8), float32, {{"T", float64}})};
  for (const KernelCall& call : calls)
    expect_error(ErrorCode::invalid_argument, {"float64", kernel.name()},
                 [&] { (void)kernel(call); });
  EXPECT_EQ(delta(&Counters::compiles) + delta(&Counters::launches), 0u);
}

TEST(BadCall, AtomicOutputsNeedATypeWithAtomics) {
  KernelOptions options = one_to_one(fresh_name("atomics"), "");
  options.atomic_outputs = true;
  const Kernel kernel = metal_kernel(options);
  for (Dtype dtype : {bool_, uint8, int16, int64, float16, bfloat16, complex64})
    expect_error(ErrorCode::invalid_argument, {kernel.name(), std::string(dtype_name(dtype))},
                 [&] { (void)kernel(one_element_call(arange(8), dtype)); });
}

TEST(BadCall, TemplateNamesMustBeFreeDistinctIdentifiers) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("templates"), "y[0] = 1;"));
  const CounterDelta delta;
  for (const std::string bad : {"", "2N", "N M", "float", "thread_position_in_grid", "x", "y"})
    expect_error(ErrorCode::invalid_argument, {kernel.name(), "template"}, [&] {
      (void)kernel(one_element_call(arange(8), float32, {{bad, 1}}));
    });
  expect_error(ErrorCode::invalid_argument, {kernel.name(), "'N'", "twice"}, [&] {
    (void)kernel(one_element_call(arange(8), float32, {{"N", 1}, {"N", 2}}));
  });
  expect_error(ErrorCode::invalid_argument, {kernel.name(), "template name"}, [&] {
    (void)kernel(one_element_call(arange(8), float32, {{std::string(70000, 'N'), 1}}));
  });
  EXPECT_EQ(delta(&Counters::compiles) + delta(&Counters::launches), 0u);
}

TEST(BadCall, ATemplateValueOfTheWrongKindIsACompileErrorInTheBody) {
  const KernelOptions options = one_to_one(fresh_name("kinds"), "T v = 1;\ny[0] = v;");
  const Error error = expect_compile_error(options, {options.name + ".metal:1:"}, {{"T", 3}});
  EXPECT_EQ(error.details().line, 1);
}

TEST(CompileErrors, NameTheUsersFileLineAndColumn) {
  KernelOptions options = one_to_one(fresh_name("placed"),
                                     "uint i = 0;\n\n// a comment\nfloat a = 1;\nfloat b = 2;\n\n"
                                     "  missing(a, b);\ny[i] = a;\n");
  Error error = expect_compile_error(options, {"missing", options.name + ".metal:7:3"});
  EXPECT_EQ(error.details().user_file, options.name + ".metal");
  EXPECT_EQ(error.details().line, 7);
  EXPECT_EQ(error.details().column, 3);
  EXPECT_NE(error.details().compile_log.find("    7 |   missing(a, b);\n      |   ^\n"),
            std::string::npos)
      << error.details().compile_log;

  options.source_file = "some folder/body \"one\".metal";
  error = expect_compile_error(options, {options.source_file + ":7:3"});
  EXPECT_EQ(error.details().user_file, options.source_file);
  EXPECT_EQ(error.details().line, 7);
  expect_still_working();
}

TEST(CompileErrors, OfAHeaderWithTheBodysFileNameShowTheHeadersLine) {
  KernelOptions options = one_to_one(fresh_name("same_file"), "y[0] = x[0];\n// the body");
  options.header = "\nfloat wrong() { return missing; }";
  options.source_file = options.header_file = "same.metal";
  const Error error = expect_compile_error(options, {"missing", "same.metal (header):2:24"});
  EXPECT_NE(error.details().compile_log.find("2 | float wrong() { return missing; }"),
            std::string::npos)
      << error.details().compile_log;
}

// Address-space words are replaced in place: columns behind them are the user's.
TEST(CompileErrors, ColumnsBehindAddressSpaceWordsAreExact) {
  const KernelOptions options =
      one_to_one(fresh_name("columns"),
                 "\n  const device float* p = x; threadgroup float t[4]; missing = p[0];");
  const Error error = expect_compile_error(options, {"missing"});
  EXPECT_EQ(error.details().line, 2);
  EXPECT_EQ(error.details().column, 54);
}

TEST(CompileErrors, InTheHeaderPointAtTheHeader) {
  KernelOptions options = one_to_one(fresh_name("headed"), "y[0] = 1;");
  options.header =
      "inline float fine(float v) { return v; }\ninline float broken() { return nothing; }\n";
  const Error error = expect_compile_error(options, {"nothing", options.name + ".header.metal:2:"});
  EXPECT_EQ(error.details().user_file, options.name + ".header.metal");
  EXPECT_EQ(error.details().line, 2);
  EXPECT_EQ(error.details().column, 32);
}

TEST(CompileErrors, InsideATemplatePointAtTheTemplatesText) {
  KernelOptions options = one_to_one(fresh_name("instantiated"), "y[0] = twice(x[0]);");
  options.header = "template <typename T>\nT twice(T v) {\n  return v.nothing + v;\n}\n";
  const Error error = expect_compile_error(options, {options.name});
  EXPECT_EQ(error.details().user_file, options.name + ".header.metal");
  EXPECT_EQ(error.details().line, 3);
}

// What clang finds inside the prelude is shown where the user's text led there.
TEST(CompileErrors, InThePreludePointAtTheUsersLine) {
  const KernelOptions options = one_to_one(fresh_name("inside"),
                                           "\ndevice atomic<short>* a = (device atomic<short>*)y;\n"
                                           "atomic_store_explicit(a, 1, memory_order_relaxed);");
  const Error error = expect_compile_error(options, {"atomic"});
  EXPECT_EQ(error.details().user_file, options.name + ".metal");
  EXPECT_GE(error.details().line, 2);
}

TEST(CompileErrors, NamesOfAnyTextAreShownAsTheyAre) {
  for (const std::string stem :
       {"with \"quotes\"", "back\\slash", "caf\xc3\xa9", "a/b c", "%s {}"}) {
    const KernelOptions options = one_to_one(fresh_name(stem), "\ny[0] = missing;");
    const Error error = expect_compile_error(options, {"missing"});
    EXPECT_EQ(error.details().user_file, options.name + ".metal");
    EXPECT_EQ(error.details().line, 2);
  }
}

TEST(CompileErrors, LeaveEarlierResultsIntact) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("earlier"), "y[0] = x[2] * 10;"));
  const Arrays before = kernel(one_element_call(arange(8), float32));
  expect_compile_error(one_to_one(fresh_name("later"), "this is not metal code {"), {});
  EXPECT_EQ(number(before[0]), 20);
  EXPECT_EQ(number(kernel(one_element_call(arange(8), float32))[0]), 20);
  // A specialisation that fails leaves the others of the same kernel as they are.
  const Kernel picky = metal_kernel(
      one_to_one(fresh_name("picky"), "static_assert(N < 5, \"too large\"); y[0] = N;"));
  EXPECT_EQ(number(picky(one_element_call(arange(8), float32, {{"N", 4}}))[0]), 4);
  expect_error(ErrorCode::compile_failed, {picky.name(), "too large"}, [&] {
    (void)picky(one_element_call(arange(8), float32, {{"N", 5}}));
  });
  EXPECT_EQ(number(picky(one_element_call(arange(8), float32, {{"N", 4}}))[0]), 4);
}

TEST(Unsupported, ThreadgroupMemoryAboveItsLimit) {
  const auto sized = [](int count) {
    return one_to_one(fresh_name("memory"),
                      "threadgroup float a[" + std::to_string(count) +
                          "]; threadgroup float b[4096]; uint i = thread_index_in_threadgroup;"
                          "a[i] = x[i]; b[i] = x[i + 1]; y[0] = a[i] + b[i];");
  };
  EXPECT_EQ(number(metal_kernel(sized(4096))(one_element_call(arange(8), float32))[0]), 1);
  expect_compile_error(sized(4097), {"threadgroup memory", "32768"});
}

TEST(Unsupported, RecursionFunctionPointersAndGlobalsAreNamed) {
  KernelOptions options = one_to_one(fresh_name("recursive"), "y[0] = down(int(x[3]));");
  options.header = "inline int down(int n) { return n > 0 ? down(n - 1) + n * 3 : 0; }";
  expect_compile_error(options, {"recursion", "down"});
  options = one_to_one(fresh_name("mutual"), "y[0] = even(int(x[3]));");
  options.header =
      "inline int odd(int n);\ninline int even(int n) { return n == 0 ? 1 : odd(n - 1) * 3; }\n"
      "inline int odd(int n) { return n == 0 ? 0 : even(n - 1) * 5; }";
  expect_compile_error(options, {"recursion"});
  options = one_to_one(fresh_name("pointers"),
                       "int (*chosen)(int) = x[0] > 0 ? f : g; y[0] = chosen(int(x[1]));");
  options.header = "inline int f(int n) { return n; }\ninline int g(int n) { return -n; }";
  expect_compile_error(options, {"function pointer"});
  options = one_to_one(fresh_name("globals"), "counter += 1; y[0] = counter;");
  options.header = "static int counter = 0;";
  expect_compile_error(options, {"counter"});
  options = one_to_one(fresh_name("double"), "double d = x[0]; y[0] = d;");
  expect_compile_error(options, {"double"});
  expect_still_working();
}

// In a process of its own, which hasn't opened the library yet.
TEST(MissingCompilerDeathTest, IsUnavailable) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("SPRUE_CLANG_LIBRARY", "/nowhere/libsprue-clang.so", 1);
        int outcome = 1;
        try {
          (void)metal_kernel(one_to_one("orphan", "y[0] = 1;"))(
              one_element_call(arange(8), float32));
        } catch (const Error& error) {
          std::fprintf(stderr, "%s\n", error.what());
          outcome = error.code() == ErrorCode::unavailable ? 0 : 2;
        }
        _exit(outcome);
      },
      testing::ExitedWithCode(0), "/nowhere/libsprue-clang.so");
}

}  // namespace
}  // namespace sprue
