#include "measure/machine/roofline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "measure/machine/caches.h"
#include "measure/machine/roofline_loops.h"

namespace sprue {
namespace {

namespace fs = std::filesystem;

Roofline known_roof() {
  Roofline roof;
  roof.levels = {{"L1d", 32 << 10, 100e9}, {"L2", 1 << 20, 50e9}, {"memory", 0, 10e9}};
  roof.operations = 200e9;
  roof.launch_seconds = 1e-6;
  return roof;
}

TEST(Roofline, TheLevelIsTheNearestThatHoldsTheSet) {
  const Roofline roof = known_roof();
  EXPECT_EQ(level_of(roof, 0).name, "L1d");
  EXPECT_EQ(level_of(roof, 32 << 10).name, "L1d");
  EXPECT_EQ(level_of(roof, (32 << 10) + 1).name, "L2");
  EXPECT_EQ(level_of(roof, (1 << 20) + 1).name, "memory");
}

TEST(Roofline, TheSlowestRoofBinds) {
  const Roofline roof = known_roof();
  const int64_t large = int64_t{1} << 30;
  RowBound bound = find_bound(roof, large, 1e6, 1e6);  // 100 µs, 5 µs
  EXPECT_EQ(bound.by, "bandwidth");
  EXPECT_DOUBLE_EQ(bound.seconds, 1e-4);
  EXPECT_EQ(bound.memory, "memory");
  bound = find_bound(roof, large, 1e6, 1e9);  // 100 µs, 5 ms
  EXPECT_EQ(bound.by, "arithmetic");
  EXPECT_DOUBLE_EQ(bound.seconds, 5e-3);
  bound = find_bound(roof, large, 1e3, 1e3);  // 0.1 µs, 5 ns
  EXPECT_EQ(bound.by, "launch");
  // The same bytes from a nearer cache take less.
  EXPECT_DOUBLE_EQ(find_bound(roof, 1000, 1e6, {}).seconds, 1e-5);
}

TEST(Roofline, WhatIsntDeclaredDoesntBind) {
  EXPECT_EQ(find_bound(known_roof(), 1000, {}, {}).by, "");
  EXPECT_EQ(find_bound(known_roof(), 1000, {}, 1e9).by, "arithmetic");
  EXPECT_EQ(find_bound(known_roof(), 1000, 1e9, {}).by, "bandwidth");
}

TEST(Roofline, MeasuresWhatAProcessorCanDo) {
  const Roofline roof = measure_roofline();
  ASSERT_FALSE(roof.levels.empty());
  EXPECT_EQ(roof.levels.back().name, "memory");
  for (const auto& level : roof.levels) {
    EXPECT_GT(level.bandwidth, 1e8);  // bytes a second: no machine of today is outside
    EXPECT_LT(level.bandwidth, 1e15);
  }
  EXPECT_GT(roof.operations, 1e8);
  EXPECT_LT(roof.operations, 1e15);
}

// A compiler that sees that all chains are equal would do one of them and count them all: then the
// figure is above what any processor issues, 64 float operations (two 512-bit units) a cycle.
TEST(Roofline, CountsWhatItDoes) {
  EXPECT_EQ(multiply_add_rounds(10), 10 * multiply_add_rounds(1));
  const double per_thread = measure_roofline().operations;
  EXPECT_LT(per_thread / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)), 64 * 6e9);
}

class CachesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sprue-caches-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  void cache(int processor, int index, const char* level, const char* type, const char* size,
             const char* shared) {
    const fs::path folder =
        root_ / ("cpu" + std::to_string(processor)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(folder);
    std::ofstream(folder / "level") << level << "\n";
    std::ofstream(folder / "type") << type << "\n";
    std::ofstream(folder / "size") << size << "\n";
    std::ofstream(folder / "shared_cpu_list") << shared << "\n";
  }
  fs::path root_;
};

TEST_F(CachesTest, OneInstanceCountsOnce) {
  cache(0, 0, "1", "Data", "32K", "0");
  cache(0, 1, "1", "Instruction", "32K", "0");
  cache(0, 2, "3", "Unified", "32M", "0-1");
  fs::create_directories(root_ / "cpufreq");
  fs::create_directories(root_ / "cpuidle");
  const auto caches = data_caches(root_.string());
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].name, "L1d");
  EXPECT_EQ(caches[0].capacity, 32 << 10);
  EXPECT_EQ(caches[1].name, "L3");
  EXPECT_EQ(caches[1].capacity, 32 << 20);
}

TEST_F(CachesTest, InstancesAddUp) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one processor";
  for (int i = 0; i < 2; ++i) {
    cache(i, 0, "1", "Data", "48K", std::to_string(i).c_str());
    cache(i, 1, "2", "Unified", "2048K", "0-1");
  }
  const auto caches = data_caches(root_.string());
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].capacity, 96 << 10);
  EXPECT_EQ(caches[1].capacity, 2 << 20);
}

TEST_F(CachesTest, WhatIsNoSizeIsLeftOut) {
  cache(0, 0, "1", "Data", "lots", "0");
  cache(0, 1, "x", "Data", "32K", "0");
  cache(0, 2, "2", "Unified", "", "0");
  cache(0, 3, "3", "Unified", "99999999999999999999K", "0");
  EXPECT_TRUE(data_caches(root_.string()).empty());
  EXPECT_TRUE(data_caches((root_ / "absent").string()).empty());
}

}  // namespace
}  // namespace sprue
