// __half and __nv_bfloat16: their conversions and operators, as CUDA's headers have them.
//
// Implicit conversions from all numbers and to float, so that a mixture such as `h * 2.0f` is ambiguous, as
// on CUDA.
// Each operation rounds once to the type. half goes through _Float16; a sum, product or quotient of two
// bfloats through float, which is wide enough for one rounding.
#pragma once

struct __half;
struct __nv_bfloat16;

struct __half_raw {
  unsigned short x;
};
struct __nv_bfloat16_raw {
  unsigned short x;
};

namespace sprue_cuda {
// The value of either type as a float, and back.
SPRUE_INLINE constexpr float widen(__half h);
SPRUE_INLINE constexpr float widen(__nv_bfloat16 b);
template <typename H>
SPRUE_INLINE constexpr H narrow(float value);
}  // namespace sprue_cuda

#define SPRUE_FROM_INTEGERS(FROM) \
  FROM(short)                     \
  FROM(unsigned short)            \
  FROM(int)                       \
  FROM(unsigned int)              \
  FROM(long)                      \
  FROM(unsigned long)             \
  FROM(long long)                 \
  FROM(unsigned long long)
// Explicit, and a template: a dozen implicit conversions, as CUDA has them, would make the compiler weigh
// hundreds of operators wherever two halves are added. `int i = h` goes through float.
#define SPRUE_TO_INTEGERS                                                 \
  template <typename I, typename = sprue_cuda::if_integer<I>>             \
  SPRUE_MEMBER explicit operator I() const {                              \
    return sprue_cuda::to_integer<I>(__builtin_truncf(operator float())); \
  }

struct __attribute__((aligned(2))) __half {
  _Float16 value;

  __half() = default;
  SPRUE_MEMBER constexpr __half(__half_raw raw) : value(__builtin_bit_cast(_Float16, raw.x)) {}
  SPRUE_MEMBER constexpr __half(float v) : value(static_cast<_Float16>(v)) {}
  SPRUE_MEMBER constexpr __half(double v) : value(static_cast<_Float16>(v)) {}
  // Beyond 65504 all is infinite, so a first rounding to float doesn't show.
#define SPRUE_FROM_INTEGER(I) \
  SPRUE_MEMBER constexpr __half(I v) : value(static_cast<_Float16>(static_cast<float>(v))) {}
  SPRUE_FROM_INTEGERS(SPRUE_FROM_INTEGER)
#undef SPRUE_FROM_INTEGER
  SPRUE_MEMBER constexpr explicit __half(__nv_bfloat16 b);
  SPRUE_MEMBER constexpr operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, value)};
  }
  SPRUE_MEMBER constexpr operator float() const { return static_cast<float>(value); }
  SPRUE_TO_INTEGERS
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short bits;

  __nv_bfloat16() = default;
  SPRUE_MEMBER constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  SPRUE_MEMBER constexpr __nv_bfloat16(float v) : bits(sprue_cuda::bfloat_bits(v)) {}
  SPRUE_MEMBER constexpr __nv_bfloat16(double v)
      : bits(sprue_cuda::bfloat_bits(sprue_cuda::to_odd_float(v))) {}
#define SPRUE_FROM_INTEGER(I) \
  SPRUE_MEMBER constexpr __nv_bfloat16(I v) : __nv_bfloat16(sprue_cuda::integer_to_odd(v)) {}
  SPRUE_FROM_INTEGERS(SPRUE_FROM_INTEGER)
#undef SPRUE_FROM_INTEGER
  SPRUE_MEMBER constexpr explicit __nv_bfloat16(__half h)
      : bits(sprue_cuda::bfloat_bits(static_cast<float>(h.value))) {}
  SPRUE_MEMBER constexpr operator __nv_bfloat16_raw() const { return {bits}; }
  SPRUE_MEMBER constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
  }
  SPRUE_TO_INTEGERS
};
SPRUE_MEMBER constexpr __half::__half(__nv_bfloat16 b)
    : value(static_cast<_Float16>(static_cast<float>(b))) {}
#undef SPRUE_FROM_INTEGERS
#undef SPRUE_TO_INTEGERS

typedef __half half;
typedef __half __nv_half;
typedef __nv_bfloat16 nv_bfloat16;

namespace sprue_cuda {
SPRUE_INLINE constexpr float widen(__half h) { return static_cast<float>(h.value); }
SPRUE_INLINE constexpr float widen(__nv_bfloat16 b) { return b.operator float(); }
template <typename H>
SPRUE_INLINE constexpr H narrow(float value) {
  return H(value);
}
SPRUE_INLINE __half fused(__half a, __half b, __half c) {
  // Exact in double but for sums whose rest is far below half's last bit.
  return __half(static_cast<double>(widen(a)) * static_cast<double>(widen(b)) +
                static_cast<double>(widen(c)));
}
SPRUE_INLINE __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(fma_to_odd(widen(a), widen(b), widen(c)));
}
}  // namespace sprue_cuda

