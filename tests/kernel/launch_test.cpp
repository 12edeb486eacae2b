// Which threads run: exactly those of the grid, each once, in groups that are smaller at the edges.
#include <climits>

#include "support.h"

namespace sprue {
namespace {

struct Geometry {
  Size3 grid, threadgroup;
};

constexpr Geometry kGeometries[] = {
    {{24, 1, 1}, {256, 1, 1}},   {{257, 1, 1}, {256, 1, 1}},   {{24, 64, 1}, {256, 1, 1}},
    {{24, 512, 1}, {256, 1, 1}}, {{1009, 1, 1}, {31, 1, 1}},   {{13, 17, 1}, {5, 7, 1}},
    {{7, 11, 13}, {2, 3, 5}},    {{1, 1, 67}, {1, 1, 8}},      {{3, 5, 2}, {8, 8, 16}},
    {{1, 1, 1}, {1, 1, 1}},      {{5000, 3, 1}, {1024, 1, 1}}, {{64, 64, 4}, {32, 32, 1}},
};

std::string text(const Size3& size) {
  return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " +
         std::to_string(size.z) + ")";
}

// Runs the body once a geometry; each thread adds 1 to the cell of its position. Cells behind the grid
// catch threads that shouldn't be.
void expect_each_thread_once(const std::string& before) {
  const Kernel kernel = metal_kernel({.name = fresh_name("coverage"),
                                      .input_names = {"width", "height"},
                                      .output_names = {"cells"},
                                      .source = before + R"(
uint3 p = thread_position_in_grid;
uint cell = (p.z * height + p.y) * width + p.x;
if (p.x >= width || p.y >= height) cell = 0;  // a thread beside the grid makes the first cell too large
atomic_fetch_add_explicit(&cells[cell], 1, memory_order_relaxed);
)",
                                      .atomic_outputs = true});
  for (const Geometry& geometry : kGeometries) {
    const auto [grid, group] = geometry;
    const int64_t threads = grid.x * grid.y * grid.z;
    constexpr int64_t kSlack =
        4096;  // more than a group of 1,024 threads beyond each axis needs here
    const Arrays out = kernel({.inputs = {Array::scalar(static_cast<uint32_t>(grid.x)),
                                          Array::scalar(static_cast<uint32_t>(grid.y))},
                               .output_shapes = {{threads + kSlack}},
                               .output_dtypes = {int32},
                               .grid = grid,
                               .threadgroup = group,
                               .init_value = 0});
    int64_t wrong = 0;
    for (int64_t i = 0; i < out[0].size(); ++i) wrong += out[0].data<int32_t>()[i] != (i < threads);
    EXPECT_EQ(wrong, 0) << "grid " << text(grid) << " threadgroup " << text(group);
  }
}

TEST(Launch, EachThreadOfTheGridRunsOnceInLoopMode) { expect_each_thread_once(""); }

TEST(Launch, EachThreadOfTheGridRunsOnceWithABarrier) {
  expect_each_thread_once("threadgroup_barrier(mem_flags::mem_none);");
}

TEST(Launch, EachThreadOfTheGridRunsOnceWithACollective) {
  expect_each_thread_once("if (simd_max(thread_position_in_grid.x) == 0xffffffffu) return;");
}

TEST(Launch, EachThreadOfTheGridRunsOnceWithThreadgroupStorage) {
  expect_each_thread_once(
      "threadgroup uint mine[1024]; mine[thread_index_in_threadgroup] = 1;"
      "if (mine[thread_index_in_threadgroup] == 2) return;");
}

// Each thread uses a cell of its own in its group's memory. Groups that ran as one loop would share it.
TEST(Launch, NeighbouringGroupsDoNotShareThreadgroupStorage) {
  const Kernel kernel =
      metal_kernel(one_to_one(fresh_name("own_cells"),
                              "threadgroup uint own[4]; uint i = thread_position_in_grid.x; own[i "
                              "% 4] = i; y[i] = own[i % 4];"));
  const Arrays out = kernel({.inputs = {1},
                             .output_shapes = {{4096}},
                             .output_dtypes = {uint32},
                             .grid = {4096, 1, 1},
                             .threadgroup = {4, 1, 1}});
  EXPECT_EQ(numbers(out[0]), numbers(arange(4096, uint32)));
}

TEST(Launch, SizesOutOfRangeAreRefusedBeforeAnythingRuns) {
  constexpr int64_t kMost = INT_MAX;
  const Size3 bad_grids[] = {
      {0, 1, 1},         {1, 0, 1},         {1, 1, 0},         {-1, 1, 1},  {1, 1, -7},
      {kMost + 1, 1, 1}, {1, INT64_MAX, 1}, {INT64_MIN, 1, 1}, {-1, -1, 1}, {kMost, kMost, kMost},
      {1, kMost + 1, 1}, {kMost, kMost, 1}, {kMost, 1, kMost}};
  const Size3 bad_groups[] = {{0, 1, 1},         {1, 1, 0},        {-1, 1, 1},
                              {-1, -1, 1},       {1025, 1, 1},     {1, 1, 1025},
                              {32, 33, 1},       {1024, 2, 1},     {kMost, kMost, kMost},
                              {65536, 65536, 1}, {INT64_MAX, 1, 1}};
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("sizes"), "y[0] = 1;"));
  const CounterDelta delta;
  KernelCall call = one_element_call(arange(8), float32);
  call.init_value = 0;
  for (const Size3& size : bad_grids) {
    call.grid = size;
    expect_error(ErrorCode::invalid_argument, {"[metal_kernel]", "grid", kernel.name(), text(size)},
                 [&] { (void)kernel(call); });
  }
  call.grid = {1, 1, 1};
  for (const Size3& size : bad_groups) {
    call.threadgroup = size;
    expect_error(ErrorCode::invalid_argument,
                 {"[metal_kernel]", "threadgroup", kernel.name(), text(size)},
                 [&] { (void)kernel(call); });
  }
  EXPECT_EQ(delta(&Counters::launches), 0u);
  EXPECT_EQ(delta(&Counters::compiles), 0u);
  EXPECT_EQ(delta(&Counters::fills), 0u);
  call.threadgroup = {1, 1, 1};
  EXPECT_EQ(number(kernel(call)[0]), 1);
}

