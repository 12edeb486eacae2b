// Groups of two and three dimensions with smaller groups at the edges.
#include <fmt/format.h>

#include "language/matrix.h"

namespace sprue::language {
namespace {

std::vector<Row> shape_rows() {
  std::vector<Row> rows;
  struct Case {
    Size3 grid, group;
  };
  for (const Case& c : {Case{{13, 9, 1}, {4, 4, 1}}, Case{{5, 7, 6}, {3, 2, 4}},
                        Case{{40, 3, 2}, {32, 2, 1}}, Case{{3, 50, 1}, {8, 32, 1}}}) {
    const Size3 grid = c.grid;
    const Size3 group{std::min(c.group.x, grid.x), std::min(c.group.y, grid.y),
                      std::min(c.group.z, grid.z)};
    Row r{.name = fmt::format("grid_{}_{}_{}", grid.x, grid.y, grid.z)};
    r.body = R"(
      uint3 p = thread_position_in_grid, size = threads_per_threadgroup;
      uint3 t = thread_position_in_threadgroup;
      uint l = thread_index_in_threadgroup, count = size.x * size.y * size.z;
      uint i = (p.z * threads_per_grid.y + p.y) * threads_per_grid.x + p.x;
      threadgroup int s[1024];
      s[l] = i;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      y[i] = s[count - 1 - l];
      z[i] = l == (t.z * size.y + t.y) * size.x + t.x ? int(count) : -1;
    )";
    const auto extent = [](int64_t all, int64_t part, int64_t at) {
      return std::min(part, all - at / part * part);
    };
    const auto count_at = [=](int64_t i) {
      return extent(grid.x, group.x, i % grid.x) * extent(grid.y, group.y, i / grid.x % grid.y) *
             extent(grid.z, group.z, i / grid.x / grid.y);
    };
    const auto mirrored = [=](int64_t i) {
      const auto flip = [](int64_t all, int64_t part, int64_t at) {
        const int64_t first = at / part * part, size = std::min(part, all - first);
        return first + size - 1 - (at - first);
      };
      return (flip(grid.z, group.z, i / grid.x / grid.y) * grid.y +
              flip(grid.y, group.y, i / grid.x % grid.y)) *
                 grid.x +
             flip(grid.x, group.x, i % grid.x);
    };
    r.outputs = {{"y", int32, {grid.x * grid.y * grid.z}, mirrored},
                 {"z", int32, {grid.x * grid.y * grid.z}, count_at}};
    r.grid = grid;
    r.threadgroup = c.group;
    rows.push_back(r);
  }
  return rows;
}
SPRUE_MATRIX(GroupShapes, shape_rows)

}  // namespace
}  // namespace sprue::language
