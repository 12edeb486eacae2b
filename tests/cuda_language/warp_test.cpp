// Shuffles, votes, matches and reductions with masks, widths and lanes that have returned; block counts.
#include <map>

#include "cuda_language/cuda_row.h"

namespace sprue::language {
namespace {

// y[i] = expression, of one block of threads; `before` stands in front of it.
struct Line {
  std::string name, expression;
  std::function<Real(int64_t)> expected;
  int64_t threads = 64;
  std::string before = "";
  std::string header = "";
};

Line lanes(const std::string& name, const std::string& expression,
           std::function<Real(int64_t)> expected, int64_t threads = 64,
           const std::string& before = "") {
  return {name, expression, std::move(expected), threads, before};
}

// One kernel for the lines of one block size, but for those after which fewer threads are left.
std::vector<Row> merged(const std::string& name, const std::vector<Line>& lines) {
  std::vector<Row> rows;
  std::map<int64_t, std::vector<Line>> groups;
  const auto add = [&](const std::string& row_name, const std::vector<Line>& held) {
    const int64_t threads = held[0].threads;
    Row row{.name = row_name, .grid = {threads, 1, 1}, .threadgroup = {threads, 1, 1}};
    row.body = "const int i = threadIdx.x; const int lane = i % 32;\n";
    for (size_t k = 0; k < held.size(); ++k) {
      row.header += held[k].header;
      row.body += fmt::format("{{ {}\ny[{} + i] = {}; }}\n", held[k].before,
                              static_cast<int64_t>(k) * threads, held[k].expression);
    }
    row.outputs = {{"y", int64, {static_cast<int64_t>(held.size()), threads}, [=](int64_t i) {
                      return held[static_cast<size_t>(i / threads)].expected(i % threads);
                    }}};
    row.outputs[0].element_text = [=](int64_t i) {
      return held[static_cast<size_t>(i / threads)].name;
    };
    rows.push_back(row);
  };
  for (const Line& line : lines) {
    if (line.before.find("return") != std::string::npos)
      add(line.name, {line});
    else
      groups[line.threads].push_back(line);
  }
  for (const auto& [threads, held] : groups) add(fmt::format("{}_{}", name, threads), held);
  return rows;
}

std::vector<MatrixCase> shuffles() {
  std::vector<Line> rows;
  for (int width : {32, 16, 8, 2}) {
    const auto piece = [width](int64_t i) { return i / width * width; };
    rows.push_back(lanes(fmt::format("indexed_{}", width),
                         fmt::format("__shfl_sync(~0u, 10 * i, 5, {})", width),
                         [=](int64_t i) { return 10 * (piece(i) + 5 % width); }));
    rows.push_back(lanes(fmt::format("up_{}", width),
                         fmt::format("__shfl_up_sync(~0u, 10 * i, 3u, {})", width),
                         [=](int64_t i) { return 10 * (i % width >= 3 ? i - 3 : i); }));
    rows.push_back(lanes(fmt::format("down_{}", width),
                         fmt::format("__shfl_down_sync(~0u, 10 * i, 3u, {})", width),
                         [=](int64_t i) { return 10 * (i % width + 3 < width ? i + 3 : i); }));
    rows.push_back(lanes(fmt::format("xor_{}", width),
                         fmt::format("__shfl_xor_sync(~0u, 10 * i, 9, {})", width), [=](int64_t i) {
                           const int64_t source = i ^ 9;  // not from a piece behind the lane's own
                           return 10 * (source <= (i | (width - 1)) ? source : i);
                         }));
  }
  rows.push_back(lanes("source_of_each_lane", "__shfl_sync(~0u, i, (lane * 7 + 3) % 32)",
                       [](int64_t i) { return i / 32 * 32 + (i % 32 * 7 + 3) % 32; }));
  for (const auto& [name, type] :
       std::vector<std::pair<std::string, std::string>>{{"int", "int"},
                                                        {"unsigned", "unsigned"},
                                                        {"long", "long"},
                                                        {"longlong", "long long"},
                                                        {"ulonglong", "unsigned long long"},
                                                        {"float", "float"},
                                                        {"double", "double"},
                                                        {"half", "__half"},
                                                        {"bfloat", "__nv_bfloat16"}})
    rows.push_back(
        lanes("of_" + name,
              fmt::format("(long long)(float)__shfl_xor_sync(0xffffffff, ({})(i), 1)", type),
              [](int64_t i) { return i ^ 1; }));
  rows.push_back(lanes(
      "wide_values", "__shfl_down_sync(~0u, 1LL << i, 1) >> 32",
      [](int64_t i) { return (int64_t{1} << (i % 32 < 31 && i < 61 ? i + 1 : i)) >> 32; }, 62));
  rows.push_back(lanes(
      "of_pairs", "__low2float(v) * 100 + __high2float(v)",
      [](int64_t i) { return (i ^ 4) * 100 + (i ^ 4) + 1; }, 32,
      "const __half2 v = __shfl_xor_sync(~0u, __floats2half2_rn(i, i + 1), 4);"));
  // Two half warps, each with a mask of its own, at one place.
  rows.push_back(lanes("two_masks",
                       "__shfl_sync(lane < 16 ? 0xffffu : 0xffff0000u, i, lane < 16 ? 1 : 17)",
                       [](int64_t i) { return i / 32 * 32 + (i % 32 < 16 ? 1 : 17); }));
  rows.push_back(lanes(
      "half_a_warp", "v", [](int64_t i) { return i % 32 < 16 ? i ^ 1 : -1; }, 64,
      "int v = -1; if (lane < 16) v = __shfl_xor_sync(0xffff, i, 1);"));
  rows.push_back(lanes(
      "after_a_return", "__shfl_down_sync(~0u, i, 1)",
      [](int64_t i) { return i >= 20  ? 77
                             : i < 19 ? i + 1
                                      : 19; }, 32, "if (i >= 20) return;"));
  rows.push_back(lanes(
      "of_a_partial_warp", "__shfl_down_sync(~0u, i, 4)",
      [](int64_t i) { return i + 4 < (i < 32 ? 32 : 40) ? i + 4 : i; }, 40));
  rows.push_back(lanes(
      "in_a_loop", "v", [](int64_t i) { return i / 32 * (32 * 32) + 31 * 32 / 2; }, 64,
      "int v = i; for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(~0u, v, step);"));
  rows.push_back(
      lanes("in_a_helper", "total(i)", [](int64_t i) { return i / 32 * (32 * 32) + 31 * 32 / 2; }));
  rows.back().header = R"(
template <typename T>
__device__ __forceinline__ T total(T v) {
#pragma unroll
  for (int step = warpSize / 2; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffff, v, step);
  return v;
})";
  return on_cuda(merged("shuffles", rows));
}
SPRUE_CUDA_MATRIX(CudaShuffles, shuffles)

std::vector<MatrixCase> votes() {
  const auto third = [](int64_t i) { return i % 3 == 0; };
  const auto ballot = [=](int64_t i, uint32_t mask = ~0u) {
    uint32_t votes = 0;
    for (int64_t lane = 0; lane < 32; ++lane)
      votes |= static_cast<uint32_t>(third(i / 32 * 32 + lane)) << lane;
    return static_cast<int64_t>(votes & mask);
  };
  std::vector<Line> rows = {
      lanes("ballot", "__ballot_sync(~0u, i % 3 == 0)", [=](int64_t i) { return ballot(i); }),
      lanes("ballot_of_a_mask", "__ballot_sync(lane < 16 ? 0xffffu : 0xffff0000u, i % 3 == 0)",
            [=](int64_t i) { return ballot(i, i % 32 < 16 ? 0xffffu : 0xffff0000u); }),
      lanes("any", "__any_sync(~0u, i == 40) * 10 + __any_sync(~0u, i < 32)",
            [](int64_t i) { return (i >= 32) * 10 + (i < 32); }),
      lanes("all", "__all_sync(~0u, i != 40) * 10 + __all_sync(~0u, i < 32)",
            [](int64_t i) { return (i < 32) * 10 + (i < 32); }),
      lanes(
          "all_of_those_left", "__all_sync(~0u, i < 20)", [](int64_t i) { return i < 20 ? 1 : 77; },
          32, "if (i >= 20) return;"),
      lanes(
          "active", "v", [](int64_t i) { return i % 32 < 5 ? 31 : -1; }, 64,
          "long v = -1; if (lane < 5) v = __activemask();"),
      lanes("match_any", "__popc(__match_any_sync(~0u, lane / 10))",
            [](int64_t i) { return i % 32 < 30 ? 10 : 2; }),
      lanes("match_any_of_double", "__popc(__match_any_sync(~0u, lane < 4 ? 0.5 : -0.5))",
            [](int64_t i) { return i % 32 < 4 ? 4 : 28; }),
      lanes(
          "match_all", "same * 10 + (__match_all_sync(~0u, lane / 16, &other) != 0)",
          [](int64_t) { return 10; }, 64, "int same, other; __match_all_sync(~0u, i / 32, &same);"),
      lanes(
          "reduce", "v",
          [](int64_t i) {
            const int64_t w = i / 32;
            return (w * 1024 + 496) * 10000 + (w * 32) * 100 + (w * 32 + 31);
          },
          64,
          "long v = __reduce_add_sync(~0u, i) * 10000L + __reduce_min_sync(~0u, i) * 100 + "
          "__reduce_max_sync(~0u, i);"),
      lanes("reduce_signed",
            "__reduce_min_sync(~0u, lane - 5) * 100L + __reduce_max_sync(~0u, -lane)",
            [](int64_t) { return -500; }),
      lanes(
          "reduce_bits", "v", [](int64_t) { return 7 * 1000000 + 31 * 1000 + 0; }, 32,
          "long v = __reduce_and_sync(~0u, lane | 7u) * 1000000L + __reduce_or_sync(~0u, lane) * "
          "1000L + __reduce_xor_sync(~0u, lane);"),
      lanes("reduce_by_mask", "__reduce_add_sync(lane < 8 ? 0xffu : 0xffffff00u, 1u)",
            [](int64_t i) { return i % 32 < 8 ? 8 : 24; }),
      lanes(
          "count", "__syncthreads_count(i % 3 == 0)", [](int64_t) { return 34; }, 100),
      lanes(
          "count_twice", "n + 100 * __syncthreads_count(i < 7)", [](int64_t) { return 734; }, 100,
          "const int n = __syncthreads_count(i % 3 == 0);"),
      lanes(
          "count_of_those_left", "__syncthreads_count(1)",
          [](int64_t i) { return i < 50 ? 50 : 77; }, 100, "if (i >= 50) return;"),
      lanes(
          "and_or", "v", [](int64_t) { return 1001; }, 70,
          "int v = __syncthreads_and(i < 70) * 1000; v += __syncthreads_and(i < 69) * 100; v += "
          "__syncthreads_or(i > 70) * 10; v += __syncthreads_or(i == 69);"),
      lanes(
          "tiles", "t.thread_rank() * 1000 + cg::reduce(t, i, cg::plus<int>())",
          [](int64_t i) { return i % 8 * 1000 + i / 8 * 8 * 8 + 28; }, 64,
          "auto t = cg::tiled_partition<8>(cg::this_thread_block());"),
      lanes(
          "block_group", "b.size() * 1000 + b.thread_rank()", [](int64_t i) { return 64000 + i; },
          64, "auto b = cg::this_thread_block(); b.sync();"),
  };
  return on_cuda(merged("votes", rows));
}
SPRUE_CUDA_MATRIX(CudaVotes, votes)

// A launch whose result a GPU would leave undefined is an error, not a number.
std::string error_of(const std::string& body) {
  const Kernel kernel =
      cuda_kernel({.name = "torn", .input_names = {}, .output_names = {"y"}, .source = body});
  try {
    (void)kernel({.output_shapes = {{64}},
                  .output_dtypes = {int32},
                  .grid = {64, 1, 1},
                  .threadgroup = {64, 1, 1}});
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}
TEST(CudaWarpFaults, a_lane_of_the_mask_waits_elsewhere) {
  const std::string text = error_of(
      "int i = threadIdx.x; if (i < 40) y[i] = __shfl_xor_sync(0xffffffff, i, 1); "
      "__syncthreads();");
  EXPECT_NE(text.find("expected all lanes that the mask of a warp function of kernel 'torn' names"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("thread 32 of block (0, 0, 0) there without thread 40"), std::string::npos)
      << text;
}
TEST(CudaWarpFaults, a_mask_lacks_its_own_lane) {
  const std::string text = error_of("y[threadIdx.x] = __ballot_sync(0xffff, 1);");
  EXPECT_NE(text.find("lacks lane 16, of thread 16"), std::string::npos) << text;
}
TEST(CudaWarpFaults, two_barriers) {
  const std::string text = error_of("if (threadIdx.x < 32) __syncthreads(); else __syncthreads();");
  EXPECT_NE(text.find("to wait at one barrier, got threads 0 and 32"), std::string::npos) << text;
}
TEST(CudaWarpFaults, none_where_all_come) {
  EXPECT_EQ(error_of("if (threadIdx.x < 32) y[threadIdx.x] = __shfl_xor_sync(0xffffffff, 1, 1); "
                     "__syncthreads();"),
            "no error");
}

}  // namespace
}  // namespace sprue::language
