// Logs as NVRTC 13.0 writes them, typed in from its output.
#include "compile/nvrtc/nvrtc_log.h"

#include <gtest/gtest.h>

namespace sprue {
namespace {

using Severity = CompilerDiagnostic::Severity;
using Files = std::map<std::string, std::string>;

TEST(NvrtcLog, PlacesAnErrorInTheUsersFile) {
  const auto found = parse_nvrtc_log(
      "scale.metal(2): error: identifier \"und\" is undefined\n"
      "    x[0] = und;\n"
      "           ^\n\n"
      "1 error detected in the compilation of \"<generated>\".\n",
      Files{{"scale.metal", "\n  x[0] = und;\n"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(found[0].file, "scale.metal");
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[0].column, 10);
  EXPECT_EQ(found[0].message, "identifier \"und\" is undefined");
}

TEST(NvrtcLog, CountsColumnsOfTheUsersLineNotOfTheLoweredOne) {
  // The user wrote no suffixes, and a word that the lowering blanked.
  const auto found = parse_nvrtc_log(
      "a.metal(1): error: identifier \"q\" is undefined\n"
      "             float f = 1.5f + f2(2.0f) + .5f * q;\n"
      "                                               ^\n",
      Files{{"a.metal", "thread     float f = 1.5 + f2(2.0) + .5f * q;"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].column, 44);  // of q
}

TEST(NvrtcLog, GivesNoColumnWhereTheLinesDifferInMore) {
  const auto found = parse_nvrtc_log(
      "a.metal(1): error: identifier \"q\" is undefined\n"
      "    y[0] = c ? sprue_types::either<decltype(q)>(h) : q;\n"
      "                                            ^\n",
      Files{{"a.metal", "y[0] = c ? h : q;"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 1);
  EXPECT_EQ(found[0].column, 0);
}

TEST(NvrtcLog, MovesAnErrorInsideThePreludeToTheUsersLine) {
  const auto found = parse_nvrtc_log(
      "metal_simdgroup_reduce.h(200): error: static assertion failed with \"simd_and takes an "
      "integer\"\n"
      "    static_assert(fits, \"\");\n"
      "    ^\n"
      "          detected during:\n"
      "            instantiation of \"T metal::simd_and(T) [with T=float]\" at line 3 of a.metal\n"
      "            instantiation of \"void metal::k<T>(T) [with T=int]\" at line 30 of "
      "<generated>\n\n",
      Files{{"a.metal", "\n\ny[0] = simd_and(x[0]);"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "a.metal");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].column, 0);
}

TEST(NvrtcLog, KeepsWarningsAndNumbersOutOfMessages) {
  const auto found = parse_nvrtc_log(
      "a.metal(1): warning #39-D: division by zero\n"
      "    y[0] = 1 / 0;\n"
      "               ^\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
      "b.h(1): catastrophic error: cannot open source file \"none.h\"\n"
      "    #include \"none.h\"\n"
      "                     ^\n\n"
      "1 catastrophic error detected in the compilation of \"<generated>\".\n"
      "Compilation terminated.\n",
      Files{{"a.metal", "y[0] = 1 / 0;"}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[0].message, "division by zero");
  EXPECT_EQ(found[1].severity, Severity::error);
  EXPECT_EQ(found[1].file, "");
  EXPECT_EQ(found[1].line, 0);
}

TEST(NvrtcLog, TakesAnyText) {
  for (const char* text :
       {"", "\n", "(", "): ", "(): error: ", "a(b): error: x", "a(99999999999999999999): error: x",
        "^", "a(1): error: x\n^", " at line 3 of a.metal", "a(1): error"})
    for (const auto& diagnostic : parse_nvrtc_log(text, Files{{"a", "x"}}))
      EXPECT_GE(diagnostic.line, 0);
}

}  // namespace
}  // namespace sprue
