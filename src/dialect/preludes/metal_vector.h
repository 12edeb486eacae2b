// Vectors of two, three and four components: vec<T, N>, float4, packed_half3 and their kind.
//
//   float4 a = float4(b.xy, 0.0f, 1);   a.zw = b.yx;   a[i] += 1.0f;   short4 c = short4(a);
//
// Components are plain members: a loop over threads vectorises across the threads, and straight code
// within a vector. A swizzle is written `.xy` by the user and arrives here, by the lowering
// (dialect/swizzle.h), as swizzle<0, 1>(), or as place<0, 1>() where it is assigned to.
//
// Included where a text uses vectors; the names of types, the operators and the functions that it
// doesn't use are left out (dialect/prelude_parts.h), for each costs a compile some 0.1 ms.
#pragma once

namespace metal {
template <typename T, int N, bool kPacked = false>
struct vec;
}

namespace sprue_vector {

using sprue_types::enable_if;
using sprue_types::is_floating;
using sprue_types::is_integer;

template <typename T>
struct is_scalar {
  static constexpr bool value = is_floating<T>::value || is_integer<T>::value;
};
// S becomes T unasked: not a float or a half a bfloat, nor a bfloat a half.
template <typename S, typename T>
struct converts {
  static constexpr bool loses = (SPRUE_IS_SAME(T, bfloat) && is_floating<S>::value) ||
                                (SPRUE_IS_SAME(T, half) && SPRUE_IS_SAME(S, bfloat));
  static constexpr bool value = is_scalar<S>::value && (SPRUE_IS_SAME(S, T) || !loses);
};
// S may stand beside a vector of T in an operation: a float doesn't beside integers.
template <typename S, typename T>
struct mixes {
  static constexpr bool value =
      converts<S, T>::value && !(is_floating<S>::value && is_integer<T>::value);
};

// How many components of a vector of T an argument of the constructor fills; 100: it is none.
template <typename T, typename A>
struct fills {
  static constexpr int count = is_scalar<A>::value ? 1 : 100;
};
template <typename T, int N, bool kPacked>
struct fills<T, metal::vec<T, N, kPacked>> {
  static constexpr int count = N;
};

// Vectors of three lie as those of four do; packed ones as arrays.
//
// They copy by hand: what copies trivially is handed to functions in two registers, whatever its
// components, and the code to unpack them stands in the way of vectorisation.
template <typename T, int N, bool kPacked>
struct components;
#define SPRUE_ALIGNED(count) alignas(kPacked ? alignof(T) : count * sizeof(T))
template <typename T, bool kPacked>
struct components<T, 2, kPacked> {
  SPRUE_ALIGNED(2) T x;
  T y;

  components() = default;
  SPRUE_MEMBER constexpr components(T x_, T y_) : x(x_), y(y_) {}
  SPRUE_MEMBER constexpr components(const components& v) : x(v.x), y(v.y) {}
  components& operator=(const components&) = default;
};
template <typename T, bool kPacked>
struct components<T, 3, kPacked> {
  SPRUE_ALIGNED(4) T x;
  T y, z;

  components() = default;
  SPRUE_MEMBER constexpr components(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
  SPRUE_MEMBER constexpr components(const components& v) : x(v.x), y(v.y), z(v.z) {}
  components& operator=(const components&) = default;
};
template <typename T, bool kPacked>
struct components<T, 4, kPacked> {
  SPRUE_ALIGNED(4) T x;
  T y, z, w;

