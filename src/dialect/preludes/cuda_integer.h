// CUDA's integer intrinsics, and loads and stores with a cache's name, which a CPU does as plain ones.
#pragma once

SPRUE_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
SPRUE_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SPRUE_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
SPRUE_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
// The lowest set bit, counted from 1; 0 for none.
SPRUE_INLINE int __ffs(int x) {
  return x == 0 ? 0 : __builtin_ctz(static_cast<unsigned int>(x)) + 1;
}
SPRUE_INLINE int __ffsll(long long x) {
  return x == 0 ? 0 : __builtin_ctzll(static_cast<unsigned long long>(x)) + 1;
}
SPRUE_INLINE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
SPRUE_INLINE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

// Byte i of the result is the byte of y:x that nibble i of the selector names; with its top bit set, that
// byte's sign in all bits.
SPRUE_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i) {
    const unsigned int nibble = selector >> (4 * i);
    const unsigned int byte = static_cast<unsigned int>(bytes >> (8 * (nibble & 7u))) & 0xffu;
    const unsigned int sign = byte >> 7 ? 0xffu : 0u;
    result |= (nibble & 8u ? sign : byte) << (8 * i);
  }
  return result;
}

// 32 of the 64 bits of high:low; the shift counts modulo 32, or up to 32 (_lc, _rc).
SPRUE_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  const unsigned long long bits = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(bits << (shift & 31u) >> 32);
}
SPRUE_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  const unsigned long long bits = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(bits >> (shift & 31u));
}
SPRUE_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                           unsigned int shift) {
  return shift < 32u ? __funnelshift_l(low, high, shift) : low;
}
SPRUE_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                           unsigned int shift) {
  return shift < 32u ? __funnelshift_r(low, high, shift) : high;
}

SPRUE_INLINE int __mul24(int x, int y) {
  const unsigned int a = static_cast<unsigned int>(x << 8 >> 8);
  return static_cast<int>(a * static_cast<unsigned int>(y << 8 >> 8));
}
SPRUE_INLINE unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
SPRUE_INLINE int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
SPRUE_INLINE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
SPRUE_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
SPRUE_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
// |x - y| + z
SPRUE_INLINE unsigned int __sad(int x, int y, unsigned int z) {
  const unsigned int a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
  return (x < y ? b - a : a - b) + z;
}
SPRUE_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x < y ? y - x : x - y) + z;
}
// Means without overflow, rounded down and up.
SPRUE_INLINE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
SPRUE_INLINE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
SPRUE_INLINE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (x & y) + ((x ^ y) >> 1);
}
SPRUE_INLINE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (x | y) - ((x ^ y) >> 1);
}

namespace sprue_cuda {
// Sum of the products of a's and b's pieces of 8 bits, or of a's 16-bit and half of b's 8-bit pieces.
template <typename Wide, typename Narrow, int kCount, int kFirst = 0>
SPRUE_INLINE unsigned int dot(unsigned int a, unsigned int b, unsigned int sum) {
  for (int i = 0; i < kCount; ++i) {
    const Wide x = static_cast<Wide>(a >> (8 * sizeof(Wide) * i));
    const Narrow y = static_cast<Narrow>(b >> (8 * (i + kFirst)));
    sum += static_cast<unsigned int>(static_cast<int>(x) * static_cast<int>(y));
  }
  return sum;
}
}  // namespace sprue_cuda
#define SPRUE_DOT(name, kCount, kFirst, SignedWide, UnsignedWide)                     \
  SPRUE_INLINE int name(int a, int b, int c) {                                        \
    return static_cast<int>(sprue_cuda::dot<SignedWide, signed char, kCount, kFirst>( \
        static_cast<unsigned int>(a), static_cast<unsigned int>(b),                   \
        static_cast<unsigned int>(c)));                                               \
  }                                                                                   \
  SPRUE_INLINE unsigned int name(unsigned int a, unsigned int b, unsigned int c) {    \
    return sprue_cuda::dot<UnsignedWide, unsigned char, kCount, kFirst>(a, b, c);     \
  }
SPRUE_DOT(__dp4a, 4, 0, signed char, unsigned char)
SPRUE_DOT(__dp2a_lo, 2, 0, short, unsigned short)
SPRUE_DOT(__dp2a_hi, 2, 2, short, unsigned short)
#undef SPRUE_DOT

#define SPRUE_LOAD(name)                  \
  template <typename T>                   \
  SPRUE_INLINE T name(const T* address) { \
    return *address;                      \
  }
SPRUE_LOAD(__ldg)
SPRUE_LOAD(__ldca)
SPRUE_LOAD(__ldcg)
SPRUE_LOAD(__ldcs)
SPRUE_LOAD(__ldlu)
SPRUE_LOAD(__ldcv)
#undef SPRUE_LOAD
#define SPRUE_STORE(name)                       \
  template <typename T>                         \
  SPRUE_INLINE void name(T* address, T value) { \
    *address = value;                           \
  }
SPRUE_STORE(__stcg)
SPRUE_STORE(__stcs)
SPRUE_STORE(__stwb)
SPRUE_STORE(__stwt)
#undef SPRUE_STORE
