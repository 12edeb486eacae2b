// Whole kernels in the style of those that people run: recurrent steps, against long double.
#include <cmath>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
// Mamba-2's step: one simdgroup for each (head, channel), lanes share the state's columns.
Row state_step(Dtype type, double ulps) {
  constexpr int64_t B = 2, H = 4, G = 2, D = 16, S = 64;
  const Array x = random_array({B, 1, H, D}, type, 1), a_log = random_array({H}, type, 2, -1, 1),
              b = random_array({B, 1, G, S}, type, 3);
  const Array c = random_array({B, 1, G, S}, type, 4), d = random_array({H}, type, 5),
              dt = random_array({B, 1, H}, type, 6, 0.01L, 0.9L);
  const Array state = random_array({B, H, D, S}, type, 7);
  Row row{.name = "state_space_step_" + std::string(dtype_name(type))};
  row.header = R"(
    template <typename U> U decay(U dt, U a_log) { return fast::exp(-fast::exp(a_log) * dt); }
  )";
  row.body = R"(
    auto n = thread_position_in_grid.z;
    auto h_idx = n % H;
    auto g_idx = n / G;
    constexpr int n_per_t = Ds / 32;

    auto x = X + n * Dh;
    out += n * Dh;
    auto i_state = state_in + n * Dh * Ds;
    auto o_state = state_out + n * Dh * Ds;

    // groups share B and C
    auto C_ = C + g_idx * Ds;
    auto B_ = B + g_idx * Ds;

    auto ds_idx = thread_position_in_threadgroup.x;
    auto d_idx = thread_position_in_grid.y;

    auto dt_ = static_cast<float>(dt[n]);
    auto dA = decay<float>(dt_, static_cast<float>(A_log[h_idx]));

    float acc = 0.0;
    auto x_ = static_cast<float>(x[d_idx]);
    for (int i = 0; i < n_per_t; ++i) {
        auto s_idx = n_per_t * ds_idx + i;
        auto idx = d_idx * Ds + s_idx;
        auto dB_by_x = x_ * dt_ * static_cast<float>(B_[s_idx]);
        auto state = dA * i_state[idx] + dB_by_x;
        o_state[idx] = static_cast<T>(state);
        acc += state * C_[s_idx];
    }
    acc = simd_sum(acc);
    if (thread_index_in_simdgroup == 0) {
        out[d_idx] = static_cast<T>(acc + x_ * D[h_idx]);
    }
  )";
  row.template_arguments = {
      {"T", type}, {"Dh", int(D)}, {"Ds", int(S)}, {"H", int(H)}, {"G", int(H / G)}};
  row.inputs = {{"X", x}, {"A_log", a_log}, {"B", b},           {"C", c},
                {"D", d}, {"dt", dt},       {"state_in", state}};
  const auto next_state = [=](int64_t n, int64_t k, int64_t s) {
    const Real decay = std::exp(-std::exp(at(a_log, n % H)) * at(dt, n));
    return decay * at(state, (n * D + k) * S + s) +
           at(x, n * D + k) * at(dt, n) * at(b, n / (H / G) * S + s);
  };
  row.outputs = {{"out",
                  type,
                  {B, 1, H, D},
                  [=](int64_t i) {
                    const int64_t n = i / D, k = i % D;
                    Real sum = at(x, i) * at(d, n % H);
                    for (int64_t s = 0; s < S; ++s)
                      sum += next_state(n, k, s) * at(c, n / (H / G) * S + s);
                    return sum;
                  },
                  ulps,
                  1e-5},
                 {"state_out",
                  type,
                  {B, H, D, S},
                  [=](int64_t i) { return next_state(i / (D * S), i / S % D, i % S); },
                  ulps,
                  1e-6}};
  row.grid = {32, D, B * H};
  row.threadgroup = {32, 8, 1};
  return row;
}

