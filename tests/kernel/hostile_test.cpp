// Kernel texts that mean harm, or are merely enormous.
#include "support.h"

namespace sprue {
namespace {

// Texts that mean harm: an error each, no crash, no file of the host, no memory without end.
TEST(Hostile, TextsAreRefused) {
  const std::string deep(100000, '(');
  const std::string deep_end(100000, ')');
  const std::pair<const char*, std::string> bodies[] = {
      {"prose", "this is not metal code {"},
      {"parentheses", "y[0] = " + deep + "1" + deep_end + ";"},
      {"unbalanced parentheses", "y[0] = " + deep},
      {"braces", std::string(100000, '{') + std::string(100000, '}') + " missing;"},
      {"brackets", "y" + std::string(50000, '[') + "0" + std::string(50000, ']') + " = 1;"},
      {"unary operators", "y[0] = " + std::string(100000, '-') + "x[0];"},
      {"closing the function", "} void other() { y[0] = 1;"},
      {"a file", "#include \"/etc/passwd\"\n"},
      {"a relative file", "#include \"../../../../../../etc/passwd\"\n"},
      {"a standard header", "#include <cstdio>\n"},
      {"an embedded file", "const char text[] = {\n#embed \"/etc/passwd\"\n}; y[0] = text[0];"},
      {"an unended string", "y[0] = \"abc;"},
      {"an unended comment", "y[0] = 1; /* and so on"},
      {"an unended raw string", "const char* s = R\"x(abc; y[0] = 1;"},
      {"an unended condition", "#if 1\ny[0] = 1;"},
      {"an endless loop at compile time",
       "constexpr int n = [] { int i = 0; while (true) ++i; return i; }();"},
      {"an array larger than memory",
       "float a[1ull << 60]; a[int(x[0])] = 1; y[0] = a[int(x[1])];"},
      {"bytes", "\x01\x02\xff\xfe y[0] = \x80;"},
  };
  for (const auto& [what, body] : bodies) {
    SCOPED_TRACE(what);
    const Error error = expect_compile_error(one_to_one(fresh_name("hostile"), body), {});
    EXPECT_LT(error.message().size(), 4000u);
    EXPECT_EQ(error.message().find("crashed"), std::string::npos) << error.message();
  }
  expect_still_working();
}

TEST(Hostile, HeadersAreRefused) {
  const std::pair<const char*, std::string> headers[] = {
      {"assembly", "asm(\".incbin \\\"/etc/passwd\\\"\");"},
      {"assembly in a function",
       "inline int f() { int a; __asm__(\"mov $1, %0\" : \"=r\"(a)); return a; }"},
      {"endless templates",
       "template <int N> struct Next { static constexpr int value = Next<N + 1>::value; };\n"
       "constant int kValue = Next<0>::value;"},
      {"endless functions",
       "template <int N> constexpr int next() { return next<N + 1>(); }\n"
       "constant int kValue = next<0>();"},
      {"endless constexpr recursion",
       "constexpr int f(int n) { return f(n + 1) + 1; }\nconstant int kValue = f(0);"},
      {"an endless include", "#include __FILE__\n"},
      {"a device", "#include \"/dev/zero\"\n"},
      {"another kernel", "kernel void other() {}"},
      {"an import in an initialiser",
       "extern \"C\" int system(const char*); inline int f() { return system(\"true\"); }\n"
       "constant int kValue = 1; static const int kRun = f();"},
  };
  for (const auto& [what, header] : headers) {
    SCOPED_TRACE(what);
    KernelOptions options = one_to_one(fresh_name("hostile"), "y[0] = 1;");
    options.header = header;
    const Error error = expect_compile_error(options, {});
    EXPECT_EQ(error.message().find("crashed"), std::string::npos) << error.message();
  }
  KernelOptions importing = one_to_one(fresh_name("importing"), "y[0] = system(\"true\");");
  importing.header = "extern \"C\" int system(const char*);";
  expect_compile_error(importing, {"'system'", "no body"});
  expect_still_working();
}

TEST(Hostile, LargeButHonestTextsWork) {
  const std::string bodies[] = {
      "/*" + std::string(1u << 20, '*') + "*/ y[0] = 1;",
      "//" + std::string(1u << 20, 'x') + "\ny[0] = 1;",
      std::string(1u << 20, '\n') + "y[0] = 1;",
      "y[0] = 1; // the last line is a comment",
      "y[0] = " + std::string(30001, '!') + "x[0];",  // a level of the parser for each byte
      "y[0] = 1;\r\n// line ends of another system\r\n",
  };
  for (const std::string& body : bodies)
    EXPECT_EQ(number(metal_kernel(one_to_one(fresh_name("large"), body))(
                  one_element_call(arange(8), float32))[0]),
              1);
}

}  // namespace
}  // namespace sprue
