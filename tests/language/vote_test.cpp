// Votes: simd_ballot, simd_any, simd_all, the first and the active threads, and the same of quads.
#include <bit>

#include "language/lanes.h"
#include "language/matrix.h"

namespace sprue::language {
namespace {

struct Case {
  std::string name;
  Size3 grid, group;
  std::function<bool(int64_t)> votes;  // of thread i
  std::function<bool(int64_t)> calls;

  int64_t threads() const { return grid.x * grid.y * grid.z; }
};

// The bits of the block of `width` lanes that a thread is in, over the threads that `condition` holds
// for.
template <typename Condition>
uint32_t bits_where(const Simdgroup& simdgroup, int64_t width, const Condition& condition) {
  const int64_t first = simdgroup.lane / width * width;
  uint32_t bits = 0;
  for (int64_t lane = first; lane < std::min(first + width, std::ssize(simdgroup.threads)); ++lane)
    if (condition(simdgroup.threads[static_cast<size_t>(lane)])) bits |= 1u << (lane - first);
  return bits;
}

Row row(const Case& c) {
  Row row{.name = c.name, .kernel = "votes"};
  const std::string block =
      "{ G_vote b = G_ballot(vote), a = G_active_threads_mask();\n"
      "y[k++ * n + i] = uint(G_vote::vote_t(b));\n"
      "y[k++ * n + i] = static_cast<G_vote::vote_t>(a);\n"
      "y[k++ * n + i] = G_any(vote); y[k++ * n + i] = G_all(vote); y[k++ * n + i] = G_is_first();\n"
      "y[k++ * n + i] = b.all(); y[k++ * n + i] = b.any(); y[k++ * n + i] = a.all();\n"
      "y[k++ * n + i] = G_is_helper_thread(); }\n";
  row.body =
      "uint3 p = thread_position_in_grid, size = threads_per_grid;\n"
      "uint i = p.x + size.x * (p.y + size.y * p.z), n = size.x * size.y * size.z, k = 0;\n"
      "bool vote = votes[i];\n"
      "if (calls[i]) {\n";
  for (const char* group : {"simd", "quad"})
    for (size_t at = 0; at < block.size(); ++at)
      row.body += block[at] == 'G' ? std::string(group) : std::string(1, block[at]);
  row.body += "}\n";
  std::vector<Real> votes, calls;
  for (int64_t i = 0; i < c.threads(); ++i) {
    votes.push_back(c.votes(i));
    calls.push_back(c.calls(i));
  }
  row.inputs = {{"votes", make_array(bool_, votes)}, {"calls", make_array(bool_, calls)}};
  row.outputs = {{"y", uint32, {18, c.threads()}, [c](int64_t index) -> Real {
                    const int64_t i = index % c.threads(), k = index / c.threads();
                    if (!c.calls(i)) return 77;
                    const int64_t width = k < 9 ? 32 : 4;
                    const Simdgroup simdgroup = simdgroup_of(c.grid, c.group, i);
                    const uint32_t active = bits_where(simdgroup, width, c.calls);
                    const uint32_t yes = bits_where(
                        simdgroup, width, [&](int64_t t) { return c.calls(t) && c.votes(t); });
                    const uint32_t existing =
                        bits_where(simdgroup, width, [](int64_t) { return true; });
                    const auto self = static_cast<int>(simdgroup.lane % width);
                    const Real results[9] = {Real(yes),
                                             Real(active),
                                             Real(yes != 0),
                                             Real(yes == active),
                                             Real(std::countr_zero(active) == self),
                                             Real(yes == existing),
                                             Real(yes != 0),
                                             Real(active == existing),
                                             0};
                    return results[k % 9];
                  }}};
  row.grid = c.grid;
  row.threadgroup = c.group;
  return row;
}

std::vector<Row> vote_rows() {
  const auto everyone = [](int64_t) { return true; };
  const auto nobody = [](int64_t) { return false; };
  const auto some = [](int64_t i) { return (i * 7919 + i / 3) % 5 < 2; };
  const auto others = [](int64_t i) { return i % 3 != 0; };
  return {
      row({"all_of_64", {64, 1, 1}, {32, 1, 1}, everyone, everyone}),
      row({"none_of_64", {64, 1, 1}, {32, 1, 1}, nobody, everyone}),
      row({"some_of_64", {64, 1, 1}, {64, 1, 1}, some, everyone}),
      row({"all_of_45", {45, 1, 1}, {45, 1, 1}, everyone, everyone}),
      row({"all_of_5", {10, 1, 1}, {5, 1, 1}, everyone, everyone}),
      row({"some_call", {200, 1, 1}, {70, 1, 1}, some, others}),
      row({"all_of_some", {200, 1, 1}, {70, 1, 1}, everyone, others}),
      row({"some_of_16_4", {37, 5, 1}, {16, 4, 1}, some, everyone}),
      row({"all_of_8_8_2", {33, 3, 2}, {8, 8, 2}, everyone, everyone}),
      row({"some_call_of_4_4_3", {7, 9, 4}, {4, 4, 3}, some, others}),
      row({"one_calls", {64, 1, 1}, {64, 1, 1}, everyone, [](int64_t i) { return i == 41; }}),
  };
}
SPRUE_MATRIX(Votes, vote_rows)

// A vote made by hand: 32 threads stand behind it, 4 in a quad.
std::vector<Row> made_votes() {
  const uint64_t all = 0xffffffff;
  return {
      {.name = "made_by_hand",
       .body =
           "simd_vote e, f(0xfffffffful), g(simd_vote::vote_t(0x10)); quad_vote q(0xful), r(7ul);\n"
           "y[0] = e.any(); y[1] = e.all(); y[2] = f.all(); y[3] = g.any() && !g.all();\n"
           "y[4] = q.all() && r.any() && !r.all(); y[5] = simd_vote::vote_t(f);",
       .outputs = {{"y", uint64, {6}, [=](int64_t k) {
                      const uint64_t expected[] = {0, 0, 1, 1, 1, all};
                      return Real(expected[k]);
                    }}}}};
}
SPRUE_MATRIX(MadeVotes, made_votes)

}  // namespace
}  // namespace sprue::language
