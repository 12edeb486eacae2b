// Whole kernels in the style of those that people run: what training needs of two rows of logits, by
// softmaxes of two levels, and matrices made doubly stochastic; against long double.
#include <cmath>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

// Log of the sum of a row's exponentials.
Real log_sum(const Array& array, int64_t row, int64_t V) {
  Real sum = 0;
  for (int64_t i = 0; i < V; ++i) sum += std::exp(at(array, row * V + i));
  return std::log(sum);
}

constexpr char kReduction[] = R"(
    // Largest value and sum of exponentials below it, of a thread, a simdgroup, a threadgroup.
    struct Normalizer {
      float top = -INFINITY;
      float sum = 0;
      void take(float value) {
        if (value > top) {
          sum = sum * metal::fast::exp(top - value) + 1;
          top = value;
        } else {
          sum += metal::fast::exp(value - top);
        }
      }
      void merge(float other_top, float other_sum) {
        const float highest = metal::max(top, other_top);
        if (highest == -INFINITY) return;
        sum = sum * metal::fast::exp(top - highest) + other_sum * metal::fast::exp(other_top - highest);
        top = highest;
      }
      float log_sum() const { return top + metal::fast::log(sum); }
    };
    void across_simdgroup(thread Normalizer& normalizer) {
      for (ushort step = 16; step > 0; step /= 2)
        normalizer.merge(simd_shuffle_xor(normalizer.top, step),
                         simd_shuffle_xor(normalizer.sum, step));
    }
    Normalizer across(Normalizer own, threadgroup float2* parts, uint lane, uint simdgroup,
                      uint simdgroups) {
      across_simdgroup(own);
      if (lane == 0) parts[simdgroup] = float2(own.top, own.sum);
      threadgroup_barrier(mem_flags::mem_threadgroup);
      Normalizer all;
      if (lane < simdgroups) all.merge(parts[lane].x, parts[lane].y);
      across_simdgroup(all);
      threadgroup_barrier(mem_flags::mem_threadgroup);
      return all;
    }
    float total(float value, threadgroup float* parts, uint lane, uint simdgroup, uint simdgroups) {
      value = simd_sum(value);
      if (lane == 0) parts[simdgroup] = value;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      return simd_sum(lane < simdgroups ? parts[lane] : 0.0f);
    }
)";

constexpr int64_t kThreads = 256;

