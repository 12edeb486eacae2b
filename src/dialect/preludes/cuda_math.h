// CUDA's functions over float and double, at global scope as CUDA has them.
//
// float goes to math.h, so that all devices agree on the bits; the intrinsics that may be less exact on a
// GPU (__expf, __sinf) are the exact ones here. Of double there is what has one right answer (+, sqrt, fma,
// floor, ...); the others are errors that name the function.
#pragma once

#define SPRUE_NO_DOUBLE(name)                                                       \
  SPRUE_UNAVAILABLE(#name                                                           \
                    "(double) isn't available; use the float function, with float " \
                    "arguments,")

// exp(x), expf(x)
#define SPRUE_FLOAT_ONLY(name)                                        \
  SPRUE_INLINE float name##f(float x) { return sprue_math::name(x); } \
  SPRUE_INLINE float name(float x) { return sprue_math::name(x); }    \
  SPRUE_NO_DOUBLE(name) double name(double);
SPRUE_FLOAT_ONLY(exp)
SPRUE_FLOAT_ONLY(exp2)
SPRUE_FLOAT_ONLY(exp10)
SPRUE_FLOAT_ONLY(expm1)
SPRUE_FLOAT_ONLY(log)
SPRUE_FLOAT_ONLY(log2)
SPRUE_FLOAT_ONLY(log10)
SPRUE_FLOAT_ONLY(log1p)
SPRUE_FLOAT_ONLY(sin)
SPRUE_FLOAT_ONLY(cos)
SPRUE_FLOAT_ONLY(tan)
SPRUE_FLOAT_ONLY(sinpi)
SPRUE_FLOAT_ONLY(cospi)
SPRUE_FLOAT_ONLY(asin)
SPRUE_FLOAT_ONLY(acos)
SPRUE_FLOAT_ONLY(atan)
SPRUE_FLOAT_ONLY(sinh)
SPRUE_FLOAT_ONLY(cosh)
SPRUE_FLOAT_ONLY(tanh)
SPRUE_FLOAT_ONLY(asinh)
SPRUE_FLOAT_ONLY(acosh)
SPRUE_FLOAT_ONLY(atanh)
SPRUE_FLOAT_ONLY(rsqrt)
#undef SPRUE_FLOAT_ONLY

#define SPRUE_FLOAT_ONLY_OF_TWO(name)                                             \
  SPRUE_INLINE float name##f(float x, float y) { return sprue_math::name(x, y); } \
  SPRUE_INLINE float name(float x, float y) { return sprue_math::name(x, y); }    \
  SPRUE_NO_DOUBLE(name) double name(double, double);                              \
  SPRUE_NO_DOUBLE(name) double name(float, double);                               \
  SPRUE_NO_DOUBLE(name) double name(double, float);
SPRUE_FLOAT_ONLY_OF_TWO(pow)
SPRUE_FLOAT_ONLY_OF_TWO(atan2)
SPRUE_FLOAT_ONLY_OF_TWO(fmod)
#undef SPRUE_FLOAT_ONLY_OF_TWO
// A whole power of a float, as in `pow(x, 2)`.
SPRUE_INLINE float pow(float x, int y) { return sprue_math::pow(x, static_cast<float>(y)); }

#define SPRUE_MISSING(name) SPRUE_UNAVAILABLE(#name " isn't available") float name(float);
SPRUE_MISSING(erff)
SPRUE_MISSING(erf)
SPRUE_MISSING(erfcf)
SPRUE_MISSING(erfc)
SPRUE_MISSING(erfinvf)
SPRUE_MISSING(normcdff)
SPRUE_MISSING(tgammaf)
SPRUE_MISSING(lgammaf)
SPRUE_MISSING(cbrtf)
SPRUE_MISSING(rcbrtf)
#undef SPRUE_MISSING

// Exact, or rounded once, in both types.
#define SPRUE_BOTH(name, of_float, of_double)              \
  SPRUE_INLINE float name##f(float x) { return of_float; } \
  SPRUE_INLINE float name(float x) { return of_float; }    \
  SPRUE_INLINE double name(double x) { return of_double; }
SPRUE_BOTH(sqrt, sprue_math::sqrt(x), __builtin_elementwise_sqrt(x))
SPRUE_BOTH(floor, sprue_math::floor(x), __builtin_floor(x))
SPRUE_BOTH(ceil, sprue_math::ceil(x), __builtin_ceil(x))
SPRUE_BOTH(trunc, sprue_math::trunc(x), __builtin_trunc(x))
SPRUE_BOTH(rint, sprue_math::rint(x), __builtin_rint(x))
SPRUE_BOTH(nearbyint, sprue_math::rint(x), __builtin_rint(x))
SPRUE_BOTH(round, sprue_math::round(x),
           __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x)))
SPRUE_BOTH(fabs, sprue_math::abs(x), __builtin_fabs(x))
#undef SPRUE_BOTH

