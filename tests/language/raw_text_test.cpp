// Texts as files hold them: line ends of every kind, marks of byte order, joined lines, much of
// everything, and what isn't text at all. Each gives the right result or an error at the user's own line.
#include <fmt/format.h>

#include "language/matrix.h"

namespace sprue::language {
namespace {

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t k = 0; k < count; ++k) all += text;
  return all;
}

constexpr size_t kMillion = 1 << 20;

// y[i] is 3 * i + 1 in each of them.
Row accepted(const std::string& name, const std::string& body, const std::string& header = "") {
  return {.name = name,
          .body = body,
          .header = header,
          .outputs = {{"y", int32, {40}, [](int64_t i) { return Real(3 * i + 1); }}},
          .grid = {40, 1, 1},
          .threadgroup = {16, 1, 1}};
}

const std::string kBody = "uint i = thread_position_in_grid.x;\ny[i] = 3 * i + 1;\n";

std::vector<Row> accepted_rows() {
  return {
      accepted("crlf",
               "#define STEP \\\r\n  3\r\n// a comment \\\r\n y[0] = 9;\r\n#if STEP == 3 /* one\r\n"
               "two */\r\nuint i = thread_position_in_grid.x;\r\n#else\r\n?\r\n#endif\r\n"
               "y[i] = plus(STEP * i,\r\n  1);\r\n",
               "int plus(int a, int b)\r\n{ return a + b; }\r\n"),
      accepted("cr", "uint i = thread_position_in_grid.x; // one\ry[i] = 3 * i + 1;\r"),
      accepted("byte_order_mark", "\xef\xbb\xbf" + kBody, "\xef\xbb\xbf#define UNUSED 1\n"),
      accepted("byte_order_mark_before_directive", "\xef\xbb\xbf#define STEP 3\n" + kBody),
      accepted("comments_in_utf8", "// \xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\n" + kBody +
                                       "/* \xe2\x80\xa8 \xe2\x80\xae */"),
      accepted("comments_in_latin1", "// \xe9\xff\xfe\xc0\n" + kBody + "/* \xe9 \x01\x02\x1a */"),
      accepted("trigraph_in_comment",
               "uint i = thread_position_in_grid.x; // really?\?/\n"
               "y[i] = 3 * i + 1; // ?\?=define\n"),
      accepted("joined_tokens",
               "thread\\\ngroup int ti\\\n\\\nle[16];\nuint i = thread_position\\\r\n_in_grid.x;\n"
               "ti\\\nle[i % 16] = 0\\\nx3;\nthread\\\ngroup_barrier(mem_flags::mem_threadgroup);\n"
               "y[i] = tile[i % 16] \\\n * i + 1; /\\\n/ a comment\n/\\\n* and *\\\n/"),
      accepted("no_line_end", "uint i = thread_position_in_grid.x; y[i] = 3 * i + 1; // the end"),
      accepted("blanks", "\f\v\t" + kBody + " \t\f\v"),
      accepted("joined_at_the_end", kBody + "\\\n"),
      accepted("digraphs",
               "uint i = thread_position_in_grid.x;\n%:define STEP 3\n<% y<:i:> = STEP * "
               "i + 1; %>"),
      accepted("attribute_as_local",
               "const uint grid_size = 3; uint threads_per_simdgroup = 1;\n"
               "uint i = thread_position_in_grid.x;\n"
               "y[i] = grid_size * i + threads_per_simdgroup;"),
      accepted("attribute_as_member",
               "Place p; p.thread_position_in_grid = 3;\nuint i = thread_position_in_grid.x;\n"
               "y[i] = p.thread_position_in_grid * i + 1;",
               "struct Place { int thread_position_in_grid; };\n"),
      accepted("million_bytes_of_blanks", std::string(kMillion, ' ') + kBody),
      accepted("million_bytes_of_lines", std::string(kMillion, '\n') + kBody),
      accepted("million_bytes_of_comment",
               "/*" + repeated("\xc3\xa9 // {( \"\n", kMillion / 11) + "*/ " + kBody),
      accepted("million_bytes_in_one_line",
               "int s = 0; " + repeated("/**/;", kMillion / 5) + " " + kBody),
      accepted("long_table", "uint i = thread_position_in_grid.x;\ny[i] = table[100000] * i + 1;",
               "constant int table[] = {" + repeated("3, 3, 3, 3, 3,\n", kMillion / 45) + "};"),
      accepted("long_string_and_name",
               "const constant char* text = \"" + repeated("ab", 50000) + "\";\nint " +
                   std::string(50000, 'n') +
                   " = text[1] - "
                   "'a';\nuint i = thread_position_in_grid.x;\ny[i] = 3 * i + " +
                   std::string(50000, 'n') + ";"),
      accepted("renumbered_lines", "#line 70 \"elsewhere.metal\"\n" + kBody + "#line 1\n"),
  };
}
SPRUE_MATRIX(RawTexts, accepted_rows)

class RejectedRawTexts : public testing::TestWithParam<RejectedCase> {};
TEST_P(RejectedRawTexts, refused) { check(GetParam()); }

