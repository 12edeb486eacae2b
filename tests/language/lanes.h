// A model of one simdgroup at a collective, and what each function of Metal gives there: plain loops over
// arrays of lanes, written from the specification and from the order of sums that Sprue promises.
//
//   Lanes lanes{.type = float32, .active = 0x7};                     // of 32 lanes, three take part
//   lane_functions("simd", 32)[0].expected(lanes, 2);                // in lane 2
//
// A function is one line of Metal text over v, w (numbers) and at (a lane's number). Values outside of
// the active lanes are never looked at.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "language/number.h"
#include "sprue/kernel.h"

namespace sprue::language {

// The simdgroup of thread x + width * (y + height * z) of a grid: its threads by lane, and the thread's own
// lane. Threads are numbered in the threadgroup as it is; at the grid's edges it is smaller.
struct Simdgroup {
  std::vector<int64_t> threads;
  int64_t lane = 0;
};
Simdgroup simdgroup_of(const Size3& grid, const Size3& group, int64_t thread);

struct Lanes {
  Dtype type = float32;
  uint32_t active = 0;            // bit i: lane i takes part
  std::array<Real, 32> v{}, w{};  // rounded to the type
  std::array<uint32_t, 32> at{};

  bool is_active(int64_t lane) const {
    return lane >= 0 && lane < 32 && (active >> lane & 1u) != 0;
  }
};

enum class Takes { values, numbers, integers };

struct LaneFunction {
  std::string text;
  Takes takes;
  std::function<Real(const Lanes&, int64_t lane)> expected;
};

// `group` is "simd" with 32 lanes or "quad" with 4.
std::vector<LaneFunction> lane_functions(const std::string& group, int64_t width);

// The moves, for any distance: what lane `lane` gets. Own is what a lane that doesn't take part gives.
Real moved_by_xor(const Lanes& lanes, int64_t lane, int64_t width, int64_t mask);
Real moved_up(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);
Real moved_down(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);
Real rotated_up(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);
Real rotated_down(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);
// `width` is that of a piece.
Real filled_from_below(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);
Real filled_from_above(const Lanes& lanes, int64_t lane, int64_t width, int64_t delta);

bool accepts(Takes takes, Dtype type);

// a + b and a * b in the type: integers modulo 2^bits, floats rounded.
Real sum_in(Dtype type, Real a, Real b);
Real product_in(Dtype type, Real a, Real b);

}  // namespace sprue::language
