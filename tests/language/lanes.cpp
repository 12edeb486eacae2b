#include "language/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sprue::language {

Simdgroup simdgroup_of(const Size3& grid, const Size3& group, int64_t thread) {
  const auto first = [](int64_t at, int64_t size) { return at / size * size; };
  const auto last = [](int64_t at, int64_t size, int64_t extent) {
    return std::min(extent, (at / size + 1) * size);
  };
  const int64_t x = thread % grid.x, y = thread / grid.x % grid.y, z = thread / grid.x / grid.y;
  std::vector<int64_t> threads;  // of the threadgroup, in order
  int64_t self = 0;
  for (int64_t k = first(z, group.z); k < last(z, group.z, grid.z); ++k)
    for (int64_t j = first(y, group.y); j < last(y, group.y, grid.y); ++j)
      for (int64_t i = first(x, group.x); i < last(x, group.x, grid.x); ++i) {
        if (i == x && j == y && k == z) self = std::ssize(threads);
        threads.push_back((k * grid.y + j) * grid.x + i);
      }
  Simdgroup simdgroup{.lane = self % 32};
  for (int64_t at = self - simdgroup.lane; at < std::ssize(threads) && at / 32 == self / 32; ++at)
    simdgroup.threads.push_back(threads[static_cast<size_t>(at)]);
  return simdgroup;
}

namespace {

using Step = Real (*)(Dtype, Real, Real);

// An operation on bit patterns, for integers of every width.
template <typename Operation>
Real on_bits(Dtype type, Real a, Real b, Operation operation) {
  const uint64_t mask =
      dtype_size(type) == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * dtype_size(type)) - 1;
  return decode(operation(encode(a, type), encode(b, type)) & mask, type);
}

Real and_in(Dtype type, Real a, Real b) {
  return on_bits(type, a, b, [](uint64_t x, uint64_t y) { return x & y; });
}
Real or_in(Dtype type, Real a, Real b) {
  return on_bits(type, a, b, [](uint64_t x, uint64_t y) { return x | y; });
}
Real xor_in(Dtype type, Real a, Real b) {
  return on_bits(type, a, b, [](uint64_t x, uint64_t y) { return x ^ y; });
}
Real smaller(Dtype, Real a, Real b) { return b < a ? b : a; }
Real larger(Dtype, Real a, Real b) { return b > a ? b : a; }

// The values of one block of lanes, and which of them there are. A combination with a missing one is the
// other one: what an identity does, for sums -0.
struct Block {
  std::vector<Real> values;
  std::vector<bool> exists;
};

Block block_of(const Lanes& lanes, int64_t lane, int64_t width) {
  Block block;
  for (int64_t k = lane / width * width; k < lane / width * width + width; ++k) {
    block.exists.push_back(lanes.is_active(k));
    block.values.push_back(lanes.v[static_cast<size_t>(k)]);
  }
  return block;
}

// Combines the value at `a` with that at `b`, where b may lie outside.
void combine(const Block& from, int64_t a, int64_t b, Dtype type, Step step, Block& to) {
  const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
  if (b < 0 || !from.exists[j]) return;
  to.values[i] = from.exists[i] ? step(type, from.values[j], from.values[i]) : from.values[j];
  to.exists[i] = true;
}

// bfloat is summed in float and rounded once.
Dtype step_type(Dtype type) { return type == bfloat16 ? float32 : type; }

Real butterfly(const Lanes& lanes, int64_t lane, int64_t width, Step step) {
  Block block = block_of(lanes, lane, width);
  for (int64_t distance = width / 2; distance > 0; distance /= 2) {
    Block next = block;
    for (int64_t k = 0; k < width; ++k)
      combine(block, k, k ^ distance, step_type(lanes.type), step, next);
    block = next;
  }
  return block.values[static_cast<size_t>(lane % width)];
}

Block running(const Lanes& lanes, int64_t lane, int64_t width, Step step) {
  Block block = block_of(lanes, lane, width);
  for (int64_t distance = 1; distance < width; distance *= 2) {
    Block next = block;
    for (int64_t k = 0; k < width; ++k)
      combine(block, k, k - distance, step_type(lanes.type), step, next);
    block = next;
  }
  return block;
}

Real inclusive(const Lanes& lanes, int64_t lane, int64_t width, Step step) {
  return running(lanes, lane, width, step).values[static_cast<size_t>(lane % width)];
}

Real exclusive(const Lanes& lanes, int64_t lane, int64_t width, Step step, Real of_none) {
  if (lane % width == 0) return of_none;
  const Block block = running(lanes, lane, width, step);
  const auto below = static_cast<size_t>(lane % width - 1);
  return block.exists[below] ? block.values[below] : of_none;
}

// The value of `source`, or the lane's own one where that doesn't take part.
Real moved(const Lanes& lanes, int64_t lane, int64_t source) {
  return lanes.v[static_cast<size_t>(lanes.is_active(source) ? source : lane)];
}
Real moved_within(const Lanes& lanes, int64_t lane, int64_t width, int64_t index) {
  const int64_t first = lane / width * width;
  return moved(lanes, lane, index >= 0 && index < width ? first + index : lane);
}

