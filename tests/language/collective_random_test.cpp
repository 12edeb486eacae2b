// Random structured programs with collectives, against an interpreter that runs 32 lanes in lockstep:
// each simd_sum is of the lanes that reach it together, in the same iteration of every loop around it.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

constexpr uint32_t kLanes = 32;
using Mask = uint32_t;  // bit i: lane i

struct Random {
  uint64_t state;
  uint32_t below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33) % limit;
  }
};

// Of one lane: its result so far and the loop counters around it, outermost first.
struct Lane {
  uint32_t sum = 1;
  std::array<uint32_t, 4> counters{};
};
struct Machine {
  std::array<Lane, kLanes> lanes;
  Mask returned = 0;
  std::array<Mask, 5> broken{}, continued{};  // by depth of the loop
};

// A condition or bound: (source % modulus) compared with a number.
struct Term {
  int source;  // 0: the lane, 1: the lane's sum, 2: lane + counter of the innermost loop
  uint32_t modulus, number;

  uint32_t value(const Machine& machine, uint32_t lane, int depth) const {
    const Lane& l = machine.lanes[lane];
    const uint32_t counter = depth > 0 ? l.counters[static_cast<size_t>(depth - 1)] : 0;
    return (source == 0 ? lane : source == 1 ? l.sum : lane + counter) % modulus;
  }
  std::string text(int depth) const {
    const std::string base = source == 0   ? "lane"
                             : source == 1 ? "s"
                             : depth > 0   ? fmt::format("(lane + k{})", depth - 1)
                                           : "lane";
    return fmt::format("{} % {}u", base, modulus);
  }
};

struct Statement {
  enum Kind { sum, branch, loop, break_if, continue_if, return_if } kind;
  Term term;
  std::vector<Statement> first, second;
};
using Block = std::vector<Statement>;

Block make_block(Random& random, int depth, int budget) {
  Block block;
  const uint32_t count = 1 + random.below(3);
  for (uint32_t n = 0; n < count; ++n) {
    Statement statement{Statement::sum, {}, {}, {}};
    statement.term = {static_cast<int>(random.below(3)), 2 + random.below(5), random.below(3)};
    const uint32_t pick = random.below(10);
    if (pick < 3 && budget > 0) {
      statement.kind = Statement::branch;
      statement.first = make_block(random, depth, budget - 1);
      if (random.below(2)) statement.second = make_block(random, depth, budget - 1);
    } else if (pick < 6 && budget > 0 && depth < 3) {
      statement.kind = Statement::loop;
      statement.term.source = random.below(2) ? 0 : 1;
      statement.first = make_block(random, depth + 1, budget - 1);
    } else if (pick == 6 && depth > 0) {
      statement.kind = Statement::break_if;
    } else if (pick == 7 && depth > 0) {
      statement.kind = Statement::continue_if;
    } else if (pick == 8 && random.below(3) == 0) {
      statement.kind = Statement::return_if;
    }
    block.push_back(std::move(statement));
  }
  return block;
}

std::string text_of(const Block& block, int depth) {
  std::string text;
  for (const Statement& s : block) {
    const std::string condition = fmt::format("{} == {}u", s.term.text(depth), s.term.number);
    switch (s.kind) {
      case Statement::sum:
        text += fmt::format("s = s * 5u + simd_sum({} + 1u);\n", s.term.text(depth));
        break;
      case Statement::branch:
        text += fmt::format("if ({}) {{\n{}}}", condition, text_of(s.first, depth));
        if (!s.second.empty()) text += fmt::format(" else {{\n{}}}", text_of(s.second, depth));
        text += "\n";
        break;
      case Statement::loop:
        text += fmt::format("for (uint k{0} = 0, n{0} = {1}; k{0} <= n{0}; ++k{0}) {{\n{2}}}\n",
                            depth, s.term.text(depth), text_of(s.first, depth + 1));
        break;
      case Statement::break_if:
        text += fmt::format("if ({}) break;\n", condition);
        break;
      case Statement::continue_if:
        text += fmt::format("if ({}) continue;\n", condition);
        break;
      case Statement::return_if:
        text += fmt::format("if ({}) {{ y[i] = s; return; }}\n", condition);
        break;
    }
  }
  return text;
}

void run(const Block& block, Machine& machine, Mask mask, int depth) {
  const auto d = static_cast<size_t>(depth);
  for (const Statement& s : block) {
    const Mask active = mask & ~machine.returned & ~machine.broken[d] & ~machine.continued[d];
    Mask chosen = 0;
    uint32_t total = 0;
    std::array<uint32_t, kLanes> values{};
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!(active >> lane & 1)) continue;
      values[lane] = s.term.value(machine, lane, depth);
      if (values[lane] == s.term.number) chosen |= 1u << lane;
      total += values[lane] + 1;
    }
    switch (s.kind) {
      case Statement::sum:
        for (uint32_t lane = 0; lane < kLanes; ++lane)
          if (active >> lane & 1) machine.lanes[lane].sum = machine.lanes[lane].sum * 5 + total;
        break;
      case Statement::branch:
        run(s.first, machine, chosen, depth);
        run(s.second, machine, active & ~chosen, depth);
        break;
      case Statement::loop:
        machine.broken[d + 1] = 0;
        for (uint32_t k = 0; k < 8; ++k) {
          Mask inside = 0;
          for (uint32_t lane = 0; lane < kLanes; ++lane) {
            if (!(active >> lane & 1) || k > values[lane]) continue;
            inside |= 1u << lane;
            machine.lanes[lane].counters[d] = k;
          }
          machine.continued[d + 1] = 0;
          run(s.first, machine, inside, depth + 1);
        }
        machine.broken[d + 1] = machine.continued[d + 1] = 0;
        break;
      case Statement::break_if:
        machine.broken[d] |= chosen;
        break;
      case Statement::continue_if:
        machine.continued[d] |= chosen;
        break;
      case Statement::return_if:
        machine.returned |= chosen;
        break;
    }
  }
}

std::vector<Row> rows() {
  std::vector<Row> rows;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random{seed * 0x9e3779b97f4a7c15u};
    const Block block = make_block(random, 0, 4);
    Machine machine;
    run(block, machine, ~0u, 0);
    Row row{.name = fmt::format("program_{}", seed)};
    row.body =
        "uint i = thread_position_in_grid.x, lane = thread_index_in_simdgroup;\nuint s = 1;\n" +
        text_of(block, 0) + "s = s * 5u + simd_sum(lane);\ny[i] = s;\n";
    Mask left = ~machine.returned;
    uint32_t total = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (left >> lane & 1) total += lane;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (left >> lane & 1) machine.lanes[lane].sum = machine.lanes[lane].sum * 5 + total;
    row.outputs = {{"y", uint32, {96}, [machine](int64_t i) {
                      return Real(machine.lanes[static_cast<size_t>(i % kLanes)].sum);
                    }}};
    row.grid = {96, 1, 1};
    row.threadgroup = {64, 1, 1};
    rows.push_back(row);
  }
  return rows;
}
SPRUE_MATRIX(RandomPrograms, rows)

}  // namespace
}  // namespace sprue::language
