// Whole kernels in the style of those that people run: reductions over rows, against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

// KL divergence of two rows of logits: two-level maximum and sums over 1,024 threads.
Row kl_loss(int64_t V) {
  constexpr int64_t R = 3;
  const Array logits = random_array({R, V}, float32, 31, -9, 9),
              target = random_array({R, V}, float32, 32, -9, 9);
  Row row{.name = "kl_loss_" + std::to_string(V)};
  row.kernel = "kl_loss";
  row.header = R"(
    template <typename F>
    inline float across(float v, threadgroup float* shared, uint lane, uint group, F reduce) {
      v = reduce(v);
      if (lane == 0) shared[group] = v;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (group == 0) {
        v = reduce(shared[lane]);
        if (lane == 0) shared[0] = v;
      }
      threadgroup_barrier(mem_flags::mem_threadgroup);
      v = shared[0];
      threadgroup_barrier(mem_flags::mem_none);
      return v;
    }
  )";
  row.body = R"(
    constexpr int SIMD = 32;
    threadgroup float shared[SIMD * 2];
    uint gid = threadgroup_position_in_grid.x;
    uint tid = thread_position_in_threadgroup.x;
    uint lane = thread_index_in_simdgroup, group = simdgroup_index_in_threadgroup;
    const int vocabulary = logits_shape[1];
    logits += gid * vocabulary;
    target += gid * vocabulary;
    auto maximum = [](float v) { return simd_max(v); };
    auto total = [](float v) { return simd_sum(v); };
    float top_p = -INFINITY, top_q = -INFINITY;
    for (int i = tid; i < vocabulary; i += 1024) {
      top_p = max(top_p, target[i]);
      top_q = metal::max(top_q, logits[i]);
    }
    top_p = across(top_p, shared, lane, group, maximum);
    top_q = across(top_q, shared + SIMD, lane, group, maximum);
    float sum_p = 0, sum_q = 0;
    for (int i = tid; i < vocabulary; i += 1024) {
      sum_p += metal::fast::exp(target[i] - top_p);
      sum_q += metal::fast::exp(logits[i] - top_q);
    }
    sum_p = across(sum_p, shared, lane, group, total);
    sum_q = across(sum_q, shared, lane, group, total);
    float log_p = top_p + metal::fast::log(sum_p), log_q = top_q + metal::fast::log(sum_q);
    float loss = 0;
    for (int i = tid; i < vocabulary; i += 1024) {
      float p = target[i] - log_p, q = logits[i] - log_q;
      loss += metal::fast::exp(p) * (p - q);
    }
    loss = across(loss, shared, lane, group, total);
    if (tid == 0) out[gid] = loss;
  )";
  row.inputs = {{"logits", logits}, {"target", target}};
  row.outputs = {{"out",
                  float32,
                  {R},
                  [=](int64_t r) {
                    Real sum_p = 0, sum_q = 0, loss = 0;
                    for (int64_t i = 0; i < V; ++i)
                      sum_p += std::exp(at(target, r * V + i)),
                          sum_q += std::exp(at(logits, r * V + i));
                    for (int64_t i = 0; i < V; ++i) {
                      const Real p = at(target, r * V + i) - std::log(sum_p),
                                 q = at(logits, r * V + i) - std::log(sum_q);
                      loss += std::exp(p) * (p - q);
                    }
                    return loss;
                  },
                  8,
                  2e-5}};
  row.grid = {R * 1024, 1, 1};
  row.threadgroup = {1024, 1, 1};
  return row;
}