  components() = default;
  SPRUE_MEMBER constexpr components(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
  SPRUE_MEMBER constexpr components(const components& v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  components& operator=(const components&) = default;
};
#undef SPRUE_ALIGNED

template <int I, typename V>
SPRUE_INLINE constexpr auto& component(V& v) {
  if constexpr (I == 0)
    return v.x;
  else if constexpr (I == 1)
    return v.y;
  else if constexpr (I == 2)
    return v.z;
  else
    return v.w;
}

template <typename R, int N, typename T>
SPRUE_INLINE constexpr R splat(T s) {
  if constexpr (N == 2)
    return R{s, s};
  else if constexpr (N == 3)
    return R{s, s, s};
  else
    return R{s, s, s, s};
}

template <typename R, int N, typename T, typename V>
SPRUE_INLINE constexpr R converted(const V& v) {
  if constexpr (N == 2)
    return R{static_cast<T>(v.x), static_cast<T>(v.y)};
  else if constexpr (N == 3)
    return R{static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
  else
    return R{static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z), static_cast<T>(v.w)};
}

// Component I of the arguments of a constructor, laid one behind the other.
template <typename T, int I, typename A, typename... B>
SPRUE_INLINE constexpr T gathered(const A& a, const B&... b) {
  if constexpr (I >= fills<T, A>::count)
    return gathered<T, I - fills<T, A>::count>(b...);
  else if constexpr (is_scalar<A>::value)
    return static_cast<T>(a);
  else
    return component<I>(a);
}
template <typename R, int N, typename T, typename... A>
SPRUE_INLINE constexpr R gather(const A&... a) {
  if constexpr (sizeof...(A) == N)
    return R{static_cast<T>(a)...};
  else if constexpr (N == 3)
    return R{gathered<T, 0>(a...), gathered<T, 1>(a...), gathered<T, 2>(a...)};
  else
    return R{gathered<T, 0>(a...), gathered<T, 1>(a...), gathered<T, 2>(a...),
             gathered<T, 3>(a...)};
}

// What vec::place() gives: metal_vector_assignable.h.
template <typename T, int N>
struct assignable;

// What an operation on A, B and so on works on: the vector type among them, of which the scalars become
// elements. No type where that isn't so.
template <typename... A>
struct first_vector {
  typedef void type;
};
template <typename S, typename... A>
struct first_vector<S, A...> : first_vector<A...> {};
template <typename T, int N, bool P, typename... A>
struct first_vector<metal::vec<T, N, P>, A...> {
  typedef metal::vec<T, N> type;
};
template <typename V, typename B>
struct fits {
  static constexpr bool value = false;
};
template <typename T, int N, typename B>
struct fits<metal::vec<T, N>, B> : mixes<B, T> {};
template <typename T, int N, bool P>
struct fits<metal::vec<T, N>, metal::vec<T, N, P>> {
  static constexpr bool value = true;
};
template <typename V, typename... A>
using if_fit = typename enable_if<(fits<V, A>::value && ...), V>::type;
template <typename... A>
using common = if_fit<typename first_vector<A...>::type, A...>;

}  // namespace sprue_vector

namespace metal {

template <typename T, int N, bool kPacked>
struct vec : sprue_vector::components<T, N, kPacked> {
  static_assert(sprue_vector::is_scalar<T>::value, "vec<T, N> is for scalar types");
  typedef sprue_vector::components<T, N, kPacked> base;
  typedef T element_type;
  static constexpr int count = N;
  template <bool condition>
  using if_ = typename sprue_types::enable_if<condition, int>::type;

  vec() = default;
  vec(const vec&) = default;
  // Only of a variable: `f(x) = v` and `(v.xy) = w` are mistakes.
  vec& operator=(const vec&) & = default;
  SPRUE_MEMBER constexpr vec(const base& all) : base(all) {}
  // From one scalar, for all components: unasked where the scalar converts unasked.
  template <typename S, if_<sprue_vector::converts<S, T>::value> = 0>
  SPRUE_MEMBER constexpr vec(S s) : base(sprue_vector::splat<base, N>(static_cast<T>(s))) {}
  template <typename S,
            if_<sprue_vector::is_scalar<S>::value && !sprue_vector::converts<S, T>::value> = 0>
  SPRUE_MEMBER explicit constexpr vec(S s)
      : base(sprue_vector::splat<base, N>(static_cast<T>(s))) {}
  // Between packed and aligned: unasked. Between element types: not.
  template <bool kOther, if_<kOther != kPacked> = 0>
  SPRUE_MEMBER constexpr vec(const vec<T, N, kOther>& v)
      : base(sprue_vector::converted<base, N, T>(v)) {}
  template <typename U, bool kOther, if_<!SPRUE_IS_SAME(U, T)> = 0>
  SPRUE_MEMBER explicit constexpr vec(const vec<U, N, kOther>& v)
      : base(sprue_vector::converted<base, N, T>(v)) {}
  // From scalars and shorter vectors of T.
  template <typename A, typename B, typename... C,
            if_<((sprue_vector::fills<T, A>::count + sprue_vector::fills<T, B>::count) + ... +
                 sprue_vector::fills<T, C>::count) == N> = 0>
  SPRUE_MEMBER constexpr vec(A a, B b, C... c)
      : base(sprue_vector::gather<base, N, T>(a, b, c...)) {}

  SPRUE_MEMBER T& operator[](int i) { return (&this->x)[i]; }
  // Without an address: a constant vector stays in registers for any index.
  SPRUE_MEMBER constexpr T operator[](int i) const {
    constexpr int kThird = N == 2 ? 1 : 2;
    const T third = sprue_vector::component<kThird>(*this);
    const T last = sprue_vector::component<N - 1>(*this), first = this->x, second = this->y;
    return i == 0 ? first : i == 1 ? second : i == 2 ? third : last;
  }

  template <int... I>
  SPRUE_MEMBER constexpr vec<T, sizeof...(I)> swizzle() const {
    static_assert(((I < N) && ...), "the swizzle names a component that the vector doesn't have");
    return typename vec<T, sizeof...(I)>::base{sprue_vector::component<I>(*this)...};
  }
  template <int... I>
  SPRUE_MEMBER sprue_vector::assignable<T, sizeof...(I)> place() {
    static_assert(((I < N) && ...), "the swizzle names a component that the vector doesn't have");
    return {{sprue_vector::component<I>(*this)...}};
  }
};

typedef vec<uint, 3> uint3;

}  // namespace metal
