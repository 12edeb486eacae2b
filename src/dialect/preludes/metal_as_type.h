// as_type<T>(value): the same bits as another type of the same size, vectors included.
#pragma once

template <typename T, typename U>
SPRUE_INLINE constexpr T as_type(const U& value) {
  static_assert(!SPRUE_IS_SAME(T, bool) && !SPRUE_IS_SAME(U, bool), "as_type<T> isn't for bool");
  static_assert(sizeof(T) == sizeof(U), "as_type<T> takes a value of T's size");
  if constexpr (__is_trivially_copyable(T) && __is_trivially_copyable(U)) {
    return __builtin_bit_cast(T, value);
  } else {
    T result{};
    SPRUE_COPY_BYTES(&result, &value, sizeof(T));
    return result;
  }
}
