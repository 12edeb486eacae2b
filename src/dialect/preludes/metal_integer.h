// Functions of integers: bits, saturation, high halves of products. Defined for every argument; a
// position or count beyond the width wraps, as the shifts of a GPU do.
#pragma once

namespace sprue_types {

template <unsigned kBytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> {
  typedef uchar type;
};
template <>
struct unsigned_of_size<2> {
  typedef ushort type;
};
template <>
struct unsigned_of_size<4> {
  typedef uint type;
};
template <>
struct unsigned_of_size<8> {
  typedef ulong type;
};
template <typename T>
using unsigned_of = typename unsigned_of_size<sizeof(integer<T>)>::type;

template <typename T>
struct bits {
  static constexpr int count = 8 * sizeof(T);
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr T lowest = is_signed ? T(unsigned_of<T>(1) << (count - 1)) : T(0);
  static constexpr T highest = T(~lowest);
  static constexpr ulong position = count - 1;  // mask of a position
};

// The only lines that name compiler builtins; x isn't 0 in the last two.
#if defined(__CUDACC_RTC__)
SPRUE_INLINE int population(ulong x) { return __popcll(x); }
SPRUE_INLINE int leading_zeros(ulong x) { return __clzll(x); }
SPRUE_INLINE int trailing_zeros(ulong x) { return __ffsll(x) - 1; }
#else
SPRUE_INLINE int population(ulong x) { return __builtin_popcountl(x); }
SPRUE_INLINE int leading_zeros(ulong x) { return __builtin_clzl(x); }
SPRUE_INLINE int trailing_zeros(ulong x) { return __builtin_ctzl(x); }
#endif

}  // namespace sprue_types