// The gated delta rule over T steps; the state's row lives in registers, spread over the lanes.
Row gated_delta() {
  constexpr int64_t B = 2, T = 5, HK = 2, HV = 4, DK = 64, DV = 12;
  const Array q = random_array({B, T, HK, DK}, float32, 11, -0.3L, 0.3L),
              k = random_array({B, T, HK, DK}, float32, 12, -0.15L, 0.15L);
  const Array v = random_array({B, T, HV, DV}, float32, 13),
              g = random_array({B, T, HV}, float32, 14, 0.7L, 0.99L);
  const Array beta = random_array({B, T, HV}, float32, 15, 0.1L, 0.9L),
              state = random_array({B, HV, DV, DK}, float32, 16, -0.5L, 0.5L);
  Row row{.name = "gated_delta_rule"};
  row.body = R"(
    auto n = thread_position_in_grid.z;
    auto b_idx = n / Hv;
    auto hv_idx = n % Hv;
    auto hk_idx = hv_idx / (Hv / Hk);
    constexpr int n_per_t = Dk / 32;

    auto q_ = q + b_idx * T * Hk * Dk + hk_idx * Dk;
    auto k_ = k + b_idx * T * Hk * Dk + hk_idx * Dk;
    auto v_ = v + b_idx * T * Hv * Dv + hv_idx * Dv;
    y += b_idx * T * Hv * Dv + hv_idx * Dv;

    auto dk_idx = thread_position_in_threadgroup.x;
    auto dv_idx = thread_position_in_grid.y;

    auto i_state = state_in + (n * Dv + dv_idx) * Dk;
    auto o_state = state_out + (n * Dv + dv_idx) * Dk;
    float state[n_per_t];
    for (int i = 0; i < n_per_t; ++i) {
      auto s_idx = n_per_t * dk_idx + i;
      state[i] = static_cast<float>(i_state[s_idx]);
    }
    auto g_ = g + b_idx * T * Hv;
    auto beta_ = beta + b_idx * T * Hv;

    for (int t = 0; t < T; ++t) {
      float kv_mem = 0.0f;
      for (int i = 0; i < n_per_t; ++i) {
        auto s_idx = n_per_t * dk_idx + i;
        state[i] = state[i] * g_[hv_idx];
        kv_mem += state[i] * k_[s_idx];
      }
      kv_mem = simd_sum(kv_mem);
      auto delta = (v_[dv_idx] - kv_mem) * beta_[hv_idx];
      float out = 0.0f;
      for (int i = 0; i < n_per_t; ++i) {
        auto s_idx = n_per_t * dk_idx + i;
        state[i] = state[i] + k_[s_idx] * delta;
        out += state[i] * q_[s_idx];
      }
      out = simd_sum(out);
      if (thread_index_in_simdgroup == 0) {
        y[dv_idx] = static_cast<InT>(out);
      }
      q_ += Hk * Dk;
      k_ += Hk * Dk;
      v_ += Hv * Dv;
      y += Hv * Dv;
      g_ += Hv;
      beta_ += Hv;
    }
    for (int i = 0; i < n_per_t; ++i) {
      auto s_idx = n_per_t * dk_idx + i;
      o_state[s_idx] = static_cast<InT>(state[i]);
    }
  )";
  row.template_arguments = {
      {"InT", float32}, {"Dk", int(DK)}, {"Dv", int(DV)}, {"Hk", int(HK)}, {"Hv", int(HV)}};
  row.inputs = {{"q", q},
                {"k", k},
                {"v", v},
                {"g", g},
                {"beta", beta},
                {"state_in", state},
                {"T", Array(int32_t{T})}};
  struct Result {
    std::vector<Real> y, state;
  };
  const auto result = std::make_shared<Result>();
  result->y.resize(B * T * HV * DV);
  for (int64_t i = 0; i < state.size(); ++i) result->state.push_back(at(state, i));
  for (int64_t n = 0; n < B * HV; ++n)
    for (int64_t t = 0; t < T; ++t)
      for (int64_t dv = 0; dv < DV; ++dv) {
        Real* row_state = &result->state[static_cast<size_t>((n * DV + dv) * DK)];
        const int64_t step = n / HV * T + t, hv = n % HV, hk = hv / (HV / HK);
        const auto key = [&](int64_t s) { return at(k, (step * HK + hk) * DK + s); };
        Real memory = 0, out = 0;
        for (int64_t s = 0; s < DK; ++s) memory += (row_state[s] *= at(g, step * HV + hv)) * key(s);
        const Real delta = (at(v, (step * HV + hv) * DV + dv) - memory) * at(beta, step * HV + hv);
        for (int64_t s = 0; s < DK; ++s)
          out += (row_state[s] += key(s) * delta) * at(q, (step * HK + hk) * DK + s);
        result->y[static_cast<size_t>((step * HV + hv) * DV + dv)] = out;
      }
  row.outputs = {{"y",
                  float32,
                  {B, T, HV, DV},
                  [=](int64_t i) { return result->y[static_cast<size_t>(i)]; },
                  4,
                  2e-6},
                 {"state_out",
                  float32,
                  {B, HV, DV, DK},
                  [=](int64_t i) { return result->state[static_cast<size_t>(i)]; },
                  8,
                  1e-6}};
  row.grid = {32, DV, B * HV};
  row.threadgroup = {32, 4, 1};
  return row;
}

