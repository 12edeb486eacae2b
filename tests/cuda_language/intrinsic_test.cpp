// Integer intrinsics, conversions, mathematics and atomics, against plain C++.
#include <bit>
#include <cmath>

#include "cuda_language/cuda_row.h"

namespace sprue::language {
namespace {

using R = Real;

uint32_t u(Real value) { return static_cast<uint32_t>(static_cast<int64_t>(value)); }
int32_t s(Real value) { return static_cast<int32_t>(u(value)); }
Real of(uint32_t bits) { return static_cast<int32_t>(bits); }

uint32_t reversed(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
  return result;
}
uint32_t permuted(uint32_t x, uint32_t y, uint32_t selector) {
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t nibble = selector >> 4 * i & 15, k = nibble & 7;
    uint32_t byte = (k < 4 ? x >> 8 * k : y >> 8 * (k - 4)) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
int32_t dot4(uint32_t a, uint32_t b, int32_t c) {
  int64_t sum = c;
  for (int i = 0; i < 32; i += 8) sum += static_cast<int8_t>(a >> i) * static_cast<int8_t>(b >> i);
  return static_cast<int32_t>(sum);
}

std::vector<MatrixCase> integers() {
  std::vector<Real> a = {0, 1, -1, INT32_MAX, INT32_MIN, 0x12345678, -0x12345678, 255, 0x00800000};
  std::vector<Real> b = {0x3210, 0x7654, 0x0ba9, 31, 32, 33, 1, -7, 0x00ffffff};
  for (Real value : uniform(91, -2147483648.0L, 2147483647.0L, 3, int32)) a.push_back(value);
  for (Real value : uniform(91, -2147483648.0L, 2147483647.0L, 4, int32)) b.push_back(value);
  std::vector<Real> c(a.rbegin(), a.rend());
  const std::vector<Array> inputs = {make_array(int32, a), make_array(int32, b),
                                     make_array(int32, c)};
  return on_cuda({formulas(
      "integers", int32, inputs,
      {
          {"__popc(a)", [](R x, R, R) { return std::popcount(u(x)); }},
          {"__clz(a)", [](R x, R, R) { return std::countl_zero(u(x)); }},
          {"__ffs(a)", [](R x, R, R) { return u(x) ? std::countr_zero(u(x)) + 1 : 0; }},
          {"__clzll((long long)a)",
           [](R x, R, R) { return std::countl_zero(static_cast<uint64_t>(int64_t{s(x)})); }},
          {"__brev(a)", [](R x, R, R) { return of(reversed(u(x))); }},
          {"__byte_perm(a, c, b)", [](R x, R y, R z) { return of(permuted(u(x), u(z), u(y))); }},
          {"__funnelshift_l(a, c, b)",
           [](R x, R y, R z) {
             const uint32_t k = u(y) & 31;
             return of(k ? u(z) << k | u(x) >> (32 - k) : u(z));
           }},
          {"__funnelshift_r(a, c, b)",
           [](R x, R y, R z) {
             const uint32_t k = u(y) & 31;
             return of(k ? u(x) >> k | u(z) << (32 - k) : u(x));
           }},
          {"__funnelshift_rc(a, c, b)",
           [](R x, R y, R z) {
             const uint32_t k = std::min(u(y), 32u);
             return of(k == 32 ? u(z) : k ? u(x) >> k | u(z) << (32 - k) : u(x));
           }},
          {"__mulhi(a, b)",
           [](R x, R y, R) { return static_cast<int32_t>(int64_t{s(x)} * s(y) >> 32); }},
          {"__umulhi(a, b)",
           [](R x, R y, R) { return of(static_cast<uint32_t>(uint64_t{u(x)} * u(y) >> 32)); }},
          {"__mul24(a, b)",
           [](R x, R y, R) {
             const int64_t p = int64_t{s(x) << 8 >> 8} * (s(y) << 8 >> 8);
             return of(static_cast<uint32_t>(p));
           }},
          {"__sad(a, b, c)",
           [](R x, R y, R z) {
             const int64_t d = int64_t{s(x)} - s(y);
             return of(static_cast<uint32_t>(d < 0 ? -d : d) + u(z));
           }},
          {"__hadd(a, b)", [](R x, R y, R) { return (int64_t{s(x)} + s(y)) >> 1; }},
          {"__rhadd(a, b)", [](R x, R y, R) { return (int64_t{s(x)} + s(y) + 1) >> 1; }},
          {"__dp4a(a, b, c)", [](R x, R y, R z) { return dot4(u(x), u(y), s(z)); }},
          {"max(a, b)", [](R x, R y, R) { return std::max(x, y); }},
          {"min((unsigned)a, (unsigned)b)", [](R x, R y, R) { return of(std::min(u(x), u(y))); }},
          {"abs(a / 2)", [](R x, R, R) { return std::abs(s(x) / 2); }},
          {"__float_as_int(__int_as_float(a & 0x7f000000))",
           [](R x, R, R) { return of(u(x) & 0x7f000000u); }},
      })});
}
SPRUE_CUDA_MATRIX(CudaIntegers, integers)

std::vector<MatrixCase> floats() {
  std::vector<Real> a = {0,
                         -0.0L,
                         1,
                         -1,
                         0.5L,
                         1.5L,
                         2.5L,
                         -2.5L,
                         3e9L,
                         -3e9L,
                         1e20L,
                         1e-40L,
                         std::numeric_limits<Real>::infinity(),
                         std::numeric_limits<Real>::quiet_NaN()};
  for (Real value : uniform(200, -20, 20, 6)) a.push_back(value);
  std::vector<Real> b(a.rbegin(), a.rend());
  const auto clamped = [](Real x, Real low, Real high) {
    return std::isnan(x) ? 0 : std::clamp(x, low, high);
  };
  const std::vector<Array> inputs = {make_array(float32, a), make_array(float32, b)};
  const auto nearest = [](Real x) { return std::nearbyint(x); };
  return on_cuda(
      {formulas("to_integers", int32, inputs,
                {
                    {"__float2int_rn(a)",
                     [=](R x, R, R) { return clamped(nearest(x), INT32_MIN, INT32_MAX); }},
                    {"__float2int_rz(a)",
                     [=](R x, R, R) { return clamped(std::trunc(x), INT32_MIN, INT32_MAX); }},
                    {"__float2int_rd(a)",
                     [=](R x, R, R) { return clamped(std::floor(x), INT32_MIN, INT32_MAX); }},
                    {"__float2int_ru(a)",
                     [=](R x, R, R) { return clamped(std::ceil(x), INT32_MIN, INT32_MAX); }},
                    {"isnan(a) * 2 + isinf(a)",
                     [](R x, R, R) { return std::isnan(x) * 2 + std::isinf(x); }},
                }),
       formulas("to_unsigned", uint32, inputs,
                {{"__float2uint_rz(a)",
                  [=](R x, R, R) { return clamped(std::trunc(x), 0, UINT32_MAX); }}}),
       formulas(
           "floats", float32, inputs,
           {
               {"expf(a)", [](R x, R, R) { return std::exp(x); }, 2},
               {"exp(-a)", [](R x, R, R) { return std::exp(-x); }, 2},
               {"__expf(a)", [](R x, R, R) { return std::exp(x); }, 2},
               {"logf(a)", [](R x, R, R) { return std::log(x); }, 2},
               {"tanhf(a)", [](R x, R, R) { return std::tanh(x); }, 4},
               {"sinf(a * 0.25f)", [](R x, R, R) { return std::sin(x / 4); }, 4},
               {"powf(a, 3.0f)", [](R x, R, R) { return std::pow(x, 3); }, 7},
               {"sqrtf(a)", [](R x, R, R) { return std::sqrt(x); }},
               {"rsqrtf(a)", [](R x, R, R) { return 1 / std::sqrt(x); }},
               {"fmaf(a, b, 1.0f)", [](R x, R y, R) { return x * y + 1; }},
               {"__frcp_rn(a)", [](R x, R, R) { return 1 / x; }},
               {"fminf(a, b)",
                [](R x, R y, R) { return std::isnan(x)   ? y
                                         : std::isnan(y) ? x
                                                         : std::min(x, y); }},
               {"max(a, b)",
                [](R x, R y, R) { return std::isnan(x)   ? y
                                         : std::isnan(y) ? x
                                                         : std::max(x, y); }},
               {"floorf(a)", [](R x, R, R) { return std::floor(x); }},
               {"rintf(a)", [=](R x, R, R) { return nearest(x); }},
               {"roundf(a)", [](R x, R, R) { return std::round(x); }},
               {"fabsf(a)", [](R x, R, R) { return std::fabs(x); }},
               {"__saturatef(a)", [](R x, R, R) { return x > 0 ? std::min<R>(x, 1) : 0; }},
               {"__fmul_rn(a, a) + b", [](R x, R y, R) { return to_float(x * x) + y; }},
               {"a > 0 ? -INFINITY : 0.1",
                [](R x, R, R) { return x > 0 ? -std::numeric_limits<R>::infinity() : R{0.1}; }},
               {"a * 0.1", [](R x, R, R) { return R{static_cast<double>(x) * 0.1}; }},
           })});
}
SPRUE_CUDA_MATRIX(CudaFloats, floats)

// All threads of two blocks change one cell each way.
struct Atomic {
  std::string name, type;
  Dtype dtype;
  std::string change;  // of *cell, which is 77 at first, by thread i of 64
  Real expected;
};

std::vector<MatrixCase> in_one_kernel(const std::vector<Atomic>& list) {
  Row row{.name = "atomics", .grid = {64, 1, 1}, .threadgroup = {32, 1, 1}};
  row.body = "const unsigned i = blockIdx.x * 32 + threadIdx.x;\n";
  for (const Atomic& atomic : list) {
    row.body +=
        fmt::format("{{ {0}* cell = ({0}*){1}; {2} }}\n", atomic.type, atomic.name, atomic.change);
    const Real expected = atomic.expected;
    row.outputs.push_back(
        {atomic.name, atomic.dtype, {2}, [=](int64_t i) { return i == 0 ? expected : 77; }});
  }
  return on_cuda({row});
}

std::vector<MatrixCase> atomics() {
  return in_one_kernel({
      Atomic{"add_int_cell", "int", int32, "atomicAdd(cell, int(i) - 3);", 77 + 2016 - 192},
      Atomic{"add_float_cell", "float", float32, "atomicAdd(cell, 0.5f);", 77 + 32},
      Atomic{"add_half_cell", "__half", float16, "atomicAdd(cell, __half(1.0f));", 77 + 64},
      Atomic{"add_bfloat_cell", "__nv_bfloat16", bfloat16, "atomicAdd(cell, __nv_bfloat16(1.0f));",
             77 + 64},
      Atomic{"add_long_cell", "unsigned long long", uint64, "atomicAdd(cell, 1ull << 40);",
             77 + (R{64} * (int64_t{1} << 40))},
      Atomic{"sub_cell", "int", int32, "atomicSub_block(cell, 2);", 77 - 128},
      Atomic{"max_cell", "unsigned", uint32, "atomicMax(cell, i * 3);", 189},
      Atomic{"min_cell", "int", int32, "atomicMin(cell, -int(i));", -63},
      Atomic{"or_cell", "unsigned", uint32, "atomicOr(cell, 1u << (i / 2));", 4294967295.0L},
      Atomic{"and_cell", "int", int32, "atomicAnd(cell, ~int(i & 4));", 77 & ~4},
      Atomic{"xor_cell", "int", int32, "atomicXor(cell, int(i));", 77},
      Atomic{"inc_cell", "unsigned", uint32, "atomicInc(cell, 9u);", (64 - 1) % 10},
      Atomic{"dec_cell", "unsigned", uint32, "atomicDec(cell, 9u);", 6},
      Atomic{"exchange_cell", "int", int32, "if (i == 7) atomicExch_system(cell, 5);", 5},
      Atomic{"compare_cell", "int", int32,
             "int seen = *cell, before; do { before = seen; seen = atomicCAS(cell, before, before "
             "+ 2); } while (seen != before);",
             77 + 128},
      Atomic{"lock_free_maximum_of_float_cell", "float", float32,
             "int* bits = (int*)cell; int old = *bits, was; do { was = old; old = atomicCAS(bits, "
             "was, "
             "__float_as_int(fmaxf(__int_as_float(was), i * 2.5f))); } while (old != was); "
             "__threadfence();",
             157.5L},
  });
}
SPRUE_CUDA_MATRIX(CudaAtomics, atomics)

}  // namespace
}  // namespace sprue::language