// Jensen-Shannon divergence of two rows, and the derivative of Kullback and Leibler's by the first.
Row divergences(Dtype type, int64_t V, bool gradient) {
  constexpr int64_t R = 3;
  const Array logits = random_array({R, V}, type, 601, -6, 6),
              target = random_array({R, V}, type, 602, -6, 6);
  const Array slope = random_array({R}, float32, 603, -2, 2);
  Row row{.name = (gradient ? "gradient_" : "js_loss_") + std::string(dtype_name(type)) + "_" +
                  std::to_string(V)};
  row.kernel = "divergence";
  row.header = kReduction;
  row.body = R"(
    threadgroup float2 pairs[32];
    threadgroup float parts[32];
    const uint row = threadgroup_position_in_grid.x, t = thread_position_in_threadgroup.x;
    const uint lane = thread_index_in_simdgroup, simdgroup = simdgroup_index_in_threadgroup;
    const uint simdgroups = simdgroups_per_threadgroup, threads = threads_per_threadgroup.x;
    const uint vocabulary = logits_shape[1];
    const device auto* ours = logits + row * vocabulary;
    const device auto* theirs = target + row * vocabulary;
    Normalizer q, p;
    for (uint i = t; i < vocabulary; i += threads) {
      q.take(ours[i]);
      p.take(theirs[i]);
    }
    q = across(q, pairs, lane, simdgroup, simdgroups);
    p = across(p, pairs, lane, simdgroup, simdgroups);
    const float log_q = q.log_sum(), log_p = p.log_sum();
    if (GRADIENT) {
      for (uint i = t; i < vocabulary; i += threads)
        out[row * vocabulary + i] =
            T(slope[row] * (metal::fast::exp(ours[i] - log_q) - metal::fast::exp(theirs[i] - log_p)));
      return;
    }
    float loss = 0;
    for (uint i = t; i < vocabulary; i += threads) {
      const float a = metal::fast::exp(ours[i] - log_q), b = metal::fast::exp(theirs[i] - log_p);
      const float log_middle = metal::fast::log((a + b) / 2);
      loss += a * (ours[i] - log_q - log_middle) + b * (theirs[i] - log_p - log_middle);
    }
    loss = total(loss, parts, lane, simdgroup, simdgroups);
    if (t == 0) out[row] = T(slope[row] * loss / 2);
  )";
  row.template_arguments = {{"T", gradient ? type : float32}, {"GRADIENT", gradient}};
  row.inputs = {{"logits", logits}, {"target", target}, {"slope", slope}};
  const auto q = std::make_shared<std::vector<Real>>(), p = std::make_shared<std::vector<Real>>();
  for (int64_t r = 0; r < R; ++r) {
    const Real log_q = log_sum(logits, r, V), log_p = log_sum(target, r, V);
    for (int64_t i = 0; i < V; ++i) {
      q->push_back(std::exp(at(logits, r * V + i) - log_q));
      p->push_back(std::exp(at(target, r * V + i) - log_p));
    }
  }
  // Logs of sums are off by roundings of numbers below 16; exponentials move by as much, relatively.
  const double relative = 4 * 16 * 0x1p-24;
  if (gradient)
    row.outputs = {{"out",
                    type,
                    {R, V},
                    [=](int64_t i) {
                      const auto k = static_cast<size_t>(i);
                      return at(slope, i / V) * ((*q)[k] - (*p)[k]);
                    },
                    1,
                    2 * relative}};
  else
    row.outputs = {
        {"out",
         float32,
         {R},
         [=](int64_t r) {
           Real loss = 0;
           for (auto k = static_cast<size_t>(r * V); k < static_cast<size_t>(r * V + V); ++k) {
             const Real middle = ((*q)[k] + (*p)[k]) / 2;
             loss += (*q)[k] * std::log((*q)[k] / middle) + (*p)[k] * std::log((*p)[k] / middle);
           }
           return at(slope, r) * loss / 2;
         },
         2,
         4 * relative}};
  row.grid = {R * kThreads, 1, 1};
  row.threadgroup = {kThreads, 1, 1};
  return row;
}

