#include <gtest/gtest.h>

#include <filesystem>

#include "kernel_file/kernel_file.h"

namespace sprue {
namespace {

// The fuzzer starts from tests/data: texts that are wrong would reach little.
class Examples : public testing::TestWithParam<const char*> {};

TEST_P(Examples, EveryKernelFileCanBeReadAndCalled) {
  int files = 0;
  const auto folder = std::filesystem::path(SPRUE_SOURCE_DIR) / GetParam();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const auto file = read_kernel_file(entry.path().string());
    ASSERT_TRUE(file) << file.error().message();
    for (const CallSpec& spec : file->calls) {
      const auto call = make_call(*file, spec);
      ASSERT_TRUE(call) << call.error().message();
      EXPECT_EQ(call->inputs.size(), file->options.input_names.size());
    }
  }
  EXPECT_GE(files, 2);
}
INSTANTIATE_TEST_SUITE_P(, Examples, testing::Values("examples", "tests/data/kernel_file"));

}  // namespace
}  // namespace sprue
