// The functions of cuda_fp16.h and cuda_bf16.h over cuda_half.h's types.
#pragma once

// ---- For both types, under the same names. P is the pair of H. ----

#define SPRUE_HALF_BINARY(H, P, name, op)                                                         \
  SPRUE_INLINE H __h##name(const H a, const H b) { return SPRUE_OF_HALVES(H, a, op, b); }         \
  SPRUE_INLINE P __h##name##2(const P a, const P b) { return SPRUE_OF_PAIRS(P, H, a, op, b); }    \
  SPRUE_INLINE H __h##name##_rn(const H a, const H b) { return SPRUE_OF_HALVES(H, a, op, b); }    \
  SPRUE_INLINE P __h##name##2_rn(const P a, const P b) { return SPRUE_OF_PAIRS(P, H, a, op, b); } \
  SPRUE_INLINE H __h##name##_sat(const H a, const H b) {                                          \
    return sprue_cuda::saturated(SPRUE_OF_HALVES(H, a, op, b));                                   \
  }

// Ordered, and with a `u` behind: also true for a NaN.
#define SPRUE_HALF_COMPARE(H, P, name, op)                                                \
  SPRUE_INLINE bool __h##name(const H a, const H b) {                                     \
    return sprue_cuda::ordered(a, b) && sprue_cuda::widen(a) op sprue_cuda::widen(b);     \
  }                                                                                       \
  SPRUE_INLINE bool __h##name##u(const H a, const H b) {                                  \
    return !sprue_cuda::ordered(a, b) || sprue_cuda::widen(a) op sprue_cuda::widen(b);    \
  }                                                                                       \
  SPRUE_INLINE P __h##name##2(const P a, const P b) {                                     \
    return P(H(__h##name(a.x, b.x) ? 1.0f : 0.0f), H(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  }                                                                                       \
  SPRUE_INLINE bool __hb##name##2(const P a, const P b) {                                 \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
  }

// Rounded once from the float's result.
#define SPRUE_HALF_MATH(H, P, name, expression) \
  SPRUE_INLINE H h##name(const H a) {           \
    const float x = sprue_cuda::widen(a);       \
    return H(expression);                       \
  }                                             \
  SPRUE_INLINE P h2##name(const P a) { return P(h##name(a.x), h##name(a.y)); }

namespace sprue_cuda {
template <typename H>
SPRUE_INLINE bool ordered(H a, H b) {
  return !sprue_math::isnan(widen(a)) && !sprue_math::isnan(widen(b));
}
template <typename H>
SPRUE_INLINE H saturated(H a) {
  const float x = widen(a);
  return H(x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f);
}
}  // namespace sprue_cuda