std::vector<Rejected> rejected_rows() {
  const std::string i = "uint i = thread_position_in_grid.x;\n";
  return {
      {.name = "open_comment", .body = i + "y[i] = 1; /* never\nended", .line = 2},
      {.name = "open_comment_in_header",
       .body = i,
       .header = "\n/* never\nended",
       .line = 2,
       .in_header = true},
      {.name = "open_string", .body = i + "y[i] = \"a;\ny[i] = 2;", .line = 2},
      {.name = "open_string_at_the_end", .body = i + "\"", .line = 2},
      {.name = "open_string_joined", .body = i + "\"abc\\\n", .line = 2},
      {.name = "open_character", .body = i + "y[i] = 'a;\n", .line = 2},
      {.name = "open_raw_string", .body = i + "y[i] = R\"x(abc)y\";\n", .line = 2},
      {.name = "open_raw_delimiter", .body = i + "y[i] = R\"abc;\n", .line = 2},
      {.name = "open_parenthesis", .body = i + "y[i] = (1 + 2;\n", .line = 2},
      {.name = "open_brace", .body = i + "if (i > 3) {\ny[i] = 1;\n", .line = 2},
      {.name = "brackets_of_two_kinds", .body = i + "y[i) = 1;\n", .line = 2},
      {.name = "function_ended", .body = i + "y[i] = 1;\n} void f() {", .line = 3},
      {.name = "function_ended_by_digraph", .body = i + "y[i] = 1;\n%> void f() <%", .line = 3},
      {.name = "function_ended_by_macro",
       .body = i + "y[i] = 1;\n#define END }\nEND void f() {",
       .line = 0},
      {.name = "function_ended_in_a_branch",
       .body = i + "#if 1\n} void f() {\n#endif\n",
       .line = 3},
      {.name = "function_ended_behind_trigraph", .body = i + "// ?\?/\n} void f() {", .line = 3},
      {.name = "header_left_open",
       .body = i + "y[i] = 1;",
       .header = "int f() {\n",
       .line = 1,
       .in_header = true},
      {.name = "header_closes",
       .body = i + "y[i] = 1;",
       .header = "}\n",
       .line = 1,
       .in_header = true},
      {.name = "conditional_left_open", .body = i + "#if 1\ny[i] = 1;", .line = 2},
      {.name = "conditional_closed_twice", .body = i + "#if 1\n#endif\n#endif\n", .line = 4},
      {.name = "conditional_from_the_header",
       .body = "#endif\n" + i,
       .header = "#if 1\n",
       .line = 1,
       .in_header = true},
      {.name = "error_directive",
       .body = i + "#error not today\n",
       .line = 2,
       .mentions = "not today"},
      {.name = "missing_include", .body = i + "#include \"nowhere.h\"\n", .line = 2},
      {.name = "file_of_the_system", .body = i + "#include </etc/passwd>\n", .line = 2},
      {.name = "unknown_directive", .body = i + "#frobnicate\n", .line = 2},
      {.name = "null_byte",
       .body = i + std::string("y[i] = 1;\0 y[i] = 2;", 20),
       .line = 0,
       .mentions = "NUL"},
      {.name = "null_byte_in_comment",
       .body = i + std::string("// \0", 4),
       .line = 0,
       .mentions = "NUL"},
      {.name = "control_byte", .body = i + "y[i] = \x01 1;", .line = 2},
      {.name = "latin1_name", .body = i + "int \xe9 = 1; y[i] = \xe9;", .line = 2},
      {.name = "no_break_space", .body = i + "y[i] =\xc2\xa0@1;", .line = 2},
      {.name = "byte_order_mark_inside", .body = i + "y[i] = \xef\xbb\xbf@1;", .line = 2},
      {.name = "stray_backslash", .body = i + "y[i] = \\ 1;", .line = 2},
      {.name = "stray_hash", .body = i + "y[i] = # 1;", .line = 2},
      {.name = "error_behind_joined_lines", .body = i + "y[i] \\\n = \\\n  unknown;", .line = 4},
      {.name = "error_behind_crlf",
       .body = "// one\r\n// two \\\r\n three\r\nunknown;\r\n",
       .line = 4},
      {.name = "error_behind_cr", .body = "// one\r// two\runknown;\r", .line = 3},
      {.name = "error_behind_a_raw_string",
       .body = i + "const constant char* s = R\"(one\ntwo)\";\nunknown;",
       .line = 4},
      {.name = "error_in_a_long_line",
       .body = i + std::string(kMillion, ' ') + "unknown;",
       .line = 2},
      {.name = "error_behind_many_lines",
       .body = i + std::string(200000, '\n') + "unknown;",
       .line = 200002},
      {.name = "deep_parentheses",
       .body = i + "y[i] = " + repeated("(", 100000) + "1" + repeated(")", 100000) + ";",
       .line = 2},
      {.name = "deep_braces", .body = i + repeated("{", 100000) + repeated("}", 100000), .line = 2},
      {.name = "many_open_brackets", .body = i + repeated("([{", 100000), .line = 2},
      {.name = "deep_operators",
       .body = i + "y[i] = " + repeated("!", 20000) + "unknown;",
       .line = 2},
      {.name = "recursive_macros",
       .body = i + "#define A(x) B(x) B(x)\n#define B(x) A(x) A(x)\ny[i] = A(A(1));",
       .line = 4},
      {.name = "error_in_renumbered_lines",
       .body = i + "#line 70\nunknown;",
       .line = 0,
       .mentions = "the_body.metal"},
      {.name = "error_in_renamed_lines",
       .body = i + "#line 70 \"elsewhere.metal\"\nunknown;",
       .line = 0,
       .mentions = "unknown"},
      {.name = "line_zero", .body = i + "#line 0\nunknown;", .line = 0},
      {.name = "no_text_at_all",
       .body = "\x7f\x45\x4c\x46\x02\x01\x01 \x80\x81\xfe\xff",
       .line = 1},
  };
}
INSTANTIATE_TEST_SUITE_P(Language, RejectedRawTexts,
                         testing::ValuesIn(on_each_device(rejected_rows())), rejected_name);

}  // namespace
}  // namespace sprue::language