Real filled(const Lanes& lanes, int64_t lane, int64_t piece, int64_t distance) {
  const int64_t first = lane / piece * piece, index = lane % piece + distance;
  if (index >= 0 && index < piece) return moved(lanes, lane, first + index);
  const int64_t wrapped = index < 0 ? index + piece : index - piece;
  return wrapped >= 0 && wrapped < piece && lanes.is_active(first + wrapped)
             ? lanes.w[static_cast<size_t>(first + wrapped)]
             : lanes.v[static_cast<size_t>(lane)];
}

}  // namespace

Real moved_by_xor(const Lanes& lanes, int64_t lane, int64_t width, int64_t mask) {
  return moved_within(lanes, lane, width, (lane % width) ^ mask);
}
Real moved_up(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return moved_within(lanes, lane, width, lane % width - delta);
}
Real moved_down(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return moved_within(lanes, lane, width, lane % width + delta);
}
Real rotated_up(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return moved_within(lanes, lane, width, (lane % width + 2 * width - delta) % width);
}
Real rotated_down(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return moved_within(lanes, lane, width, (lane % width + delta) % width);
}
Real filled_from_below(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return filled(lanes, lane, width, -delta);
}
Real filled_from_above(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta) {
  return filled(lanes, lane, width, delta);
}

namespace {

void add_moves(std::vector<LaneFunction>& functions, const std::string& group, int64_t width) {
  const auto add = [&](const std::string& call, const auto& expected) {
    functions.push_back({group + "_" + call, Takes::values, expected});
  };
  add("shuffle(v, at)", [=](const Lanes& lanes, int64_t lane) {
    return moved_within(lanes, lane, width, lanes.at[static_cast<size_t>(lane)]);
  });
  // Distances here are a few; every one is in MoveDistances.
  const auto add_at = [&](const std::string& call, int64_t distance, const auto& expected) {
    functions.push_back(
        {fmt::format("{}_{}", group, call), Takes::values,
         [=](const Lanes& lanes, int64_t lane) { return expected(lanes, lane, width, distance); }});
  };
  const int64_t half = width / 2;
  add_at(fmt::format("shuffle_xor(v, {})", half + 1), half + 1, moved_by_xor);
  add_at("shuffle_up(v, 1)", 1, moved_up);
  add_at("shuffle_down(v, 3)", 3, moved_down);
  add_at("shuffle_rotate_up(v, 3)", 3, rotated_up);
  add_at("shuffle_rotate_down(v, 1)", 1, rotated_down);
  add_at("shuffle_and_fill_up(v, w, 3)", 3, filled_from_below);
  add_at("shuffle_and_fill_down(v, w, 1)", 1, filled_from_above);
  add(fmt::format("shuffle_and_fill_up(v, w, 1, {})", half),
      [=](const Lanes& lanes, int64_t lane) { return filled_from_below(lanes, lane, half, 1); });
  add("shuffle_and_fill_down(v, w, 1, 2)",
      [=](const Lanes& lanes, int64_t lane) { return filled_from_above(lanes, lane, 2, 1); });
  add("broadcast(v, 2)",
      [=](const Lanes& lanes, int64_t lane) { return moved_within(lanes, lane, width, 2); });
  add("broadcast_first(v)", [=](const Lanes& lanes, int64_t lane) {
    int64_t source = lane / width * width;
    while (!lanes.is_active(source)) ++source;
    return moved(lanes, lane, source);
  });
}

}  // namespace

Real sum_in(Dtype type, Real a, Real b) {
  if (dtype_is_floating(type)) return rounded(a + b, type);
  return on_bits(type, a, b, [](uint64_t x, uint64_t y) { return x + y; });
}
Real product_in(Dtype type, Real a, Real b) {
  if (dtype_is_floating(type)) return rounded(a * b, type);
  return on_bits(type, a, b, [](uint64_t x, uint64_t y) { return x * y; });
}

bool accepts(Takes takes, Dtype type) {
  if (takes == Takes::values) return true;
  if (type == bool_) return false;
  return takes == Takes::numbers || !dtype_is_floating(type);
}

std::vector<LaneFunction> lane_functions(const std::string& group, int64_t width) {
  std::vector<LaneFunction> functions;
  add_moves(functions, group, width);
  const auto reduction = [&](const char* name, Takes takes, Step step) {
    functions.push_back(
        {fmt::format("{}_{}(v)", group, name), takes,
         [=](const Lanes& lanes, int64_t lane) { return butterfly(lanes, lane, width, step); }});
  };
  reduction("sum", Takes::numbers, sum_in);
  reduction("product", Takes::numbers, product_in);
  reduction("min", Takes::numbers, smaller);
  reduction("max", Takes::numbers, larger);
  reduction("and", Takes::integers, and_in);
  reduction("or", Takes::integers, or_in);
  reduction("xor", Takes::integers, xor_in);
  const auto scan = [&](const char* name, Step step, Real of_none) {
    functions.push_back(
        {fmt::format("{}_prefix_inclusive_{}(v)", group, name), Takes::numbers,
         [=](const Lanes& lanes, int64_t lane) { return inclusive(lanes, lane, width, step); }});
    functions.push_back({fmt::format("{}_prefix_exclusive_{}(v)", group, name), Takes::numbers,
                         [=](const Lanes& lanes, int64_t lane) {
                           return exclusive(lanes, lane, width, step, of_none);
                         }});
  };
  scan("sum", sum_in, 0);
  scan("product", product_in, 1);
  return functions;
}

}  // namespace sprue::language