Row lstm_step() {
  constexpr int64_t B = 3, H = 40;
  const Array gates = random_array({B, 4 * H}, float32, 61, -6, 6),
              cell = random_array({B, H}, float32, 62, -2, 2);
  Row row{.name = "lstm_step"};
  row.header = R"(
    template <typename T>
    T sigmoid(T x) {
      auto y = 1 / (1 + metal::exp(-metal::abs(x)));
      return (x < 0) ? 1 - y : y;
    }
  )";
  row.body = R"(
    uint b = thread_position_in_grid.x;
    uint d = hidden_size * 4;
    uint elem = b * d + thread_position_in_grid.y;
    uint index = elem;
    uint x_index = b * num_time_steps * d + time_step * d + index;
    auto i = sigmoid(x[index]);
    index += hidden_size;
    auto f = sigmoid(x[index]);
    index += hidden_size;
    auto g = metal::precise::tanh(x[index]);
    index += hidden_size;
    auto o = sigmoid(x[index]);
    uint at = b * hidden_size + thread_position_in_grid.y;
    auto c = f * cell[at] + i * g;
    cell_out[at] = c;
    hidden_out[at] = o * metal::precise::tanh(c);
  )";
  const auto next = [=](int64_t i) {
    const int64_t first = i / H * 4 * H + i % H;
    return sigmoid(at(gates, first + H)) * at(cell, i) +
           sigmoid(at(gates, first)) * std::tanh(at(gates, first + 2 * H));
  };
  row.inputs = {{"x", gates},
                {"cell", cell},
                {"hidden_size", Array(int32_t{H})},
                {"time_step", Array(int32_t{0})},
                {"num_time_steps", Array(int32_t{1})}};
  row.outputs = {{"hidden_out",
                  float32,
                  {B, H},
                  [=](int64_t i) {
                    return sigmoid(at(gates, i / H * 4 * H + i % H + 3 * H)) * std::tanh(next(i));
                  },
                  12,
                  1e-6},
                 {"cell_out", float32, {B, H}, next, 12, 1e-6}};
  row.grid = {B, H, 1};
  row.threadgroup = {1, 32, 1};
  return row;
}

std::vector<Row> rows() {
  return {state_step(float32, 16), state_step(float16, 1), state_step(bfloat16, 1), gated_delta(),
          lstm_step()};
}
SPRUE_MATRIX(RecurrentKernels, rows)

}  // namespace
}  // namespace sprue::language
