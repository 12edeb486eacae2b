// Operators and elementwise functions of vectors, to be declared where a text uses them.
//
//   SPRUE_VECTOR_ARITHMETIC(+)    v + w, v + 1, v += w
//   SPRUE_VECTOR_OF_TWO(max)      max(v, w), max(v, 0)
//
// Each works component by component as it does on scalars, so that the bits are the same; nothing is
// promoted (short4 + short4 is a short4). A scalar beside a vector becomes an element and stands for
// all components. Vectors of different types don't mix. The macros are used in namespace metal.
#pragma once

// form(C, op) for every component.
#define SPRUE_EACH(N, form, op) \
  form(x, op);                  \
  form(y, op);                  \
  if constexpr (N > 2) {        \
    form(z, op);                \
  }                             \
  if constexpr (N > 3) {        \
    form(w, op);                \
  }

// V: the type of both operands, which is a vector of numbers, of integers, or of integers and bool.
#define SPRUE_OPERANDS(condition)                                            \
  template <typename A, typename B, typename V = sprue_vector::common<A, B>, \
            typename = typename sprue_types::enable_if<sprue_vector::condition<V>::value>::type>

#define SPRUE_INFIX(C, op) a.C op b.C
#define SPRUE_VECTOR_INFIX(op, condition, form)                                      \
  SPRUE_OPERANDS(condition)                                                          \
  SPRUE_INLINE constexpr V operator op(const A& left, const B& right) {              \
    V a = left;                                                                      \
    const V b = right;                                                               \
    SPRUE_EACH(V::count, form, op## =)                                               \
    return a;                                                                        \
  }                                                                                  \
  template <typename T, int N, bool P, typename B>                                   \
  SPRUE_INLINE constexpr vec<T, N, P>& operator op##=(vec<T, N, P>& a, const B& b) { \
    return a = a op b;                                                               \
  }
#define SPRUE_VECTOR_ARITHMETIC(op) SPRUE_VECTOR_INFIX(op, numbers, SPRUE_INFIX)
#define SPRUE_VECTOR_MODULO(op) SPRUE_VECTOR_INFIX(op, integers, SPRUE_INFIX)
#define SPRUE_VECTOR_BITWISE(op) SPRUE_VECTOR_INFIX(op, bits, SPRUE_INFIX)
// By the count modulo the element's size.
#define SPRUE_SHIFT(C, op) a.C op(b.C&(8 * sizeof(b.C) - 1))
#define SPRUE_VECTOR_SHIFT(op) SPRUE_VECTOR_INFIX(op, integers, SPRUE_SHIFT)

// These give a vector of bool; the logical ones evaluate both sides.
#define SPRUE_COMPARE(C, op) r.C = a.C op b.C
#define SPRUE_LOGICAL(C, op) r.C = static_cast<bool>(a.C) op static_cast<bool>(b.C)
#define SPRUE_VECTOR_TRUTH(op, form)                                                      \
  template <typename A, typename B, typename V = sprue_vector::common<A, B>>              \
  SPRUE_INLINE constexpr vec<bool, V::count> operator op(const A& left, const B& right) { \
    const V a = left, b = right;                                                          \
    vec<bool, V::count> r{};                                                              \
    SPRUE_EACH(V::count, form, op)                                                        \
    return r;                                                                             \
  }
#define SPRUE_VECTOR_COMPARISON(op) SPRUE_VECTOR_TRUTH(op, SPRUE_COMPARE)
#define SPRUE_VECTOR_LOGICAL(op) SPRUE_VECTOR_TRUTH(op, SPRUE_LOGICAL)

#define SPRUE_PREFIX(C, op) r.C = static_cast<R>(op a.C)
#define SPRUE_VECTOR_PREFIX(op, result, condition)                      \
  template <typename T, int N, bool P, typename R = result,             \
            typename = typename sprue_types::enable_if<                 \
                sprue_vector::condition<vec<T, N, P>>::value>::type>    \
  SPRUE_INLINE constexpr vec<R, N> operator op(const vec<T, N, P>& a) { \
    vec<R, N> r{};                                                      \
    SPRUE_EACH(N, SPRUE_PREFIX, op)                                     \
    return r;                                                           \
  }
#define SPRUE_VECTOR_SIGN(op) SPRUE_VECTOR_PREFIX(op, T, numbers)
#define SPRUE_VECTOR_COMPLEMENT(op) SPRUE_VECTOR_PREFIX(op, T, integers)
#define SPRUE_VECTOR_NOT(op) SPRUE_VECTOR_PREFIX(op, bool, any)
#define SPRUE_VECTOR_STEP(op)                                       \
  template <typename T, int N, bool P>                              \
  SPRUE_INLINE vec<T, N, P>& operator op##op(vec<T, N, P>& a) {     \
    return a = a op T(1);                                           \
  }                                                                 \
  template <typename T, int N, bool P>                              \
  SPRUE_INLINE vec<T, N, P> operator op##op(vec<T, N, P>& a, int) { \
    const vec<T, N, P> before = a;                                  \
    a = a op T(1);                                                  \
    return before;                                                  \
  }

