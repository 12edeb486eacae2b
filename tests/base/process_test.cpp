#include "base/process.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sprue {
namespace {

TEST(Process, GivesOutputErrorsAndExitCode) {
  const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
  EXPECT_EQ(result->exit_code, 3);
}

TEST(Process, WordsReachTheProgramAsTheyAre) {
  const auto result = run_process({"printf", "%s|", "a b", "$HOME", "`id`", "", "'\"\\"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "a b|$HOME|`id`||'\"\\|");
}

TEST(Process, ManyBytesOnBothPipesDontBlock) {
  const auto result = run_process(
      {"sh", "-c", "head -c 3000000 /dev/zero >&2; head -c 2000000 /dev/zero; cat; exit 0"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output.size(), 2000000u);
  EXPECT_EQ(result->errors.size(), 3000000u);
}

TEST(Process, RunsInTheFolder) {
  const auto folder = std::filesystem::canonical(std::filesystem::temp_directory_path());
  const auto result = run_process({"pwd", "-P"}, {.folder = folder.string()});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, folder.string() + "\n");
}

TEST(Process, ASignalIsAnExitCode) {
  const auto result = run_process({"sh", "-c", "kill -TERM $$"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 128 + 15);
}

TEST(Process, WhatCantRunIsAnError) {
  const auto absent = run_process({"no-such-program-anywhere"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::not_found);
  EXPECT_NE(absent.error().message().find("no-such-program-anywhere"), std::string::npos);
  EXPECT_FALSE(run_process({}));
  EXPECT_FALSE(run_process({"pwd"}, {.folder = "/no/such/folder"}));
  const auto folder = run_process({"/"});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code(), ErrorCode::io);
}

}  // namespace
}  // namespace sprue
