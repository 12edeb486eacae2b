// What a process and its compile helper say to each other: whole, or not at all.
#include "compile/isolated/message.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compile/request.h"

namespace sprue {
namespace {

Compiled compiled() {
  Compiled value{.bytes = std::string("\0\x7f"
                                      "ELF\xff",
                                      6),
                 .log = "warning\n",
                 .compiler = "clang 1"};
  value.timing = {0.25, 1e300, -0.0, 5e-324, 7};
  return value;
}

Error error() {
  return Error(ErrorCode::compile_failed, "[compile] expected, got",
               {.compile_log = "a:1:2: error: b\n",
                .user_file = "a",
                .line = 1,
                .column = 2147483647,
                .options = "math=fast"});
}

TEST(Message, ARequestArrivesWhole) {
  CompileRequest sent = request_for("y[0] = 1;", "x86-64-v4", "sent", "constant int k = 1;");
  sent.target.features = "+avx";
  sent.dialect = Dialect::cuda;
  sent.math = MathMode::relaxed;
  sent.optimization = Optimization::fast;
  sent.headers["empty"] = "";
  sent.user_headers["mine.h"] = "text";
  sent.headers["nul"] = std::string(3, '\0');
  const auto got = decode_request(encode_request(sent, CompileOutput::assembly));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->output, CompileOutput::assembly);
  const CompileRequest& request = got->request;
  EXPECT_EQ(request.text, sent.text);
  EXPECT_EQ(request.file_name, sent.file_name);
  EXPECT_EQ(request.kernel_name, "sent");
  EXPECT_EQ(request.entry_name, sent.entry_name);
  EXPECT_EQ(request.signature.parameters.size(), 2u);
  EXPECT_EQ(request.headers, sent.headers);
  EXPECT_EQ(request.user_headers, sent.user_headers);
  EXPECT_EQ(request.user_files, sent.user_files);
  EXPECT_EQ(request.target, sent.target);
  EXPECT_EQ(request.dialect, Dialect::cuda);
  EXPECT_EQ(request.options(), sent.options());
}

TEST(Message, AnAnswerArrivesWhole) {
  const auto good = decode_answer(encode_answer(compiled()));
  ASSERT_TRUE(good);
  ASSERT_TRUE(*good);
  EXPECT_EQ((*good)->bytes, compiled().bytes);
  EXPECT_EQ((*good)->log, "warning\n");
  EXPECT_EQ((*good)->compiler, "clang 1");
  EXPECT_EQ((*good)->timing.optimize, 1e300);
  EXPECT_TRUE(std::signbit((*good)->timing.emit));
  EXPECT_EQ((*good)->timing.link, 5e-324);
  const auto bad = decode_answer(encode_answer(tl::unexpected(error())));
  ASSERT_TRUE(bad);
  ASSERT_FALSE(*bad);
  EXPECT_EQ(bad->error().code(), ErrorCode::compile_failed);
  EXPECT_EQ(bad->error().message(), error().message());
  EXPECT_EQ(bad->error().details().compile_log, error().details().compile_log);
  EXPECT_EQ(bad->error().details().user_file, "a");
  EXPECT_EQ(bad->error().details().line, 1);
  EXPECT_EQ(bad->error().details().column, 2147483647);
  EXPECT_EQ(bad->error().details().options, "math=fast");
}

TEST(Message, PartsAndMoreThanAMessageAreNone) {
  CompileRequest small;
  small.text = "text";
  small.headers["a"] = "b";
  const std::string request = encode_request(small, CompileOutput::llvm);
  const std::string answers[] = {encode_answer(compiled()), encode_answer(tl::unexpected(error()))};
  ASSERT_TRUE(decode_request(request));
  for (size_t size = 0; size < request.size(); ++size)
    EXPECT_FALSE(decode_request(request.substr(0, size))) << size;
  EXPECT_FALSE(decode_request(request + "x"));
  EXPECT_FALSE(decode_request(answers[0]));
  for (const std::string& answer : answers) {
    ASSERT_TRUE(decode_answer(answer));
    for (size_t size = 0; size < answer.size(); ++size)
      EXPECT_FALSE(decode_answer(answer.substr(0, size))) << size;
    EXPECT_FALSE(decode_answer(answer + '\0'));
    EXPECT_FALSE(decode_request(answer));
  }
  EXPECT_FALSE(decode_answer(request));
}

// Any byte may be wrong: sizes and counts of 2^56 among them. Nothing crashes, nothing is reserved for them.
TEST(Message, WrongBytesDoNoHarm) {
  CompileRequest small;
  small.headers["a"] = "b";
  for (std::string bytes : {encode_request(small, CompileOutput::llvm), encode_answer(compiled()),
                            encode_answer(tl::unexpected(error()))})
    for (size_t at = 0; at < bytes.size(); ++at)
      for (int value : {0x00, 0x01, 0x7f, 0xff}) {
        const char before = std::exchange(bytes[at], static_cast<char>(value));
        if (const auto request = decode_request(bytes)) {
          EXPECT_LE(request->output, CompileOutput::assembly);
          EXPECT_LE(request->request.signature.parameters.size(), 1u << 20);
        }
        (void)decode_answer(bytes);
        bytes[at] = before;
      }
}

}  // namespace
}  // namespace sprue