TEST(Launch, TheLargestThreadgroupRuns) {
  const Kernel kernel =
      metal_kernel(one_to_one(fresh_name("largest"),
                              "threadgroup_barrier(mem_flags::mem_threadgroup);"
                              "y[thread_index_in_threadgroup] = threads_per_threadgroup.y;"));
  const Arrays out = kernel({.inputs = {1},
                             .output_shapes = {{1024}},
                             .output_dtypes = {int32},
                             .grid = {8, 16, 8},
                             .threadgroup = {8, 16, 8}});
  EXPECT_EQ(numbers(out[0]), std::vector<double>(1024, 16));
}

// 80 threads in groups of 33: two full groups, each with one simdgroup of a single lane, and one of 14.
TEST(Launch, PartialGroupsAndSimdgroupsCountTheirOwnThreads) {
  const Kernel kernel = metal_kernel({.name = fresh_name("partial"),
                                      .input_names = {"x"},
                                      .output_names = {"size", "lanes", "sum", "largest", "total"},
                                      .source = R"(
threadgroup float shared[33];
uint i = thread_position_in_grid.x, local = thread_position_in_threadgroup.x;
size[i] = threads_per_threadgroup.x;
lanes[i] = simd_sum(1);
sum[i] = simd_sum(x[i]);
largest[i] = simd_max(x[i]);
shared[local] = x[i];
threadgroup_barrier(mem_flags::mem_threadgroup);
float all = 0;
for (uint k = 0; k < threads_per_threadgroup.x; ++k) all += shared[k];
total[i] = all;
)"});
  const Arrays out = kernel({.inputs = {arange(80)},
                             .output_shapes = {{80}, {80}, {80}, {80}, {80}},
                             .output_dtypes = {int32, int32, float32, float32, float32},
                             .grid = {80, 1, 1},
                             .threadgroup = {33, 1, 1}});
  for (int i = 0; i < 80; ++i) {
    const int group = i / 33 * 33, group_end = std::min(group + 33, 80);
    const int first = group + (i - group) / 32 * 32, end = std::min(first + 32, group_end);
    const auto sum_of = [](int from, int to) { return (to - from) * (from + to - 1) / 2.0; };
    const auto at = static_cast<size_t>(i);
    EXPECT_EQ(numbers(out[0])[at], group_end - group) << i;
    EXPECT_EQ(numbers(out[1])[at], end - first) << i;
    EXPECT_EQ(numbers(out[2])[at], sum_of(first, end)) << i;
    EXPECT_EQ(numbers(out[3])[at], end - 1) << i;
    EXPECT_EQ(numbers(out[4])[at], sum_of(group, group_end)) << i;
  }
}

TEST(Launch, ManyKernelsOfDifferentNeedsShareAWorkersMemory) {
  // Frames, threads and arena grow and are used again by smaller kernels, in both orders.
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("needs"), R"(
threadgroup float shared[SIZE];
uint local = thread_index_in_threadgroup;
float kept[4] = {x[0], x[1], x[2], x[3]};
shared[local] = x[local % 8];
threadgroup_barrier(mem_flags::mem_threadgroup);
float sum = kept[local % 4];
for (uint k = 0; k < threads_per_threadgroup.x; ++k) sum += shared[k];
y[thread_position_in_grid.x] = sum;
)"));
  for (int round = 0; round < 2; ++round)
    for (int size : {64, 1024, 16}) {
      const Arrays out = kernel({.inputs = {arange(8)},
                                 .output_shapes = {{4 * size}},
                                 .output_dtypes = {float32},
                                 .grid = {4 * size, 1, 1},
                                 .threadgroup = {size, 1, 1},
                                 .template_arguments = {{"SIZE", size}}});
      for (int i = 0; i < 4 * size; ++i)
        ASSERT_EQ(out[0].data<float>()[i], static_cast<float>(i % size % 4 + size / 8 * 28))
            << size;
    }
}

}  // namespace
}  // namespace sprue
