// The twenty thread attributes against an enumeration of groups and threads.
#include <algorithm>
#include <array>
#include <map>

#include "program/signature.h"
#include "support.h"

namespace sprue {
namespace {

using Extent = std::array<uint32_t, 3>;

// What one thread must see: three words an attribute, of which a uint uses the first.
using Seen = std::map<std::string, Extent>;

struct Thread {
  Extent position;  // in the grid
  Seen seen;
};

uint32_t product(const Extent& extent) { return extent[0] * extent[1] * extent[2]; }
uint32_t pieces(uint32_t count, uint32_t width) { return count / width + (count % width ? 1 : 0); }

// Places the threads as Metal's text says: group after group, threads of a group x first.
std::vector<Thread> enumerate(const Extent& grid, const Extent& wanted) {
  Extent full{}, groups{};
  for (size_t a = 0; a < 3; ++a) {
    full[a] = std::min(wanted[a], grid[a]);
    groups[a] = pieces(grid[a], full[a]);
  }
  std::vector<Thread> threads;
  for (uint32_t gz = 0; gz < groups[2]; ++gz)
    for (uint32_t gy = 0; gy < groups[1]; ++gy)
      for (uint32_t gx = 0; gx < groups[0]; ++gx) {
        const Extent group = {gx, gy, gz};
        Extent size{};
        for (size_t a = 0; a < 3; ++a) size[a] = std::min(full[a], grid[a] - group[a] * full[a]);
        uint32_t index = 0;
        for (uint32_t z = 0; z < size[2]; ++z)
          for (uint32_t y = 0; y < size[1]; ++y)
            for (uint32_t x = 0; x < size[0]; ++x, ++index) {
              Thread thread;
              thread.position = {gx * full[0] + x, gy * full[1] + y, gz * full[2] + z};
              thread.seen = {
                  {"dispatch_quadgroups_per_threadgroup", {pieces(product(full), 4)}},
                  {"dispatch_simdgroups_per_threadgroup", {pieces(product(full), 32)}},
                  {"dispatch_threads_per_threadgroup", full},
                  {"grid_origin", {0, 0, 0}},
                  {"grid_size", grid},
                  {"quadgroup_index_in_threadgroup", {index / 4}},
                  {"quadgroups_per_threadgroup", {pieces(product(size), 4)}},
                  {"simdgroup_index_in_threadgroup", {index / 32}},
                  {"simdgroups_per_threadgroup", {pieces(product(size), 32)}},
                  {"thread_execution_width", {32}},
                  {"thread_index_in_quadgroup", {index % 4}},
                  {"thread_index_in_simdgroup", {index % 32}},
                  {"thread_index_in_threadgroup", {index}},
                  {"thread_position_in_grid", thread.position},
                  {"thread_position_in_threadgroup", {x, y, z}},
                  {"threadgroup_position_in_grid", group},
                  {"threadgroups_per_grid", groups},
                  {"threads_per_grid", grid},
                  {"threads_per_simdgroup", {32}},
                  {"threads_per_threadgroup", size},
              };
              threads.push_back(thread);
            }
      }
  return threads;
}

struct Geometry {
  Extent grid, threadgroup;
};
constexpr Geometry kGeometries[] = {
    {{100, 1, 1}, {64, 1, 1}}, {{7, 5, 3}, {4, 2, 2}},   {{24, 6, 1}, {256, 1, 1}},
    {{10, 10, 1}, {6, 7, 1}},  {{5, 9, 2}, {8, 8, 8}},   {{33, 2, 1}, {33, 1, 1}},
    {{1, 1, 40}, {1, 1, 33}},  {{64, 3, 2}, {32, 2, 2}},
};

const char* const kModes[] = {"", "threadgroup_barrier(mem_flags::mem_none);"};

bool is_triple(const std::string& name) {
  for (int i = 0; i < kAttributeCount; ++i) {
    const AttributeTraits& traits = attribute_traits(static_cast<Attribute>(i));
    if (traits.name == name) return traits.type == "uint3";
  }
  return false;
}

// Each thread stores what it sees of these attributes, at the place of its position.
void expect_attributes(const std::vector<std::string>& attributes, const std::string& mode) {
  std::string body = mode;
  body += "uint3 at = thread_position_in_grid;\n";
  body += "device uint* mine = seen + ((at.z * height + at.y) * width + at.x) * COUNT * 3;\n";
  for (const std::string& name : attributes)
    body += (is_triple(name)
                 ? "{ uint3 a = " + name + "; mine[0] = a.x; mine[1] = a.y; mine[2] = a.z; }"
                 : "mine[0] = " + name + ";") +
            " mine += 3;\n";
  const Kernel kernel = metal_kernel({.name = fresh_name("attributes"),
                                      .input_names = {"width", "height"},
                                      .output_names = {"seen"},
                                      .source = body});
  const auto count = static_cast<int>(attributes.size());
  for (const auto& [grid, group] : kGeometries) {
    const Arrays out = kernel({.inputs = {Array::scalar(grid[0]), Array::scalar(grid[1])},
                               .output_shapes = {{product(grid), count, 3}},
                               .output_dtypes = {uint32},
                               .grid = {grid[0], grid[1], grid[2]},
                               .threadgroup = {group[0], group[1], group[2]},
                               .template_arguments = {{"COUNT", count}},
                               .init_value = 0});
    const std::vector<Thread> threads = enumerate(grid, group);
    ASSERT_EQ(threads.size(), product(grid));
    for (const Thread& thread : threads) {
      const Extent& at = thread.position;
      const uint32_t* words = out[0].data<uint32_t>() +
                              (uint64_t{at[2]} * grid[1] * grid[0] + at[1] * grid[0] + at[0]) * 3u *
                                  static_cast<uint32_t>(count);
      for (size_t i = 0; i < attributes.size(); ++i, words += 3)
        ASSERT_EQ((Extent{words[0], words[1], words[2]}), thread.seen.at(attributes[i]))
            << attributes[i] << " of thread " << at[0] << " " << at[1] << " " << at[2]
            << " in grid " << grid[0] << " " << grid[1] << " " << grid[2] << mode;
    }
  }
}

std::vector<std::string> all_attributes() {
  std::vector<std::string> names;
  for (int i = 0; i < kAttributeCount; ++i)
    names.emplace_back(attribute_traits(static_cast<Attribute>(i)).name);
  return names;
}

TEST(Attributes, AllTwentyAtOnce) {
  ASSERT_EQ(all_attributes().size(), 20u);
  for (const char* mode : kModes) expect_attributes(all_attributes(), mode);
}

// One at a time: which of them a body uses decides how groups are run together.
class AttributeAlone : public testing::TestWithParam<std::string> {};

TEST_P(AttributeAlone, InLoopMode) { expect_attributes({GetParam()}, kModes[0]); }
TEST_P(AttributeAlone, InCoroutineMode) { expect_attributes({GetParam()}, kModes[1]); }

INSTANTIATE_TEST_SUITE_P(Twenty, AttributeAlone, testing::ValuesIn(all_attributes()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sprue
