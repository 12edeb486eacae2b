// Relaxed atomics on device and threadgroup memory: threadgroups of one launch run on several threads.
//
//   atomic_fetch_add_explicit((device atomic_uint*)&counts[bin], 1u, memory_order_relaxed);
//
// What there is, is what Metal has: int and uint with everything; float without minimum, maximum and
// bits; bool to load, store, exchange and compare; ulong to lower and to raise, without a result. Nothing
// else than memory_order_relaxed, but for the fence.
#pragma once

#include "metal_simdgroup.h"

#ifdef SPRUE_WITH_ATOMICS  // dialect/prelude_parts.h

namespace metal {

enum memory_order { memory_order_relaxed = __ATOMIC_RELAXED };
// The others are of a type of their own, so that an atomic function can tell.
enum fence_memory_order {
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};
enum thread_scope {
  thread_scope_thread,
  thread_scope_simdgroup,
  thread_scope_threadgroup,
  thread_scope_device,
  thread_scope_system
};

}  // namespace metal

namespace sprue_atomic {

// No part of deduction: `atomic_store_explicit(&counter, 0, ...)` on a uint.
template <typename T>
struct operand {
  typedef T type;
};

template <typename T>
constexpr bool is_atomic = __is_same(T, int) || __is_same(T, uint) || __is_same(T, ulong) ||
                           __is_same(T, float) || __is_same(T, bool);
template <typename T>
constexpr bool is_whole = __is_same(T, int) || __is_same(T, uint);
template <typename T>
constexpr bool is_summed = is_whole<T> || __is_same(T, float);
template <typename T>
constexpr bool is_stored = is_summed<T> || __is_same(T, bool);
template <typename T>
constexpr bool is_long = __is_same(T, ulong);

}  // namespace sprue_atomic

namespace metal {

template <typename T>
struct atomic {
  static_assert(sprue_atomic::is_atomic<T>, "atomic<T> is for int, uint, ulong, float and bool");
  T value;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<ulong> atomic_ulong;
typedef atomic<float> atomic_float;
typedef atomic<bool> atomic_bool;

// A mistake is one error at the user's line: nothing is built on a type that doesn't fit.
#define SPRUE_ATOMIC_CHECK(name, kind, types)                                              \
  static_assert(sprue_atomic::is_##kind<T>, #name " takes a pointer to an atomic " types); \
  static_assert(__is_same(Order, memory_order),                                            \
                #name " takes memory_order_relaxed, the only order that Metal's atomics have")
#define SPRUE_ATOMIC_STORED(name) SPRUE_ATOMIC_CHECK(name, stored, "int, uint, float or bool")

template <typename T, typename Order>
SPRUE_INLINE T atomic_load_explicit(const volatile atomic<T>* object, Order) {
  SPRUE_ATOMIC_STORED(atomic_load_explicit);
  T result{};
  if constexpr (sprue_atomic::is_stored<T>)
    __atomic_load(&object->value, &result, __ATOMIC_RELAXED);
  return result;
}

template <typename T, typename Order>
SPRUE_INLINE void atomic_store_explicit(volatile atomic<T>* object,
                                        typename sprue_atomic::operand<T>::type desired, Order) {
  SPRUE_ATOMIC_STORED(atomic_store_explicit);
  if constexpr (sprue_atomic::is_stored<T>)
    __atomic_store(&object->value, &desired, __ATOMIC_RELAXED);
}

template <typename T, typename Order>
SPRUE_INLINE T atomic_exchange_explicit(volatile atomic<T>* object,
                                        typename sprue_atomic::operand<T>::type desired, Order) {
  SPRUE_ATOMIC_STORED(atomic_exchange_explicit);
  T result{};
  if constexpr (sprue_atomic::is_stored<T>)
    __atomic_exchange(&object->value, &desired, &result, __ATOMIC_RELAXED);
  return result;
}

// Compares bits, as Metal does: a NaN equals itself, and -0 isn't 0. It never fails for no reason.
template <typename T, typename Order, typename Failure>
SPRUE_INLINE bool atomic_compare_exchange_weak_explicit(
    volatile atomic<T>* object, T* expected, typename sprue_atomic::operand<T>::type desired, Order,
    Failure) {
  SPRUE_ATOMIC_STORED(atomic_compare_exchange_weak_explicit);
  static_assert(__is_same(Failure, memory_order) || !__is_same(Order, memory_order),
                "atomic_compare_exchange_weak_explicit takes memory_order_relaxed, the only order "
                "that Metal's atomics have");
  if constexpr (sprue_atomic::is_stored<T>)
    return __atomic_compare_exchange(&object->value, expected, &desired, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
  return false;
}

#define SPRUE_ATOMIC_FETCH(name, kind, types)                                               \
  template <typename T, typename Order>                                                     \
  SPRUE_INLINE T atomic_fetch_##name##_explicit(                                            \
      volatile atomic<T>* object, typename sprue_atomic::operand<T>::type operand, Order) { \
    SPRUE_ATOMIC_CHECK(atomic_fetch_##name##_explicit, kind, types);                        \
    if constexpr (sprue_atomic::is_##kind<T>)                                               \
      return __atomic_fetch_##name(&object->value, operand, __ATOMIC_RELAXED);              \
    return operand;                                                                         \
  }
SPRUE_ATOMIC_FETCH(add, summed, "int, uint or float")
SPRUE_ATOMIC_FETCH(sub, summed, "int, uint or float")
SPRUE_ATOMIC_FETCH(min, whole, "int or uint")
SPRUE_ATOMIC_FETCH(max, whole, "int or uint")
SPRUE_ATOMIC_FETCH(and, whole, "int or uint")
SPRUE_ATOMIC_FETCH(or, whole, "int or uint")
SPRUE_ATOMIC_FETCH(xor, whole, "int or uint")
#undef SPRUE_ATOMIC_FETCH

#define SPRUE_ATOMIC_MODIFY(name)                                                           \
  template <typename T, typename Order>                                                     \
  SPRUE_INLINE void atomic_##name##_explicit(                                               \
      volatile atomic<T>* object, typename sprue_atomic::operand<T>::type operand, Order) { \
    SPRUE_ATOMIC_CHECK(atomic_##name##_explicit, long, "ulong");                            \
    if constexpr (sprue_atomic::is_long<T>)                                                 \
      __atomic_fetch_##name(&object->value, operand, __ATOMIC_RELAXED);                     \
  }
SPRUE_ATOMIC_MODIFY(min)
SPRUE_ATOMIC_MODIFY(max)
#undef SPRUE_ATOMIC_MODIFY
#undef SPRUE_ATOMIC_STORED
#undef SPRUE_ATOMIC_CHECK

// Of Metal 3.2. Scope and flags ask for less than all memory and all threads; here it is always both.
template <typename Order>
SPRUE_INLINE void atomic_thread_fence(mem_flags, Order order, thread_scope = thread_scope_device) {
  __atomic_thread_fence(static_cast<int>(order));
}

}  // namespace metal

#endif