namespace metal {

template <typename T>
SPRUE_INLINE sprue_types::integer<T> popcount(T x) {
  return static_cast<T>(sprue_types::population(static_cast<sprue_types::unsigned_of<T>>(x)));
}
// Of 0: the width, both of them.
template <typename T>
SPRUE_INLINE sprue_types::integer<T> clz(T x) {
  constexpr int kUnused = 64 - sprue_types::bits<T>::count;
  const ulong word = static_cast<sprue_types::unsigned_of<T>>(x);
  return static_cast<T>(word ? sprue_types::leading_zeros(word) - kUnused : 64 - kUnused);
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> ctz(T x) {
  const ulong word = static_cast<sprue_types::unsigned_of<T>>(x);
  return static_cast<T>(word ? sprue_types::trailing_zeros(word) : sprue_types::bits<T>::count);
}
// Neighbours change places, then pairs, then groups of four, and so on.
template <typename T>
SPRUE_INLINE sprue_types::integer<T> reverse_bits(T x) {
  ulong word = static_cast<sprue_types::unsigned_of<T>>(x);
  word = (word & 0x5555555555555555ul) << 1 | (word >> 1 & 0x5555555555555555ul);
  word = (word & 0x3333333333333333ul) << 2 | (word >> 2 & 0x3333333333333333ul);
  word = (word & 0x0f0f0f0f0f0f0f0ful) << 4 | (word >> 4 & 0x0f0f0f0f0f0f0f0ful);
  if (sizeof(T) > 1) word = (word & 0x00ff00ff00ff00fful) << 8 | (word >> 8 & 0x00ff00ff00ff00fful);
  if (sizeof(T) > 2)
    word = (word & 0x0000ffff0000fffful) << 16 | (word >> 16 & 0x0000ffff0000fffful);
  if (sizeof(T) > 4) word = word << 32 | word >> 32;
  return static_cast<T>(word);
}
// To the left.
template <typename T>
SPRUE_INLINE sprue_types::integer<T> rotate(T x, T count) {
  typedef sprue_types::unsigned_of<T> U;
  constexpr ulong kMask = sprue_types::bits<T>::position;
  const U word = static_cast<U>(x);
  const ulong left = static_cast<U>(count) & kMask;
  return static_cast<T>(static_cast<U>(word << left) | word >> ((0 - left) & kMask));
}
// `bits` bits from `offset` on, sign-extended for a signed T.
template <typename T>
SPRUE_INLINE sprue_types::integer<T> extract_bits(T x, uint offset, uint bits) {
  typedef sprue_types::bits<T> B;
  if (bits == 0) return T(0);
  const ulong unused = (B::count - bits) & B::position;
  const auto word = static_cast<sprue_types::unsigned_of<T>>(x) >> (offset & B::position);
  return static_cast<T>(static_cast<T>(word << unused) >> unused);
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> insert_bits(T base, T insert, uint offset, uint bits) {
  typedef sprue_types::unsigned_of<T> U;
  typedef sprue_types::bits<T> B;
  if (bits == 0) return base;
  const U mask = static_cast<U>(static_cast<U>(~U(0)) >> ((B::count - bits) & B::position)
                                                             << (offset & B::position));
  const U moved = static_cast<U>(static_cast<U>(insert) << (offset & B::position));
  return static_cast<T>((static_cast<U>(base) & static_cast<U>(~mask)) | (moved & mask));
}

// Without overflow, so of the unsigned type.
template <typename T>
SPRUE_INLINE sprue_types::unsigned_of<T> absdiff(T x, T y) {
  typedef sprue_types::unsigned_of<T> U;
  return static_cast<U>(x < y ? static_cast<U>(y) - static_cast<U>(x)
                              : static_cast<U>(x) - static_cast<U>(y));
}
// Rounded down and up.
template <typename T>
SPRUE_INLINE sprue_types::integer<T> hadd(T x, T y) {
  return static_cast<T>((x & y) + ((x ^ y) >> 1));
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> rhadd(T x, T y) {
  return static_cast<T>((x | y) - ((x ^ y) >> 1));
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> addsat(T x, T y) {
  typedef sprue_types::unsigned_of<T> U;
  typedef sprue_types::bits<T> B;
  const T sum = static_cast<T>(static_cast<U>(x) + static_cast<U>(y));
  if (!B::is_signed) return sum < x ? B::highest : sum;
  return ((x ^ sum) & (y ^ sum)) < 0 ? (x < 0 ? B::lowest : B::highest) : sum;
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> subsat(T x, T y) {
  typedef sprue_types::unsigned_of<T> U;
  typedef sprue_types::bits<T> B;
  const T difference = static_cast<T>(static_cast<U>(x) - static_cast<U>(y));
  if (!B::is_signed) return x < y ? T(0) : difference;
  return ((x ^ y) & (x ^ difference)) < 0 ? (x < 0 ? B::lowest : B::highest) : difference;
}

template <typename T>
SPRUE_INLINE sprue_types::integer<T> mulhi(T x, T y) {
  if (sizeof(T) < 8)
    return static_cast<T>((static_cast<ulong>(x) * static_cast<ulong>(y)) >>
                          (sprue_types::bits<T>::count % 64));
  // As unsigned words by halves; a negative factor counted 2^64 too much.
  const ulong low = 0xffffffffu;
  const ulong a = static_cast<ulong>(x), b = static_cast<ulong>(y);
  const ulong middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  const ulong other = (a & low) * (b >> 32) + (middle & low);
  const ulong high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  return static_cast<T>(high - (x < T(0) ? b : 0) - (y < T(0) ? a : 0));
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> madhi(T x, T y, T z) {
  return static_cast<T>(static_cast<sprue_types::unsigned_of<T>>(metal::mulhi(x, y)) +
                        static_cast<sprue_types::unsigned_of<T>>(z));
}
template <typename T>
SPRUE_INLINE sprue_types::integer<T> madsat(T x, T y, T z) {
  typedef sprue_types::unsigned_of<T> U;
  typedef sprue_types::bits<T> B;
  // The sum in two words of T.
  const U product = static_cast<U>(static_cast<ulong>(x) * static_cast<ulong>(y));
  const U low = static_cast<U>(product + static_cast<U>(z));
  const U carry = low < product ? 1 : 0;
  const T high =
      static_cast<T>(static_cast<U>(metal::mulhi(x, y)) + (z < T(0) ? ~U(0) : U(0)) + carry);
  if (!B::is_signed) return high != T(0) ? B::highest : static_cast<T>(low);
  const T extended = static_cast<T>(low) < T(0) ? static_cast<T>(-1) : T(0);
  return high == extended ? static_cast<T>(low) : high < T(0) ? B::lowest : B::highest;
}

// Only the low 24 bits of the factors count.
SPRUE_INLINE int mul24(int x, int y) {
  return static_cast<int>(static_cast<uint>(static_cast<int>(static_cast<uint>(x) << 8) >> 8) *
                          static_cast<uint>(static_cast<int>(static_cast<uint>(y) << 8) >> 8));
}
SPRUE_INLINE uint mul24(uint x, uint y) { return (x & 0xffffffu) * (y & 0xffffffu); }
SPRUE_INLINE int mad24(int x, int y, int z) {
  return static_cast<int>(static_cast<uint>(metal::mul24(x, y)) + static_cast<uint>(z));
}
SPRUE_INLINE uint mad24(uint x, uint y, uint z) { return metal::mul24(x, y) + z; }

}  // namespace metal