#define SPRUE_OF_ONE(C, name) r.C = metal::name(a.C)
#define SPRUE_OF_TWO(C, name) r.C = metal::name(a.C, b.C)
#define SPRUE_OF_THREE(C, name) r.C = metal::name(a.C, b.C, c.C)
#define SPRUE_VECTOR_OF_ONE(name) SPRUE_VECTOR_MAP(name, T)
#define SPRUE_VECTOR_TEST(name) SPRUE_VECTOR_MAP(name, bool)
#define SPRUE_VECTOR_MAP(name, R)                                             \
  template <typename T, int N, bool P, typename = decltype(metal::name(T()))> \
  SPRUE_INLINE vec<R, N> name(const vec<T, N, P>& a) {                        \
    vec<R, N> r{};                                                            \
    SPRUE_EACH(N, SPRUE_OF_ONE, name)                                         \
    return r;                                                                 \
  }
#define SPRUE_VECTOR_OF_TWO(name) SPRUE_VECTOR_MAP_TWO(name, T)
#define SPRUE_VECTOR_TEST_OF_TWO(name) SPRUE_VECTOR_MAP_TWO(name, bool)
#define SPRUE_VECTOR_MAP_TWO(name, R)                                                          \
  template <typename A, typename B, typename V = sprue_vector::common<A, B>,                   \
            typename T = typename V::element_type, typename = decltype(metal::name(T(), T()))> \
  SPRUE_INLINE vec<R, V::count> name(const A& first, const B& second) {                        \
    const V a = first, b = second;                                                             \
    vec<R, V::count> r{};                                                                      \
    SPRUE_EACH(V::count, SPRUE_OF_TWO, name)                                                   \
    return r;                                                                                  \
  }
#define SPRUE_VECTOR_OF_THREE(name)                                                         \
  template <typename A, typename B, typename C, typename V = sprue_vector::common<A, B, C>, \
            typename T = typename V::element_type,                                          \
            typename = decltype(metal::name(T(), T(), T()))>                                \
  SPRUE_INLINE V name(const A& first, const B& second, const C& third) {                    \
    const V a = first, b = second, c = third;                                               \
    V r{};                                                                                  \
    SPRUE_EACH(V::count, SPRUE_OF_THREE, name)                                              \
    return r;                                                                               \
  }

// Functions whose arguments are of different types, each under a macro of its name.
#define SPRUE_VECTOR_WITH_RESULT(name, type)                         \
  template <typename T, int N>                                       \
  SPRUE_INLINE vec<T, N> name(const vec<T, N>& a, vec<type, N>& b) { \
    vec<T, N> r{};                                                   \
    SPRUE_EACH(N, SPRUE_OF_TWO, name)                                \
    return r;                                                        \
  }
#define SPRUE_VECTOR_sincos SPRUE_VECTOR_WITH_RESULT(sincos, T)
#define SPRUE_VECTOR_modf SPRUE_VECTOR_WITH_RESULT(modf, T)
#define SPRUE_VECTOR_frexp SPRUE_VECTOR_WITH_RESULT(frexp, int)
#define SPRUE_VECTOR_ldexp                                                    \
  template <typename T, int N, bool P>                                        \
  SPRUE_INLINE vec<T, N> ldexp(const vec<T, N, P>& a, const vec<int, N>& b) { \
    vec<T, N> r{};                                                            \
    SPRUE_EACH(N, SPRUE_OF_TWO, ldexp)                                        \
    return r;                                                                 \
  }
#define SPRUE_VECTOR_ilogb SPRUE_VECTOR_MAP(ilogb, int)
#define SPRUE_VECTOR_absdiff SPRUE_VECTOR_MAP_TWO(absdiff, sprue_types::unsigned_of<T>)
#define SPRUE_EXTRACT(C, name) r.C = metal::name(a.C, offset, bits)
#define SPRUE_VECTOR_extract_bits                                                      \
  template <typename T, int N, bool P>                                                 \
  SPRUE_INLINE vec<T, N> extract_bits(const vec<T, N, P>& a, uint offset, uint bits) { \
    vec<T, N> r{};                                                                     \
    SPRUE_EACH(N, SPRUE_EXTRACT, extract_bits)                                         \
    return r;                                                                          \
  }
#define SPRUE_INSERT(C, name) r.C = metal::name(a.C, b.C, offset, bits)
#define SPRUE_VECTOR_insert_bits                                                         \
  template <typename A, typename B, typename V = sprue_vector::common<A, B>>             \
  SPRUE_INLINE V insert_bits(const A& base, const B& inserted, uint offset, uint bits) { \
    const V a = base, b = inserted;                                                      \
    V r{};                                                                               \
    SPRUE_EACH(V::count, SPRUE_INSERT, insert_bits)                                      \
    return r;                                                                            \
  }
// A condition for each component, or one for all.
#define SPRUE_VECTOR_select                                                              \
  template <typename A, typename B, typename C, typename V = sprue_vector::common<A, B>> \
  SPRUE_INLINE V select(const A& otherwise, const B& chosen, const C& condition) {       \
    const V a = otherwise, b = chosen;                                                   \
    const vec<bool, V::count> c = condition;                                             \
    V r{};                                                                               \
    SPRUE_EACH(V::count, SPRUE_OF_THREE, select)                                         \
    return r;                                                                            \
  }

namespace sprue_vector {

template <typename V>
struct any {
  static constexpr bool value = true;
};
template <typename V>
struct numbers {
  static constexpr bool value = !SPRUE_IS_SAME(typename V::element_type, bool);
};
template <typename V>
struct bits : is_integer<typename V::element_type> {};
template <typename V>
struct integers {
  static constexpr bool value = numbers<V>::value && bits<V>::value;
};

}  // namespace sprue_vector
