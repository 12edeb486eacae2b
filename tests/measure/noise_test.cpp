#include "measure/machine/noise.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/thread_pool.h"

namespace sprue {
namespace {

namespace fs = std::filesystem;

// A /proc and a /sys of our own.
class NoiseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sprue-noise-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    put("proc/loadavg", "0.01 0.50 0.70 1/200 4242");
    put("proc/stat", "cpu  1000 0 500 8000 10 0 5 100 0 0\ncpu0 1 2 3\n");
    processor("cpu0", 3000000, 7);
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << "\n";
  }
  void processor(const std::string& name, int64_t kilohertz, int64_t throttled) {
    const std::string folder = "sys/devices/system/cpu/" + name;
    put(folder + "/cpufreq/scaling_cur_freq", std::to_string(kilohertz));
    put(folder + "/thermal_throttle/core_throttle_count", std::to_string(throttled));
  }
  // All flags but the fixed loop's, which the machine of this test decides.
  static std::vector<std::string> flags(const Noise& noise) {
    std::vector<std::string> flags;
    for (const std::string& flag : noise.flags)
      if (flag.find("fixed loop") == flag.npos) flags.push_back(flag);
    return flags;
  }

  fs::path root_;
};

TEST_F(NoiseTest, AQuietMachineRaisesNoFlag) {
  NoiseWatch watch(root_.string());
  put("proc/stat", "cpu  2000 0 500 9000 10 0 5 101 0 0\n");
  put("proc/loadavg", "1.90 0.50 0.70 3/200 4243");  // our own work
  const Noise noise = watch.finish();
  EXPECT_TRUE(flags(noise).empty()) << noise.flags.front();
  EXPECT_DOUBLE_EQ(noise.load_before, 0.01);
  EXPECT_DOUBLE_EQ(noise.load_after, 1.9);
  EXPECT_DOUBLE_EQ(noise.stolen, 1.0 / 2001);
  EXPECT_DOUBLE_EQ(noise.slowest_clock, 3e9);
  EXPECT_DOUBLE_EQ(noise.fastest_clock, 3e9);
  EXPECT_GE(noise.control_spread, 0);
}

TEST_F(NoiseTest, OtherWorkIsFlagged) {
  put("proc/loadavg", std::to_string(0.6 * parallel_threads()) + " 0 0 1/2 3");
  const auto found = flags(NoiseWatch(root_.string()).finish());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("load"), std::string::npos);
}

TEST_F(NoiseTest, StolenTimeIsFlagged) {
  NoiseWatch watch(root_.string());
  put("proc/stat", "cpu  1500 0 500 8400 10 0 5 200 0 0\n");  // 100 of 1,000 ticks
  const Noise noise = watch.finish();
  EXPECT_DOUBLE_EQ(noise.stolen, 0.1);
  ASSERT_EQ(flags(noise).size(), 1u);
  EXPECT_NE(flags(noise)[0].find("10.0 %"), std::string::npos);
}

TEST_F(NoiseTest, ThrottlingAndClocksAreFlagged) {
  NoiseWatch watch(root_.string());
  processor("cpu0", 2700000, 9);
  const Noise noise = watch.finish();
  EXPECT_EQ(noise.throttled, 2);
  ASSERT_EQ(flags(noise).size(), 2u);
  EXPECT_NE(flags(noise)[0].find("2 times"), std::string::npos);
  EXPECT_NE(flags(noise)[1].find("2.70 and 3.00 GHz"), std::string::npos);
}

TEST_F(NoiseTest, ASystemThatTellsNothingRaisesNoFlag) {
  fs::remove_all(root_ / "proc");
  fs::remove_all(root_ / "sys");
  const Noise noise = NoiseWatch(root_.string()).finish();
  EXPECT_TRUE(flags(noise).empty());
  EXPECT_EQ(noise.fastest_clock, 0);
}

TEST_F(NoiseTest, DamagedFilesRaiseNoFlag) {
  put("proc/stat", "cpu  x y z");
  put("proc/loadavg", "");
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>");
  EXPECT_TRUE(flags(NoiseWatch(root_.string()).finish()).empty());
}

}  // namespace
}  // namespace sprue