namespace sprue_cuda {
SPRUE_INLINE bool isnan(double x) {
  return (sprue_math::double_bits(x) & ~0ull >> 1) > 0x7ffull << 52;
}
SPRUE_INLINE bool isinf(double x) {
  return (sprue_math::double_bits(x) & ~0ull >> 1) == 0x7ffull << 52;
}
}  // namespace sprue_cuda

#define SPRUE_BOTH_OF_TWO(name, of_double)                                                \
  SPRUE_INLINE float name##f(float x, float y) { return sprue_math::name(x, y); }         \
  SPRUE_INLINE float name(float x, float y) { return sprue_math::name(x, y); }            \
  SPRUE_INLINE double name(double x, double y) { return of_double; }                      \
  SPRUE_INLINE double name(float x, double y) { return name(static_cast<double>(x), y); } \
  SPRUE_INLINE double name(double x, float y) { return name(x, static_cast<double>(y)); }
SPRUE_BOTH_OF_TWO(fmin, (sprue_cuda::isnan(x) || y < x) ? y : x)
SPRUE_BOTH_OF_TWO(fmax, (sprue_cuda::isnan(x) || y > x) ? y : x)
SPRUE_BOTH_OF_TWO(fdim, x <= y ? 0.0 : x - y)
SPRUE_BOTH_OF_TWO(copysign, __builtin_copysign(x, y))
#undef SPRUE_BOTH_OF_TWO

SPRUE_INLINE float fmaf(float a, float b, float c) { return sprue_math::fma(a, b, c); }
SPRUE_INLINE float fma(float a, float b, float c) { return sprue_math::fma(a, b, c); }
SPRUE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
SPRUE_INLINE float ldexpf(float x, int exponent) { return sprue_math::ldexp(x, exponent); }
SPRUE_INLINE float ldexp(float x, int exponent) { return sprue_math::ldexp(x, exponent); }
SPRUE_INLINE float scalbnf(float x, int exponent) { return sprue_math::ldexp(x, exponent); }
SPRUE_INLINE float frexpf(float x, int* exponent) { return sprue_math::frexp(x, *exponent); }
SPRUE_INLINE float modff(float x, float* integral) { return sprue_math::modf(x, *integral); }
SPRUE_INLINE int ilogbf(float x) { return sprue_math::ilogb(x); }
SPRUE_INLINE float nextafterf(float x, float y) { return sprue_math::nextafter(x, y); }
SPRUE_INLINE float hypotf(float x, float y) {
  const double a = static_cast<double>(x), b = static_cast<double>(y);
  if (sprue_math::isinf(x) || sprue_math::isinf(y)) return sprue_math::infinity();
  return static_cast<float>(__builtin_elementwise_sqrt(a * a + b * b));
}
SPRUE_INLINE void sincosf(float x, float* sine, float* cosine) {
  *sine = sprue_math::sincos(x, *cosine);
}
SPRUE_INLINE void sincospif(float x, float* sine, float* cosine) {
  *sine = sprue_math::sinpi(x);
  *cosine = sprue_math::cospi(x);
}

#define SPRUE_TEST(name, of_double)                               \
  SPRUE_INLINE bool name(float x) { return sprue_math::name(x); } \
  SPRUE_INLINE bool name(double x) { return of_double; }
SPRUE_TEST(isnan, sprue_cuda::isnan(x))
SPRUE_TEST(isinf, sprue_cuda::isinf(x))
SPRUE_TEST(isfinite, !sprue_cuda::isnan(x) && !sprue_cuda::isinf(x))
SPRUE_TEST(signbit, sprue_math::double_bits(x) >> 63)
#undef SPRUE_TEST

// ---- Intrinsics. ----

SPRUE_INLINE float __expf(float x) { return sprue_math::exp(x); }
SPRUE_INLINE float __exp10f(float x) { return sprue_math::exp10(x); }
SPRUE_INLINE float __logf(float x) { return sprue_math::log(x); }
SPRUE_INLINE float __log2f(float x) { return sprue_math::log2(x); }
SPRUE_INLINE float __log10f(float x) { return sprue_math::log10(x); }
SPRUE_INLINE float __sinf(float x) { return sprue_math::sin(x); }
SPRUE_INLINE float __cosf(float x) { return sprue_math::cos(x); }
SPRUE_INLINE float __tanf(float x) { return sprue_math::tan(x); }
SPRUE_INLINE float __tanhf(float x) { return sprue_math::tanh(x); }
SPRUE_INLINE float __powf(float x, float y) { return sprue_math::powr(x, y); }
SPRUE_INLINE void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
SPRUE_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
SPRUE_INLINE float __fdividef(float x, float y) { return x / y; }
SPRUE_INLINE float fdividef(float x, float y) { return x / y; }
SPRUE_INLINE float __fadd_rn(float x, float y) { return x + y; }
SPRUE_INLINE float __fsub_rn(float x, float y) { return x - y; }
SPRUE_INLINE float __fmul_rn(float x, float y) { return x * y; }
SPRUE_INLINE float __fdiv_rn(float x, float y) { return x / y; }
SPRUE_INLINE float __fmaf_rn(float a, float b, float c) { return sprue_math::fma(a, b, c); }
SPRUE_INLINE float __fsqrt_rn(float x) { return sprue_math::sqrt(x); }
SPRUE_INLINE float __frsqrt_rn(float x) { return sprue_math::rsqrt(x); }
SPRUE_INLINE float __frcp_rn(float x) { return 1.0f / x; }
SPRUE_INLINE double __dadd_rn(double x, double y) { return x + y; }
SPRUE_INLINE double __dsub_rn(double x, double y) { return x - y; }
SPRUE_INLINE double __dmul_rn(double x, double y) { return x * y; }
SPRUE_INLINE double __ddiv_rn(double x, double y) { return x / y; }
SPRUE_INLINE double __dsqrt_rn(double x) { return __builtin_elementwise_sqrt(x); }
SPRUE_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