// Matrices of four streams, made doubly stochastic by turns, and the streams mixed by them: a simdgroup
// each, a lane for each vector of four channels.
Row sinkhorn(Dtype type, int64_t tokens, int64_t D, int rounds) {
  const Array mixes = random_array({tokens, 24}, float32, 611, -3, 3),
              base = random_array({24}, float32, 612);
  const Array scale = make_array(float32, {0.5L, 1.25L, 0.75L});
  const Array streams = random_array({tokens, 4, D}, type, 613);
  Row row{.name = "sinkhorn_" + std::string(dtype_name(type)) + "_" + std::to_string(tokens)};
  row.kernel = "sinkhorn";
  row.header = R"(
    inline float4 sigmoid4(float4 v) { return 1.0f / (1.0f + metal::exp(-v)); }
    inline float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }
  )";
  row.body = R"(
    typedef vec<T, 4> T4;
    constexpr float kEpsilon = EPS_MILLIONTHS * 1e-6f;
    const uint token = thread_position_in_grid.y, lane = thread_index_in_simdgroup;
    const uint D = streams_shape[2];
    const device float4* mix = (const device float4*)(mixes + token * 24);
    const device float4* bases = (const device float4*)base;
    const float4 before = sigmoid4(mix[0] * scale[0] + bases[0]) + kEpsilon;
    const float4 after = 2 * sigmoid4(mix[1] * scale[1] + bases[1]);
    float4 rows[4];
    for (int r = 0; r < 4; ++r) {
      float4 v = mix[2 + r] * scale[2] + bases[2 + r];
      v = metal::exp(v - metal::max(metal::max(v.x, v.y), metal::max(v.z, v.w)));
      rows[r] = v / sum4(v) + kEpsilon;
    }
    for (int round = 0; round < ROUNDS; ++round) {
      if (round > 0)
        for (int r = 0; r < 4; ++r) rows[r] /= sum4(rows[r]) + kEpsilon;
      const float4 columns = (rows[0] + rows[1]) + (rows[2] + rows[3]) + kEpsilon;
      for (int r = 0; r < 4; ++r) rows[r] /= columns;
    }
    if (lane < 4) *(device float4*)(matrix + token * 16 + 4 * lane) = rows[lane];
    if (lane == 0) ((device float4*)gates)[token] = after;

    const device T4* in = (const device T4*)(streams + token * 4 * D);
    device T4* out = (device T4*)(mixed + token * D);
    float squares = 0;
    for (uint d = lane; d < D / 4; d += 32) {
      float4 sum = 0;
      for (uint k = 0; k < 4; ++k) sum = metal::fma(before[k], float4(in[k * (D / 4) + d]), sum);
      out[d] = T4(sum);
      squares += metal::dot(sum, sum);
    }
    squares = simd_sum(squares);
    if (lane == 0) norm[token] = metal::precise::sqrt(squares);
  )";
  row.template_arguments = {{"T", type}, {"ROUNDS", rounds}, {"EPS_MILLIONTHS", 1}};
  row.inputs = {{"mixes", mixes}, {"scale", scale}, {"base", base}, {"streams", streams}};

  const Real epsilon = to_float(1e-6L);
  const auto mixed_with = [=](int64_t token, int64_t k, int part) {
    return at(mixes, token * 24 + k) * at(scale, part) + at(base, k);
  };
  const auto gate = [=](int64_t token, int64_t k) {
    return 1 / (1 + std::exp(-mixed_with(token, k, k < 4 ? 0 : 1)));
  };
  const auto matrix = std::make_shared<std::vector<Real>>();
  for (int64_t token = 0; token < tokens; ++token) {
    Real m[4][4];
    for (int r = 0; r < 4; ++r) {
      Real sum = 0;
      for (int c = 0; c < 4; ++c) sum += m[r][c] = std::exp(mixed_with(token, 8 + 4 * r + c, 2));
      for (int c = 0; c < 4; ++c) m[r][c] = m[r][c] / sum + epsilon;
    }
    for (int round = 0; round < rounds; ++round)
      for (bool columns : {false, true}) {
        if (round == 0 && !columns) continue;
        for (int i = 0; i < 4; ++i) {
          Real sum = epsilon;
          for (int j = 0; j < 4; ++j) sum += columns ? m[j][i] : m[i][j];
          for (int j = 0; j < 4; ++j) (columns ? m[j][i] : m[i][j]) /= sum;
        }
      }
    for (const auto& line : m) matrix->insert(matrix->end(), line, line + 4);
  }
  const auto mixed = [=](int64_t i) {
    Real sum = 0;
    for (int64_t k = 0; k < 4; ++k)
      sum += (gate(i / D, k) + epsilon) * at(streams, (i / D * 4 + k) * D + i % D);
    return sum;
  };
  // An exponent below 8 is off by half an ulp of that, and its exponential by 8 * 2^-24 of itself and 4
  // ulp; a division by a sum adds 4.
  const double ulps = 16 + 8 * rounds;
  row.outputs = {
      {"matrix",
       float32,
       {tokens, 4, 4},
       [matrix](int64_t i) { return (*matrix)[static_cast<size_t>(i)]; },
       ulps},
      {"gates", float32, {tokens, 4}, [=](int64_t i) { return 2 * gate(i / 4, 4 + i % 4); }, 16},
      {"mixed", type, {tokens, D}, mixed, 1, 4 * 16 * 0x1p-24},
      {"norm", float32, {tokens}, [=](int64_t token) {
         Real sum = 0;
         for (int64_t i = token * D; i < token * D + D; ++i) sum += mixed(i) * mixed(i);
         return std::sqrt(sum);
       }}};
  row.outputs.back().ulps = 64;  // as its terms, which have one sign
  row.grid = {32, tokens, 1};
  row.threadgroup = {32, 2, 1};
  return row;
}

std::vector<Row> rows() {
  return {divergences(float32, 2050, false), divergences(float32, 77, false),
          divergences(bfloat16, 600, true),  sinkhorn(float32, 5, 96, 20),
          sinkhorn(float32, 1, 4, 20),       sinkhorn(float16, 2, 260, 20)};
}
SPRUE_MATRIX(LossKernels, rows)

}  // namespace
}  // namespace sprue::language