#define SPRUE_HALF_FUNCTIONS(H, P)                                                               \
  SPRUE_HALF_BINARY(H, P, add, +)                                                                \
  SPRUE_HALF_BINARY(H, P, sub, -)                                                                \
  SPRUE_HALF_BINARY(H, P, mul, *)                                                                \
  SPRUE_INLINE H __hdiv(const H a, const H b) { return SPRUE_OF_HALVES(H, a, /, b); }            \
  SPRUE_INLINE P __h2div(const P a, const P b) { return SPRUE_OF_PAIRS(P, H, a, /, b); }         \
  SPRUE_INLINE H __hneg(const H a) { return H(-sprue_cuda::widen(a)); }                          \
  SPRUE_INLINE P __hneg2(const P a) { return -a; }                                               \
  SPRUE_INLINE H __habs(const H a) { return H(sprue_math::abs(sprue_cuda::widen(a))); }          \
  SPRUE_INLINE P __habs2(const P a) { return P(__habs(a.x), __habs(a.y)); }                      \
  SPRUE_INLINE H __hfma(const H a, const H b, const H c) { return sprue_cuda::fused(a, b, c); }  \
  SPRUE_INLINE P __hfma2(const P a, const P b, const P c) {                                      \
    return P(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                      \
  }                                                                                              \
  SPRUE_INLINE H __hfma_sat(const H a, const H b, const H c) {                                   \
    return sprue_cuda::saturated(__hfma(a, b, c));                                               \
  }                                                                                              \
  SPRUE_INLINE H __hfma_relu(const H a, const H b, const H c) {                                  \
    const H r = __hfma(a, b, c);                                                                 \
    return sprue_cuda::widen(r) > 0.0f ? r : H(0.0f);                                            \
  }                                                                                              \
  SPRUE_INLINE H __hmax(const H a, const H b) {                                                  \
    return H(sprue_math::fmax(sprue_cuda::widen(a), sprue_cuda::widen(b)));                      \
  }                                                                                              \
  SPRUE_INLINE H __hmin(const H a, const H b) {                                                  \
    return H(sprue_math::fmin(sprue_cuda::widen(a), sprue_cuda::widen(b)));                      \
  }                                                                                              \
  SPRUE_INLINE H __hmax_nan(const H a, const H b) {                                              \
    return sprue_cuda::ordered(a, b) ? __hmax(a, b) : H(__builtin_nanf(""));                     \
  }                                                                                              \
  SPRUE_INLINE H __hmin_nan(const H a, const H b) {                                              \
    return sprue_cuda::ordered(a, b) ? __hmin(a, b) : H(__builtin_nanf(""));                     \
  }                                                                                              \
  SPRUE_INLINE P __hmax2(const P a, const P b) { return P(__hmax(a.x, b.x), __hmax(a.y, b.y)); } \
  SPRUE_INLINE P __hmin2(const P a, const P b) { return P(__hmin(a.x, b.x), __hmin(a.y, b.y)); } \
  SPRUE_HALF_COMPARE(H, P, eq, ==)                                                               \
  SPRUE_HALF_COMPARE(H, P, ne, !=)                                                               \
  SPRUE_HALF_COMPARE(H, P, lt, <)                                                                \
  SPRUE_HALF_COMPARE(H, P, le, <=)                                                               \
  SPRUE_HALF_COMPARE(H, P, gt, >)                                                                \
  SPRUE_HALF_COMPARE(H, P, ge, >=)                                                               \
  SPRUE_INLINE bool __hisnan(const H a) { return sprue_math::isnan(sprue_cuda::widen(a)); }      \
  SPRUE_INLINE int __hisinf(const H a) {                                                         \
    const float x = sprue_cuda::widen(a);                                                        \
    return sprue_math::isinf(x) ? (x > 0.0f ? 1 : -1) : 0;                                       \
  }                                                                                              \
  SPRUE_HALF_MATH(H, P, exp, sprue_math::exp(x))                                                 \
  SPRUE_HALF_MATH(H, P, exp2, sprue_math::exp2(x))                                               \
  SPRUE_HALF_MATH(H, P, exp10, sprue_math::exp10(x))                                             \
  SPRUE_HALF_MATH(H, P, log, sprue_math::log(x))                                                 \
  SPRUE_HALF_MATH(H, P, log2, sprue_math::log2(x))                                               \
  SPRUE_HALF_MATH(H, P, log10, sprue_math::log10(x))                                             \
  SPRUE_HALF_MATH(H, P, sin, sprue_math::sin(x))                                                 \
  SPRUE_HALF_MATH(H, P, cos, sprue_math::cos(x))                                                 \
  SPRUE_HALF_MATH(H, P, tanh, sprue_math::tanh(x))                                               \
  SPRUE_HALF_MATH(H, P, sqrt, sprue_math::sqrt(x))                                               \
  SPRUE_HALF_MATH(H, P, rsqrt, sprue_math::rsqrt(x))                                             \
  SPRUE_HALF_MATH(H, P, rcp, 1.0f / x)                                                           \
  SPRUE_HALF_MATH(H, P, floor, sprue_math::floor(x))                                             \
  SPRUE_HALF_MATH(H, P, ceil, sprue_math::ceil(x))                                               \
  SPRUE_HALF_MATH(H, P, trunc, sprue_math::trunc(x))                                             \
  SPRUE_HALF_MATH(H, P, rint, sprue_math::rint(x))                                               \
  SPRUE_INLINE float __low2float(const P a) { return sprue_cuda::widen(a.x); }                   \
  SPRUE_INLINE float __high2float(const P a) { return sprue_cuda::widen(a.y); }
SPRUE_HALF_FUNCTIONS(__half, __half2)
SPRUE_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
#undef SPRUE_HALF_FUNCTIONS
#undef SPRUE_HALF_MATH
#undef SPRUE_HALF_COMPARE
#undef SPRUE_HALF_BINARY

// ---- Conversions: the type is part of the name. `half` or `bfloat16` and `half` or `bfloat162`. ----

#define SPRUE_HALF_CONVERSIONS(H, P, half, half2)                                                \
  SPRUE_INLINE H __float2##half(const float a) { return H(a); }                                  \
  SPRUE_INLINE H __float2##half##_rn(const float a) { return H(a); }                             \
  SPRUE_INLINE H __double2##half(const double a) { return H(a); }                                \
  SPRUE_INLINE float __##half##2float(const H a) { return sprue_cuda::widen(a); }                \
  SPRUE_INLINE P __float2##half2##_rn(const float a) { return P(H(a), H(a)); }                   \
  SPRUE_INLINE P __floats2##half2##_rn(const float a, const float b) { return P(H(a), H(b)); }   \
  SPRUE_INLINE P __float22##half2##_rn(const float2 a) { return P(H(a.x), H(a.y)); }             \
  SPRUE_INLINE float2 __##half2##2float2(const P a) {                                            \
    return {sprue_cuda::widen(a.x), sprue_cuda::widen(a.y)};                                     \
  }                                                                                              \
  SPRUE_INLINE P __##half##2##half2(const H a) { return P(a, a); }                               \
  SPRUE_INLINE H __low2##half(const P a) { return a.x; }                                         \
  SPRUE_INLINE H __high2##half(const P a) { return a.y; }                                        \
  SPRUE_INLINE P __low2##half2(const P a) { return P(a.x, a.x); }                                \
  SPRUE_INLINE P __high2##half2(const P a) { return P(a.y, a.y); }                               \
  SPRUE_INLINE H __ushort_as_##half(const unsigned short a) { return __builtin_bit_cast(H, a); } \
  SPRUE_INLINE H __short_as_##half(const short a) { return __builtin_bit_cast(H, a); }           \
  SPRUE_INLINE unsigned short __##half##_as_ushort(const H a) {                                  \
    return __builtin_bit_cast(unsigned short, a);                                                \
  }                                                                                              \
  SPRUE_INLINE short __##half##_as_short(const H a) { return __builtin_bit_cast(short, a); }     \
  SPRUE_HALF_INTEGER(H, half, int, int)                                                          \
  SPRUE_HALF_INTEGER(H, half, uint, unsigned int)                                                \
  SPRUE_HALF_INTEGER(H, half, short, short)                                                      \
  SPRUE_HALF_INTEGER(H, half, ushort, unsigned short)                                            \
  SPRUE_HALF_INTEGER(H, half, ll, long long)                                                     \
  SPRUE_HALF_INTEGER(H, half, ull, unsigned long long)
