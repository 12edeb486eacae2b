// Operators of the numbers that are classes: bfloat, and half where the compiler has none (CUDA).
//
//   half op half, half op int     half, rounded once       half op float, bfloat op half    float
//   bfloat likewise; `bfloat += float` is an error, `half += float` isn't, for half converts unasked
//
// All are templates: a kernel that has no such number pays nothing for them. B is always the class, I an
// integer. What a target does in an operation is its SPRUE_NUMBER_OPERATION.
#pragma once

namespace sprue_types {
template <typename B, typename Result>
using for_class_number = typename enable_if<SPRUE_IS_CLASS_NUMBER(B), Result>::type;
template <typename B, typename I, typename Result>
using for_class_number_and_integer =
    typename enable_if<SPRUE_IS_CLASS_NUMBER(B) && SPRUE_IS_INTEGRAL(I), Result>::type;
}  // namespace sprue_types

#define SPRUE_CLASS_NUMBER_OPERATOR(op, name)                                                      \
  template <typename B>                                                                            \
  SPRUE_INLINE constexpr sprue_types::for_class_number<B, B> operator op(B a, B b) {               \
    return SPRUE_NUMBER_OPERATION(B, a, op, b, name);                                              \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, B> operator op(B a,       \
                                                                                        I b) {     \
    return a op B(b);                                                                              \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, B> operator op(I a,       \
                                                                                        B b) {     \
    return B(a) op b;                                                                              \
  }                                                                                                \
  template <typename B>                                                                            \
  SPRUE_INLINE constexpr sprue_types::for_class_number<B, B>& operator op##=(B& a, B b) {          \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, B>& operator op##=(B& a,  \
                                                                                            I b) { \
    return a = a op B(b);                                                                          \
  }                                                                                                \
  template <typename B, typename I>                                                                \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, I>& operator op##=(I& a,  \
                                                                                            B b) { \
    return a = static_cast<I>(B(a) op b);                                                          \
  }
SPRUE_CLASS_NUMBER_OPERATOR(+, plus)
SPRUE_CLASS_NUMBER_OPERATOR(-, minus)
SPRUE_CLASS_NUMBER_OPERATOR(*, times)
SPRUE_CLASS_NUMBER_OPERATOR(/, divided)
#undef SPRUE_CLASS_NUMBER_OPERATOR
// An integer is compared as the number that it becomes; all else compares as floats.
#define SPRUE_CLASS_NUMBER_COMPARISON(op)                                                         \
  template <typename B, typename I>                                                               \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, bool> operator op(B a,   \
                                                                                           I b) { \
    return static_cast<float>(a) op static_cast<float>(B(b));                                     \
  }                                                                                               \
  template <typename B, typename I>                                                               \
  SPRUE_INLINE constexpr sprue_types::for_class_number_and_integer<B, I, bool> operator op(I a,   \
                                                                                           B b) { \
    return static_cast<float>(B(a)) op static_cast<float>(b);                                     \
  }
SPRUE_CLASS_NUMBER_COMPARISON(==)
SPRUE_CLASS_NUMBER_COMPARISON(!=)
SPRUE_CLASS_NUMBER_COMPARISON(<)
SPRUE_CLASS_NUMBER_COMPARISON(<=)
SPRUE_CLASS_NUMBER_COMPARISON(>)
SPRUE_CLASS_NUMBER_COMPARISON(>=)
#undef SPRUE_CLASS_NUMBER_COMPARISON
template <typename B>
SPRUE_INLINE constexpr sprue_types::for_class_number<B, B> operator+(B a) {
  return a;
}
template <typename B>
SPRUE_INLINE constexpr sprue_types::for_class_number<B, B> operator-(B a) {
  return SPRUE_NEGATED(B, a);
}
template <typename B>
SPRUE_INLINE sprue_types::for_class_number<B, B>& operator++(B& a) {
  return a += 1;
}
template <typename B>
SPRUE_INLINE sprue_types::for_class_number<B, B>& operator--(B& a) {
  return a -= 1;
}
template <typename B>
SPRUE_INLINE sprue_types::for_class_number<B, B> operator++(B& a, int) {
  const B before = a;
  ++a;
  return before;
}
template <typename B>
SPRUE_INLINE sprue_types::for_class_number<B, B> operator--(B& a, int) {
  const B before = a;
  --a;
  return before;
}