// __float2int_rz and its kind, for each type and direction.
#define SPRUE_TO_INTEGER_BY(F, f, name, I, direction, function) \
  SPRUE_INLINE I __##f##2##name##_##direction(F x) {            \
    return sprue_cuda::to_integer<I>(::function(x));            \
  }
#define SPRUE_TO_INTEGER(F, f, name, I)         \
  SPRUE_TO_INTEGER_BY(F, f, name, I, rn, rint)  \
  SPRUE_TO_INTEGER_BY(F, f, name, I, rz, trunc) \
  SPRUE_TO_INTEGER_BY(F, f, name, I, rd, floor) \
  SPRUE_TO_INTEGER_BY(F, f, name, I, ru, ceil)
#define SPRUE_TO_INTEGERS(F, f)              \
  SPRUE_TO_INTEGER(F, f, int, int)           \
  SPRUE_TO_INTEGER(F, f, uint, unsigned int) \
  SPRUE_TO_INTEGER(F, f, ll, long long)      \
  SPRUE_TO_INTEGER(F, f, ull, unsigned long long)
SPRUE_TO_INTEGERS(float, float)
SPRUE_TO_INTEGERS(double, double)
#undef SPRUE_TO_INTEGERS
#undef SPRUE_TO_INTEGER
#undef SPRUE_TO_INTEGER_BY
#define SPRUE_FROM_INTEGER(name, I)                                             \
  SPRUE_INLINE float __##name##2float_rn(I x) { return static_cast<float>(x); } \
  SPRUE_INLINE double __##name##2double_rn(I x) { return static_cast<double>(x); }
SPRUE_FROM_INTEGER(int, int)
SPRUE_FROM_INTEGER(uint, unsigned int)
SPRUE_FROM_INTEGER(ll, long long)
SPRUE_FROM_INTEGER(ull, unsigned long long)
#undef SPRUE_FROM_INTEGER
SPRUE_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }
SPRUE_INLINE int lrintf(float x) { return __float2int_rn(x); }

SPRUE_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SPRUE_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SPRUE_INLINE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
SPRUE_INLINE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
SPRUE_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SPRUE_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SPRUE_INLINE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
SPRUE_INLINE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
SPRUE_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}

// ---- min, max, abs. ----

#define SPRUE_MIN_MAX(A, B, R)                                                            \
  SPRUE_INLINE constexpr R min(const A a, const B b) {                                    \
    return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); \
  }                                                                                       \
  SPRUE_INLINE constexpr R max(const A a, const B b) {                                    \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
  }
#define SPRUE_MIN_MAXES(S, U) \
  SPRUE_MIN_MAX(S, S, S)      \
  SPRUE_MIN_MAX(U, U, U)      \
  SPRUE_MIN_MAX(S, U, U)      \
  SPRUE_MIN_MAX(U, S, U)
SPRUE_MIN_MAXES(int, unsigned int)
SPRUE_MIN_MAXES(long, unsigned long)
SPRUE_MIN_MAXES(long long, unsigned long long)
#undef SPRUE_MIN_MAXES
#undef SPRUE_MIN_MAX
#define SPRUE_FLOAT_MIN_MAX(A, B, R)                              \
  SPRUE_INLINE R min(const A a, const B b) { return fmin(a, b); } \
  SPRUE_INLINE R max(const A a, const B b) { return fmax(a, b); }
SPRUE_FLOAT_MIN_MAX(float, float, float)
SPRUE_FLOAT_MIN_MAX(double, double, double)
SPRUE_FLOAT_MIN_MAX(float, double, double)
SPRUE_FLOAT_MIN_MAX(double, float, double)
#undef SPRUE_FLOAT_MIN_MAX
SPRUE_INLINE constexpr int abs(int x) { return x < 0 ? -x : x; }
SPRUE_INLINE constexpr long abs(long x) { return x < 0 ? -x : x; }
SPRUE_INLINE constexpr long long abs(long long x) { return x < 0 ? -x : x; }
SPRUE_INLINE constexpr long labs(long x) { return x < 0 ? -x : x; }
SPRUE_INLINE constexpr long long llabs(long long x) { return x < 0 ? -x : x; }
SPRUE_INLINE float abs(float x) { return sprue_math::abs(x); }
SPRUE_INLINE double abs(double x) { return __builtin_fabs(x); }