#define SPRUE_HALF_INTEGER(H, half, name, I)                                   \
  SPRUE_INLINE H __##name##2##half##_rn(const I a) { return H(a); }            \
  SPRUE_INLINE I __##half##2##name##_rz(const H a) {                           \
    return sprue_cuda::to_integer<I>(sprue_math::trunc(sprue_cuda::widen(a))); \
  }                                                                            \
  SPRUE_INLINE I __##half##2##name##_rn(const H a) {                           \
    return sprue_cuda::to_integer<I>(sprue_math::rint(sprue_cuda::widen(a)));  \
  }                                                                            \
  SPRUE_INLINE I __##half##2##name##_rd(const H a) {                           \
    return sprue_cuda::to_integer<I>(sprue_math::floor(sprue_cuda::widen(a))); \
  }                                                                            \
  SPRUE_INLINE I __##half##2##name##_ru(const H a) {                           \
    return sprue_cuda::to_integer<I>(sprue_math::ceil(sprue_cuda::widen(a)));  \
  }
SPRUE_HALF_CONVERSIONS(__half, __half2, half, half2)
SPRUE_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
#undef SPRUE_HALF_INTEGER
#undef SPRUE_HALF_CONVERSIONS

// Two values as a pair, and pairs rearranged.
SPRUE_INLINE __half2 __halves2half2(const __half a, const __half b) { return __half2(a, b); }
SPRUE_INLINE __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
SPRUE_INLINE __half2 make_half2(const __half a, const __half b) { return __half2(a, b); }
SPRUE_INLINE __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
#define SPRUE_PAIR_MOVES(P, half2)                                            \
  SPRUE_INLINE P __lowhigh2highlow(const P a) { return P(a.y, a.x); }         \
  SPRUE_INLINE P __lows2##half2(const P a, const P b) { return P(a.x, b.x); } \
  SPRUE_INLINE P __highs2##half2(const P a, const P b) { return P(a.y, b.y); }
SPRUE_PAIR_MOVES(__half2, half2)
SPRUE_PAIR_MOVES(__nv_bfloat162, bfloat162)
#undef SPRUE_PAIR_MOVES
