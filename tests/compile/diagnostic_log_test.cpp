#include "compile/diagnostic_log.h"

#include <gtest/gtest.h>

namespace sprue {
namespace {

using Severity = CompilerDiagnostic::Severity;

TEST(DiagnosticLog, ShowsPlaceLineAndCaretInGccForm) {
  const std::string log =
      format_log({{Severity::error, "scale.metal", 2, 8, "use of undeclared identifier 'q'"},
                  {Severity::note, "scale.header.metal", 1, 1, "declared here"}},
                 {{"scale.metal", "uint i = 0;\ny[i] = q;\n"}, {"scale.header.metal", "float p;"}});
  EXPECT_EQ(log,
            "scale.metal:2:8: error: use of undeclared identifier 'q'\n"
            "    2 | y[i] = q;\n"
            "      |        ^\n"
            "scale.header.metal:1:1: note: declared here\n"
            "    1 | float p;\n"
            "      | ^\n");
}

TEST(DiagnosticLog, EachSeverityHasItsWord) {
  EXPECT_EQ(format_log({{Severity::error, "", 0, 0, "a"},
                        {Severity::warning, "", 0, 0, "b"},
                        {Severity::note, "", 0, 0, "c"}},
                       {}),
            "error: a\nwarning: b\nnote: c\n");
  EXPECT_EQ(format_log({}, {{"k.metal", "text"}}), "");
}

TEST(DiagnosticLog, TabsStayTabsInFrontOfTheCaret) {
  EXPECT_EQ(format_log({{Severity::error, "k", 1, 4, "m"}}, {{"k", "\t\tx;"}}),
            "k:1:4: error: m\n    1 | \t\tx;\n      | \t\t ^\n");
}

TEST(DiagnosticLog, LineEndsOfOtherSystemsAreLeftOut) {
  EXPECT_EQ(format_log({{Severity::error, "k", 2, 1, "m"}}, {{"k", "a;\r\nb;\r\n"}}),
            "k:2:1: error: m\n    2 | b;\n      | ^\n");
}

// A place that the text doesn't have gets no snippet, and no read outside of it.
TEST(DiagnosticLog, PlacesOutsideTheTextGetNoSnippet) {
  for (int line : {0, -1, 3, 4, 1000000})
    EXPECT_EQ(format_log({{Severity::error, "k", line, 1, "m"}}, {{"k", "a\nb\n"}}),
              "k:" + std::to_string(line) + ":1: error: m\n");
  EXPECT_EQ(format_log({{Severity::error, "other", 1, 1, "m"}}, {{"k", "a"}}),
            "other:1:1: error: m\n");
  EXPECT_EQ(format_log({{Severity::error, "k", 1, 99, "m"}}, {{"k", "abc"}}),
            "k:1:99: error: m\n    1 | abc\n      |    ^\n");
  EXPECT_EQ(format_log({{Severity::error, "k", 1, 0, "m"}}, {{"k", "abc"}}),
            "k:1: error: m\n    1 | abc\n");
}

TEST(DiagnosticLog, LongLinesAreLeftOut) {
  const std::string log =
      format_log({{Severity::error, "k", 1, 500, "m"}}, {{"k", std::string(100000, 'x')}});
  EXPECT_EQ(log, "k:1:500: error: m\n");
}

TEST(CompileError, TakesItsPlaceFromTheFirstError) {
  CompileRequest request;
  request.kernel_name = "scale";
  request.user_files = {{"k.metal", "a\nb\nc\n"}};
  request.math = MathMode::fast;
  const Error error = compile_error({{Severity::warning, "k.metal", 1, 1, "careful"},
                                     {Severity::error, "k.metal", 3, 2, "wrong"},
                                     {Severity::error, "k.metal", 2, 1, "wrong again"}},
                                    request);
  EXPECT_EQ(error.code(), ErrorCode::compile_failed);
  EXPECT_EQ(error.message(),
            "[compile] expected kernel 'scale' to compile, got k.metal:3:2: error: wrong");
  EXPECT_EQ(error.details().user_file, "k.metal");
  EXPECT_EQ(error.details().line, 3);
  EXPECT_EQ(error.details().column, 2);
  EXPECT_NE(error.details().compile_log.find("careful"), std::string::npos);
  EXPECT_NE(error.details().compile_log.find("wrong again"), std::string::npos);
  EXPECT_NE(error.details().options.find("math=fast"), std::string::npos);
}

TEST(CompileError, IsClearWithoutAPlaceAndWithoutAnyDiagnostic) {
  CompileRequest request;
  request.kernel_name = "scale";
  Error error = compile_error({{Severity::error, "", 0, 0, "no memory"}}, request);
  EXPECT_EQ(error.message(), "[compile] expected kernel 'scale' to compile, got error: no memory");
  EXPECT_EQ(error.details().user_file, "");
  EXPECT_EQ(error.details().line, 0);
  error = compile_error({}, request);
  EXPECT_NE(error.message().find("'scale'"), std::string::npos);
}

}  // namespace
}  // namespace sprue