// Without the operators themselves, which the compiler would look up each time.
#define SPRUE_OF_HALVES(H, a, op, b) H(sprue_cuda::widen(a) op sprue_cuda::widen(b))
#define SPRUE_HALF_OPERATOR(H, op)                                                            \
  SPRUE_INLINE H operator op(const H& a, const H& b) { return SPRUE_OF_HALVES(H, a, op, b); } \
  SPRUE_INLINE H& operator op##=(H& a, const H& b) { return a = SPRUE_OF_HALVES(H, a, op, b); }
#define SPRUE_HALF_COMPARISON(H, op)                      \
  SPRUE_INLINE bool operator op(const H& a, const H& b) { \
    return sprue_cuda::widen(a) op sprue_cuda::widen(b);  \
  }
#define SPRUE_HALF_OPERATORS(H)                                                   \
  SPRUE_HALF_OPERATOR(H, +)                                                       \
  SPRUE_HALF_OPERATOR(H, -)                                                       \
  SPRUE_HALF_OPERATOR(H, *)                                                       \
  SPRUE_HALF_OPERATOR(H, /)                                                       \
  SPRUE_HALF_COMPARISON(H, ==)                                                    \
  SPRUE_HALF_COMPARISON(H, !=)                                                    \
  SPRUE_HALF_COMPARISON(H, <)                                                     \
  SPRUE_HALF_COMPARISON(H, <=)                                                    \
  SPRUE_HALF_COMPARISON(H, >)                                                     \
  SPRUE_HALF_COMPARISON(H, >=)                                                    \
  SPRUE_INLINE H operator+(const H& a) { return a; }                              \
  SPRUE_INLINE H operator-(const H& a) { return H(-sprue_cuda::widen(a)); }       \
  SPRUE_INLINE H& operator++(H& a) { return a = H(sprue_cuda::widen(a) + 1.0f); } \
  SPRUE_INLINE H& operator--(H& a) { return a = H(sprue_cuda::widen(a) - 1.0f); } \
  SPRUE_INLINE H operator++(H& a, int) {                                          \
    const H before = a;                                                           \
    ++a;                                                                          \
    return before;                                                                \
  }                                                                               \
  SPRUE_INLINE H operator--(H& a, int) {                                          \
    const H before = a;                                                           \
    --a;                                                                          \
    return before;                                                                \
  }
SPRUE_HALF_OPERATORS(__half)
SPRUE_HALF_OPERATORS(__nv_bfloat16)
#undef SPRUE_HALF_OPERATORS
#undef SPRUE_HALF_COMPARISON
#undef SPRUE_HALF_OPERATOR

// Pairs: operators by component; a comparison holds if it does for both.
#define SPRUE_OF_PAIRS(P, H, a, op, b) \
  P(SPRUE_OF_HALVES(H, a.x, op, b.x), SPRUE_OF_HALVES(H, a.y, op, b.y))
#define SPRUE_PAIR_OPERATOR(P, H, op)                                                           \
  SPRUE_INLINE P operator op(const P& a, const P& b) { return SPRUE_OF_PAIRS(P, H, a, op, b); } \
  SPRUE_INLINE P& operator op##=(P& a, const P& b) { return a = SPRUE_OF_PAIRS(P, H, a, op, b); }
#define SPRUE_PAIR_COMPARISON(P, op)                                                          \
  SPRUE_INLINE bool operator op(const P& a, const P& b) {                                     \
    return sprue_cuda::widen(a.x) op sprue_cuda::widen(b.x) && sprue_cuda::widen(a.y)         \
                                                                   op sprue_cuda::widen(b.y); \
  }
#define SPRUE_PAIR(P, H)                                                 \
  struct __attribute__((aligned(4))) P {                                 \
    H x, y;                                                              \
    P() = default;                                                       \
    SPRUE_MEMBER constexpr P(const H& x_, const H& y_) : x(x_), y(y_) {} \
  };                                                                     \
  SPRUE_PAIR_OPERATOR(P, H, +)                                           \
  SPRUE_PAIR_OPERATOR(P, H, -)                                           \
  SPRUE_PAIR_OPERATOR(P, H, *)                                           \
  SPRUE_PAIR_OPERATOR(P, H, /)                                           \
  SPRUE_PAIR_COMPARISON(P, ==)                                           \
  SPRUE_PAIR_COMPARISON(P, <)                                            \
  SPRUE_PAIR_COMPARISON(P, <=)                                           \
  SPRUE_PAIR_COMPARISON(P, >)                                            \
  SPRUE_PAIR_COMPARISON(P, >=)                                           \
  SPRUE_PAIR_COMPARISON(P, !=)                                           \
  SPRUE_INLINE P operator+(const P& a) { return a; }                     \
  SPRUE_INLINE P operator-(const P& a) {                                 \
    return P(H(-sprue_cuda::widen(a.x)), H(-sprue_cuda::widen(a.y)));    \
  }
SPRUE_PAIR(__half2, __half)
SPRUE_PAIR(__nv_bfloat162, __nv_bfloat16)
#undef SPRUE_PAIR
#undef SPRUE_PAIR_COMPARISON
#undef SPRUE_PAIR_OPERATOR
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __nv_bfloat162 nv_bfloat162;
