#include "measure/machine/roofline_loops.h"

namespace sprue {

namespace {

// GCC's and clang's vectors: lanes of the function's own target, whatever the file is compiled for.
template <int kBytes>
struct Vector {
  typedef float Type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

// Enough independent chains for two units of four cycles' latency each, few enough for 16 registers.
constexpr int kChains = 12;

#define SPRUE_ROOF_LOOPS(SUFFIX, TARGET, BYTES)                                                    \
  TARGET void read_##SUFFIX(const float* values, int64_t count) {                                  \
    using V = Vector<BYTES>::Type;                                                                 \
    constexpr int kLanes = BYTES / 4;                                                              \
    V sums[8] = {};                                                                                \
    for (int64_t i = 0; i + 8 * kLanes <= count; i += 8 * kLanes)                                  \
      for (int j = 0; j < 8; ++j) sums[j] += *reinterpret_cast<const V*>(values + i + j * kLanes); \
    for (int j = 0; j < 8; ++j) asm volatile("" : : "x"(sums[j]));                                 \
  }                                                                                                \
  TARGET double multiply_add_##SUFFIX(int rounds) {                                                \
    using V = Vector<BYTES>::Type;                                                                 \
    constexpr int kLanes = BYTES / 4;                                                              \
    V sums[kChains] = {};                                                                          \
    V factor = V{} + 1.0f, term = V{} + 1e-9f;                                                     \
    asm volatile("" : "+x"(factor), "+x"(term)); /* unknown to the compiler, */                    \
    for (int j = 0; j < kChains; ++j) asm volatile("" : "+x"(sums[j])); /* and each another */     \
    for (int r = 0; r < rounds; ++r) {                                                             \
      for (int j = 0; j < kChains; ++j) sums[j] = sums[j] * factor + term;                         \
      asm volatile("");                                                                            \
    }                                                                                              \
    for (int j = 0; j < kChains; ++j) asm volatile("" : : "x"(sums[j]));                           \
    return 2.0 * kLanes * kChains * rounds;                                                        \
  }

SPRUE_ROOF_LOOPS(sse, , 16)
SPRUE_ROOF_LOOPS(avx2, __attribute__((target("avx2,fma"))), 32)
SPRUE_ROOF_LOOPS(avx512, __attribute__((target("avx512f"))), 64)

#undef SPRUE_ROOF_LOOPS

enum class Width { sse, avx2, avx512 };

Width widest() {
  static const Width width = __builtin_cpu_supports("avx512f") ? Width::avx512
                             : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                                 ? Width::avx2
                                 : Width::sse;
  return width;
}

}  // namespace

void read_all_floats(const float* values, int64_t count) {
  switch (widest()) {
    case Width::avx512:
      return read_avx512(values, count);
    case Width::avx2:
      return read_avx2(values, count);
    case Width::sse:
      return read_sse(values, count);
  }
}

double multiply_add_rounds(int rounds) {
  switch (widest()) {
    case Width::avx512:
      return multiply_add_avx512(rounds);
    case Width::avx2:
      return multiply_add_avx2(rounds);
    case Width::sse:
      break;
  }
  return multiply_add_sse(rounds);
}

}  // namespace sprue
