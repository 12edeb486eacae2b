// Relaxed atomics by the compiler's builtins. Scopes ask for less than all threads; a fence is for all.
#pragma once

namespace sprue_atomic {

template <typename T>
SPRUE_INLINE T load(const volatile T* object) {
  T result;
  __atomic_load(object, &result, __ATOMIC_RELAXED);
  return result;
}
template <typename T>
SPRUE_INLINE void store(volatile T* object, T desired) {
  __atomic_store(object, &desired, __ATOMIC_RELAXED);
}
template <typename T>
SPRUE_INLINE T exchange(volatile T* object, T desired) {
  T result;
  __atomic_exchange(object, &desired, &result, __ATOMIC_RELAXED);
  return result;
}
template <typename T>
SPRUE_INLINE bool compare_exchange(volatile T* object, T& expected, T desired) {
  return __atomic_compare_exchange(object, &expected, &desired, true, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

#define SPRUE_FETCH(name)                                            \
  template <typename T>                                              \
  SPRUE_INLINE T fetch_##name(volatile T* object, T operand) {       \
    return __atomic_fetch_##name(object, operand, __ATOMIC_RELAXED); \
  }
SPRUE_FETCH(add)
SPRUE_FETCH(sub)
SPRUE_FETCH(min)
SPRUE_FETCH(max)
SPRUE_FETCH(and)
SPRUE_FETCH(or)
SPRUE_FETCH(xor)
#undef SPRUE_FETCH

SPRUE_INLINE void fence(int order, metal::thread_scope) { __atomic_thread_fence(order); }

}  // namespace sprue_atomic