Row softmax(int64_t V) {
  constexpr int64_t R = 4;
  const Array x = random_array({R, V}, float16, 41, -20, 20);
  Row row{.name = "softmax_" + std::to_string(V)};
  row.kernel = "softmax";
  row.body = R"(
    threadgroup float part[32];
    uint tid = thread_position_in_threadgroup.x, threads = threads_per_threadgroup.x;
    uint lane = thread_index_in_simdgroup, sg = simdgroup_index_in_threadgroup;
    uint count = simdgroups_per_threadgroup;
    uint n = x_shape[1];
    const device T* in = x + threadgroup_position_in_grid.x * n;
    device T* out = y + threadgroup_position_in_grid.x * n;
    float top = -INFINITY;
    for (uint i = tid; i < n; i += threads) { float v = in[i]; top = v > top ? v : top; }
    top = simd_max(top);
    if (lane == 0) part[sg] = top;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    top = simd_max(lane < count ? part[lane] : -INFINITY);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float sum = 0;
    for (uint i = tid; i < n; i += threads) sum += metal::exp(float(in[i]) - top);
    sum = simd_sum(sum);
    if (lane == 0) part[sg] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = simd_sum(lane < count ? part[lane] : 0.0f);
    for (uint i = tid; i < n; i += threads) out[i] = T(metal::exp(float(in[i]) - top) / sum);
  )";
  row.template_arguments = {{"T", float16}};
  row.inputs = {{"x", x}};
  row.outputs = {{"y",
                  float16,
                  {R, V},
                  [=](int64_t i) {
                    const int64_t first = i / V * V;
                    Real top = -INFINITY, sum = 0;
                    for (int64_t k = first; k < first + V; ++k) top = std::max(top, at(x, k));
                    for (int64_t k = first; k < first + V; ++k) sum += std::exp(at(x, k) - top);
                    return std::exp(at(x, i) - top) / sum;
                  },
                  1}};
  row.grid = {R * 256, 1, 1};
  row.threadgroup = {256, 1, 1};
  return row;
}

Row rms_norm(Dtype type) {
  constexpr int64_t R = 5, N = 300;
  const Array x = random_array({R, N}, type, 51, -3, 3),
              w = random_array({N}, type, 52, 0.5L, 1.5L);
  Row row{.name = "rms_norm_" + std::string(dtype_name(type))};
  row.body = R"(
    constexpr int kThreads = 128;
    uint row = threadgroup_position_in_grid.x, tid = thread_position_in_threadgroup.x;
    threadgroup float sums[kThreads / 32];
    threadgroup float scale;
    const device T* in = x + row * N;
    float acc = 0;
    for (int i = tid; i < N; i += kThreads) { float v = static_cast<float>(in[i]); acc += v * v; }
    acc = simd_sum(acc);
    if (thread_index_in_simdgroup == 0) sums[simdgroup_index_in_threadgroup] = acc;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simdgroup_index_in_threadgroup == 0) {
      acc = simd_sum(tid < kThreads / 32 ? sums[tid] : 0.0f);
      if (tid == 0) scale = metal::precise::rsqrt(acc / N + eps);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = tid; i < N; i += kThreads) y[row * N + i] = w[i] * static_cast<T>(in[i] * scale);
  )";
  row.template_arguments = {{"T", type}, {"N", int(N)}};
  row.inputs = {{"x", x}, {"w", w}, {"eps", Array(1e-5f)}};
  row.outputs = {
      {"y",
       type,
       {R, N},
       [=](int64_t i) {
         Real sum = 0;
         for (int64_t k = i / N * N; k < i / N * N + N; ++k) sum += at(x, k) * at(x, k);
         return at(w, i % N) * (at(x, i) / std::sqrt(sum / N + to_float(1e-5L)));
       },
       // The normalised value is rounded before the product, which may cross a power of two.
       2}};
  row.grid = {R * 128, 1, 1};
  row.threadgroup = {128, 1, 1};
  return row;
}

std::vector<Row> rows() {
  return {kl_loss(1500),     kl_loss(40),       softmax(1000),     softmax(3),
          rms_norm(float32), rms_norm(float16), rms_norm(bfloat16)};
}
SPRUE_MATRIX(RowKernels, rows)

}  // namespace
}  // namespace sprue::language
