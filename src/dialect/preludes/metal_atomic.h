// Relaxed atomics on device and threadgroup memory: threadgroups of one launch run on several threads.
#pragma once

namespace metal {

enum memory_order { memory_order_relaxed = __ATOMIC_RELAXED };

template <typename T>
struct atomic {
  static_assert(__is_same(T, int) || __is_same(T, uint) || __is_same(T, ulong) ||
                    __is_same(T, float),
                "atomic<T> is for int, uint, ulong and float");
  T value;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<ulong> atomic_ulong;
typedef atomic<float> atomic_float;

template <typename T>
SPRUE_INLINE T atomic_load_explicit(const volatile atomic<T>* object, memory_order) {
  T result;
  __atomic_load(&object->value, &result, __ATOMIC_RELAXED);
  return result;
}

// The second parameter is no part of deduction: `atomic_store_explicit(&counter, 0, ...)` on a uint.
template <typename T>
struct atomic_operand {
  typedef T type;
};

template <typename T>
SPRUE_INLINE void atomic_store_explicit(volatile atomic<T>* object,
                                        typename atomic_operand<T>::type operand, memory_order) {
  __atomic_store(&object->value, &operand, __ATOMIC_RELAXED);
}

template <typename T>
SPRUE_INLINE T atomic_exchange_explicit(volatile atomic<T>* object,
                                        typename atomic_operand<T>::type operand, memory_order) {
  T result;
  __atomic_exchange(&object->value, &operand, &result, __ATOMIC_RELAXED);
  return result;
}

template <typename T>
SPRUE_INLINE bool atomic_compare_exchange_weak_explicit(volatile atomic<T>* object, T* expected,
                                                        typename atomic_operand<T>::type desired,
                                                        memory_order, memory_order) {
  return __atomic_compare_exchange(&object->value, expected, &desired, true, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

// fetch-and-modify for any T by compare-and-exchange of `apply(old)`.
template <typename T, typename Apply>
SPRUE_INLINE T atomic_modify(volatile atomic<T>* object, Apply apply) {
  T before = atomic_load_explicit(object, memory_order_relaxed);
  for (;;) {
    T after = apply(before);
    if (__atomic_compare_exchange(&object->value, &before, &after, true, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
      return before;
  }
}

#define SPRUE_ATOMIC_FETCH(name, expression)                                                \
  template <typename T>                                                                     \
  SPRUE_INLINE T atomic_fetch_##name##_explicit(                                            \
      volatile atomic<T>* object, typename atomic_operand<T>::type operand, memory_order) { \
    return atomic_modify(                                                                   \
        object, [=](T before) __attribute__((always_inline))->T { return expression; });    \
  }
SPRUE_ATOMIC_FETCH(add, before + operand)
SPRUE_ATOMIC_FETCH(sub, before - operand)
SPRUE_ATOMIC_FETCH(min, metal::min(before, operand))
SPRUE_ATOMIC_FETCH(max, metal::max(before, operand))
SPRUE_ATOMIC_FETCH(and, before& operand)
SPRUE_ATOMIC_FETCH(or, before | operand)
SPRUE_ATOMIC_FETCH(xor, before ^ operand)
#undef SPRUE_ATOMIC_FETCH

}  // namespace metal
